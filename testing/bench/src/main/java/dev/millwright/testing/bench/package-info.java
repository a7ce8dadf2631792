/// Measures our planner, alone and side by side with the peer. Imports everything; nothing imports
/// it.
@NullMarked
package dev.millwright.testing.bench;

import org.jspecify.annotations.NullMarked;
