/// Has one job: running steps on a real cluster: queues, threads and the execution of effects.
/// Imports the steps, the metrics and levels of the log.
@NullMarked
package dev.millwright.runtime.loop;

import org.jspecify.annotations.NullMarked;
