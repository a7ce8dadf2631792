/// Has one job: to tell a shell and `man` what our commands are, from picocli's model of them. It
/// imports picocli, and nothing of the commands.
@NullMarked
package dev.millwright.cli.shell;

import org.jspecify.annotations.NullMarked;
