/// Has one job: the same problems to our planner and to the peer, and what they answer differently.
@NullMarked
package dev.millwright.testing.bench.differential;

import org.jspecify.annotations.NullMarked;
