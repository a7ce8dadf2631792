/// What a controller is: a function from the cluster, a key and the time to effects. Whoever runs
/// it, on a real cluster or in a simulated world, executes them. Imports the metrics and levels of
/// the log, the views of kube, and names of objects.
@NullMarked
package dev.millwright.runtime.step;

import org.jspecify.annotations.NullMarked;
