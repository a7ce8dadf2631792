/// Has one job: overlays change what machines cost and hold, all or nothing.
@NullMarked
package dev.millwright.testing.conformance.overlay;

import org.jspecify.annotations.NullMarked;
