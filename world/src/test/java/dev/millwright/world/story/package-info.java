/// Worlds are played, sound ones and sabotaged ones.
@NullMarked
package dev.millwright.world.story;

import org.jspecify.annotations.NullMarked;
