/// Has one job: the life of a NodeClaim, from the launch of its machine over the registration and
/// initialisation of its node to the machine's end.
@NullMarked
package dev.millwright.controllers.nodeclaim.lifecycle;

import org.jspecify.annotations.NullMarked;
