/// Taking nodes away: draining, eviction, volumes, machines, and the repair of broken nodes.
@NullMarked
package dev.millwright.testing.conformance.termination;

import org.jspecify.annotations.NullMarked;
