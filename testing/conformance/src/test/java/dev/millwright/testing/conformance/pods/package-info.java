/// When pods may be disturbed: annotations, budgets, owners, and where a pod is in its life.
@NullMarked
package dev.millwright.testing.conformance.pods;

import org.jspecify.annotations.NullMarked;
