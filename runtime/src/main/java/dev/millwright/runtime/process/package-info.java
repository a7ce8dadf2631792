/// Has one job: the process as its surroundings see it: probes, scrapes, profiles and memory.
/// Imports the log and the metrics.
@NullMarked
package dev.millwright.runtime.process;

import org.jspecify.annotations.NullMarked;
