/// A cluster in memory for tests of steps: an API server's memory, a cloud, and a clock one holds.
@NullMarked
package dev.millwright.testing.kit.cluster;

import org.jspecify.annotations.NullMarked;
