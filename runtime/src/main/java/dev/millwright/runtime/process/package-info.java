/// Has one job: an operator as one process, from its first cache to its last lease. Imports the
/// loops, the probes, the metrics and the log.
@NullMarked
package dev.millwright.runtime.process;

import org.jspecify.annotations.NullMarked;
