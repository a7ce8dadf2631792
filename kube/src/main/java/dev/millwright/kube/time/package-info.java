/// Time as a thing one is given: what passes, and waiting for it. It imports nothing.
@NullMarked
package dev.millwright.kube.time;

import org.jspecify.annotations.NullMarked;
