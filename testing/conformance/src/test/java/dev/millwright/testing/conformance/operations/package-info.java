/// Has one job: what an operator sets and sees: flags and variables, metrics, log and probes.
@NullMarked
package dev.millwright.testing.conformance.operations;

import org.jspecify.annotations.NullMarked;
