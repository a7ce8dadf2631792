/// Has one job: to look at an account and a cluster before the operator first runs there, and to
/// say what must be done. It changes nothing. It imports `api` and the clients of `kube`.
@NullMarked
package dev.millwright.providers.aws.doctor;

import org.jspecify.annotations.NullMarked;
