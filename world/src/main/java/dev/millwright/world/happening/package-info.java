/// What happens in a world, as values for those who watch.
@NullMarked
package dev.millwright.world.happening;

import org.jspecify.annotations.NullMarked;
