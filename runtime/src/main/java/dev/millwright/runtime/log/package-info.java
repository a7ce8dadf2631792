/// Has one job: lines of a process's log, one JSON object each. Imports no other package of the
/// shell.
@NullMarked
package dev.millwright.runtime.log;

import org.jspecify.annotations.NullMarked;
