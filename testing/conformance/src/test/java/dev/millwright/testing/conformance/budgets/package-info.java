/// How many nodes of a pool may be disrupted at once, and when.
@NullMarked
package dev.millwright.testing.conformance.budgets;

import org.jspecify.annotations.NullMarked;
