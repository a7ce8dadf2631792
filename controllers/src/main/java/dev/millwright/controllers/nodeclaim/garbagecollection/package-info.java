/// Has one job: deleting claims whose machine the cloud does not have any more.
@NullMarked
package dev.millwright.controllers.nodeclaim.garbagecollection;

import org.jspecify.annotations.NullMarked;
