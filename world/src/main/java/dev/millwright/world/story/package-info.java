/// Has one job: to run a world to its end and tell what became of it; of one that failed, the
/// shortest story that still fails.
@NullMarked
package dev.millwright.world.story;

import org.jspecify.annotations.NullMarked;
