/// The infrastructure of a cluster.
@NullMarked
package dev.millwright.testing.conformance.capi.cluster;

import org.jspecify.annotations.NullMarked;
