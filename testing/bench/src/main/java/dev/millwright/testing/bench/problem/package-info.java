/// The benchmark's problems, made from names alone. Imports the kit and the simulated cloud's
/// catalogue.
@NullMarked
package dev.millwright.testing.bench.problem;

import org.jspecify.annotations.NullMarked;
