/// Has one job: Kubernetes objects in files to a problem that `core` can solve. It imports `core`
/// and `kube.document`.
@NullMarked
package dev.millwright.kube.snapshot;

import org.jspecify.annotations.NullMarked;
