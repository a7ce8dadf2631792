/// The Secrets by which a cluster is reached.
@NullMarked
package dev.millwright.testing.conformance.capi.kubeconfig;

import org.jspecify.annotations.NullMarked;
