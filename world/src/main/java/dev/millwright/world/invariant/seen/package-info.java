/// Has one job: the cluster and its machines as the happenings of a world tell of them, and nothing
/// that the operator believes.
@NullMarked
package dev.millwright.world.invariant.seen;

import org.jspecify.annotations.NullMarked;
