/// Runs what we ship on a real API server, scheduler, controller manager and kwok, and looks at
/// what happens there.
///
/// The processes are started by `control-plane/cluster.sh`, which the peer's suites and the
/// measurements share. May import all modules.
@NullMarked
package dev.millwright.testing.e2e;

import org.jspecify.annotations.NullMarked;
