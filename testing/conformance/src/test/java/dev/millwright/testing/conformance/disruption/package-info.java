/// Which nodes go because nobody needs them, and which stay.
@NullMarked
package dev.millwright.testing.conformance.disruption;

import org.jspecify.annotations.NullMarked;
