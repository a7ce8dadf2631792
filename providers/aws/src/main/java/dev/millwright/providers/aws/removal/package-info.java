/// Has one job: to remove what was ever launched for a cluster, and to prove by asking that nothing
/// is left. It imports `api`, `nodeclass`, what `launch` knows of provider ids, the clients of
/// `kube` and the rules of drains of `controllers`.
@NullMarked
package dev.millwright.providers.aws.removal;

import org.jspecify.annotations.NullMarked;
