/// Has one job: clusters of older APIs that become ours, and back, on a real control plane.
@NullMarked
package dev.millwright.testing.e2e.migrate;

import org.jspecify.annotations.NullMarked;
