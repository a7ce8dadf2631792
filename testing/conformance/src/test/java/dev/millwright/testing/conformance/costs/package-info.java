/// What pools cost by the hour.
@NullMarked
package dev.millwright.testing.conformance.costs;

import org.jspecify.annotations.NullMarked;
