/// Has one job: what `millwright migrate` does with files and clusters of older APIs or other
/// autoscalers. It shows texts and maps; the command prints them.
@NullMarked
package dev.millwright.cli.migrate;

import org.jspecify.annotations.NullMarked;
