/// Has one job: what the definitions of our custom resources accept, refuse and fill in, asked of a
/// real API server.
@NullMarked
package dev.millwright.testing.e2e.crd;

import org.jspecify.annotations.NullMarked;
