/// Has one job: which Cluster machines belong to, what they wait for before they are made, and what
/// must be gone before their control plane. Imports the provider's objects and what machine kinds
/// share.
@NullMarked
package dev.millwright.capi.machine.membership;

import org.jspecify.annotations.NullMarked;
