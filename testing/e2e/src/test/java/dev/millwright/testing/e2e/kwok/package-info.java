/// Has one job: the kwok provider on a real API server.
@NullMarked
package dev.millwright.testing.e2e.kwok;

import org.jspecify.annotations.NullMarked;
