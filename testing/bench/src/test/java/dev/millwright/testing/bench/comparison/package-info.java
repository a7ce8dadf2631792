/// Tests of what the comparison says about figures.
@org.jspecify.annotations.NullMarked
package dev.millwright.testing.bench.comparison;
