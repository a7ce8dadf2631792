/// What goes wrong in a world, each fault switchable, and until when.
@NullMarked
package dev.millwright.world.fault;

import org.jspecify.annotations.NullMarked;
