/// All chance of a world, from one seed.
@NullMarked
package dev.millwright.world.chance;

import org.jspecify.annotations.NullMarked;
