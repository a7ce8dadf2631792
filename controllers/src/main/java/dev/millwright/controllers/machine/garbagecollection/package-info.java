/// Ends machines that no claim stands for.
@NullMarked
package dev.millwright.controllers.machine.garbagecollection;

import org.jspecify.annotations.NullMarked;
