/// What we know of the cluster: derived from the caches anew each time, so that there is nothing to
/// fall behind, and the few things that no object says.
@NullMarked
package dev.millwright.testing.conformance.state;

import org.jspecify.annotations.NullMarked;
