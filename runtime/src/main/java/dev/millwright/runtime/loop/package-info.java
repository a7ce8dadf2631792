/// The shell around the steps on a real cluster: queues, threads and the execution of effects.
@NullMarked
package dev.millwright.runtime.loop;

import org.jspecify.annotations.NullMarked;
