/// Has one job: how objects of the machine kinds are marked, owned, compared and written. Imports
/// the kinds of this provider, the Kubernetes edge and the effects of a step.
@NullMarked
package dev.millwright.capi.machine.object;

import org.jspecify.annotations.NullMarked;
