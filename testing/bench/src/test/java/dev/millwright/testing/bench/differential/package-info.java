/// Tests of what a comparison with the peer says.
@org.jspecify.annotations.NullMarked
package dev.millwright.testing.bench.differential;
