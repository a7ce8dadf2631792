/// Shows that the steps of a release do what their names say: what they change on a copy of it, and
/// a whole release in a clone.
@NullMarked
package dev.millwright.testing.e2e.release;

import org.jspecify.annotations.NullMarked;
