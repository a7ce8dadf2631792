/// What a process shows of itself: probes, metrics and profiles by HTTP, and who may read them.
/// Imports the log, the metrics and the loops.
@NullMarked
package dev.millwright.runtime.probe;

import org.jspecify.annotations.NullMarked;
