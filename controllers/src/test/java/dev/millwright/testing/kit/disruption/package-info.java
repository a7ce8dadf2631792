/// Has one job: a fleet of nodes in memory with the pass and the queue of disruption.
@NullMarked
package dev.millwright.testing.kit.disruption;

import org.jspecify.annotations.NullMarked;
