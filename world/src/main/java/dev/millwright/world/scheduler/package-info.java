/// A kube-scheduler: filters, scores and binds as the real one does. It judges what the planner of
/// the operator foresees, so that its rules are written on their own and use nothing of
/// `core.scheduling`.
@NullMarked
package dev.millwright.world.scheduler;

import org.jspecify.annotations.NullMarked;
