/// Has one job: the infrastructure of a cluster, which is its VPC.
@NullMarked
package dev.millwright.capi.cluster;

import org.jspecify.annotations.NullMarked;
