/// Runs our planner and the peer on the same problems and reports. Imports
/// [dev.millwright.testing.bench.problem] and what it measures.
@NullMarked
package dev.millwright.testing.bench.comparison;

import org.jspecify.annotations.NullMarked;
