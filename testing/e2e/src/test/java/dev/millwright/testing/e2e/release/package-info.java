/// Shows that the steps of a release do what their names say, on a copy of what they change.
@NullMarked
package dev.millwright.testing.e2e.release;

import org.jspecify.annotations.NullMarked;
