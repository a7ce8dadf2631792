/// The operator in a world: replicas that watch, elect and act as the real process does, the same
/// steps on virtual time.
@NullMarked
package dev.millwright.world.operator;

import org.jspecify.annotations.NullMarked;
