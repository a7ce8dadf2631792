/// Has one job: the definitions of our custom resources as texts that an API server takes. It
/// imports nothing of ours.
@NullMarked
package dev.millwright.kube.crd;

import org.jspecify.annotations.NullMarked;
