/// Has one job: giving claims the label by which their class is found.
@NullMarked
package dev.millwright.controllers.nodeclaim.hydration;

import org.jspecify.annotations.NullMarked;
