/// What controllers make of NodePools: readiness, faults, hashes, counts, health.
@NullMarked
package dev.millwright.testing.conformance.nodepools;

import org.jspecify.annotations.NullMarked;
