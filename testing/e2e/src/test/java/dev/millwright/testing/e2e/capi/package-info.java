/// The Cluster API provider on a real API server, with core Cluster API's own definitions.
@NullMarked
package dev.millwright.testing.e2e.capi;

import org.jspecify.annotations.NullMarked;
