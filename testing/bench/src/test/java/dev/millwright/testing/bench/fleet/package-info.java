/// Tests of the runs over fleets and of what is told of them.
@org.jspecify.annotations.NullMarked
package dev.millwright.testing.bench.fleet;
