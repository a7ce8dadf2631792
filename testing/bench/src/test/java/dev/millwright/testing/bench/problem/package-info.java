/// Tests of the problems' names, files and catalogues.
@org.jspecify.annotations.NullMarked
package dev.millwright.testing.bench.problem;
