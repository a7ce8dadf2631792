/// Consolidates the same fleets by our methods and by the peer's, and reports. Imports
/// [dev.millwright.testing.bench.problem], the tools of [dev.millwright.testing.bench.comparison]
/// and what it measures.
@NullMarked
package dev.millwright.testing.bench.fleet;

import org.jspecify.annotations.NullMarked;
