/// What a shadow tells of another controller's decisions.
@NullMarked
package dev.millwright.testing.conformance.shadow;

import org.jspecify.annotations.NullMarked;
