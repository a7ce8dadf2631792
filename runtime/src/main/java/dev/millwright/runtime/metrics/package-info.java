/// The metrics of a process and their families, as far as every operator has them. Imports no other
/// package of the shell.
@NullMarked
package dev.millwright.runtime.metrics;

import org.jspecify.annotations.NullMarked;
