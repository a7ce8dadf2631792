/// Has one job: holding Terraform's files and processes, in the manager's own process or in a
/// runner beside it that has another user, no token and limits of its own. It asks nothing of
/// Kubernetes.
@NullMarked
package dev.millwright.capi.runner;

import org.jspecify.annotations.NullMarked;
