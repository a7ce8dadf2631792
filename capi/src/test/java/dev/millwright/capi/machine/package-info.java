/// Machines of the Cluster API provider: what sets and deployments do at every moment of a rollout,
/// and what machines and pools say of themselves.
@NullMarked
package dev.millwright.capi.machine;

import org.jspecify.annotations.NullMarked;
