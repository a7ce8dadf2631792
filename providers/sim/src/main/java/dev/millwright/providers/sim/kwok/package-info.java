/// Has one job: machines that are nothing but Node objects, whose kubelets kwok plays. It imports
/// the catalogues, `spi`, `core`, and the client, caches and objects of `kube`.
@NullMarked
package dev.millwright.providers.sim.kwok;

import org.jspecify.annotations.NullMarked;
