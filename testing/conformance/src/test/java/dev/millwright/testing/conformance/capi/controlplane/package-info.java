/// The control plane of a cluster, and the order of a whole cluster.
@NullMarked
package dev.millwright.testing.conformance.capi.controlplane;

import org.jspecify.annotations.NullMarked;
