/// The command line: reads arguments, wires the parts, prints what they answer. Imports all
/// modules.
@NullMarked
package dev.millwright.cli;

import org.jspecify.annotations.NullMarked;
