/// Has one job: the Secrets by which Cluster API and people reach a cluster, kept valid.
///
/// What is in them is never kept, logged or told.
@NullMarked
package dev.millwright.capi.kubeconfig;

import org.jspecify.annotations.NullMarked;
