/// Has one job: that commands which only look at a cluster write nothing, on a real API server.
@NullMarked
package dev.millwright.testing.e2e.plan;

import org.jspecify.annotations.NullMarked;
