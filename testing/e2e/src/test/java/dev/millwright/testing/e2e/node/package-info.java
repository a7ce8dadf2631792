/// Draining nodes of a real API server: what its evictions and patches really answer.
@NullMarked
package dev.millwright.testing.e2e.node;

import org.jspecify.annotations.NullMarked;
