/// Leadership: a Lease that one process holds at a time, and the proof that it still does.
@NullMarked
package dev.millwright.kube.lease;

import org.jspecify.annotations.NullMarked;
