/// Reboots the machines of claims that are to be: makes pods leave, asks the cloud, and waits for
/// the node to come back.
@NullMarked
package dev.millwright.controllers.nodeclaim.reboot;

import org.jspecify.annotations.NullMarked;
