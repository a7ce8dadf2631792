/// The cluster as its own controllers and nodes see it: every object read once, at the moment it is
/// written. It imports only `store`, `time` and `chance` of the world.
@NullMarked
package dev.millwright.world.cluster;

import org.jspecify.annotations.NullMarked;
