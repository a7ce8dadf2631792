/// Has one job: telling when a node is much smaller than the machine its claim was promised.
@NullMarked
package dev.millwright.controllers.nodeclaim.consistency;

import org.jspecify.annotations.NullMarked;
