/// Has one job: an explanation in the words and keys of the command line. Imports core.
@NullMarked
package dev.millwright.cli.explain;

import org.jspecify.annotations.NullMarked;
