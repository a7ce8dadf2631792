package dev.millwright.core.explain;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.scheduling.SchedulingProblem;

/// A change to one object that a person could make, and what the cluster would be with it.
public sealed interface Change permits PodChange, PoolChange {

    /// How much is asked of the person, for changes of equal number: the least comes first.
    double effort();

    /// What it is about: two changes of one topic are no choice between two ways.
    String topic();

    /// What to do, in words that need no manual.
    String describe();

    /// The problem as it would be.
    default SchedulingProblem applied(SchedulingProblem problem, Pod pod) {
        return switch (this) {
            case PodChange change ->
                    problem.withSnapshot(
                            problem.snapshot()
                                    .withPods(
                                            problem.snapshot().pods().stream()
                                                    .map(
                                                            each ->
                                                                    each.name().equals(pod.name())
                                                                            ? change.on(each)
                                                                            : each)
                                                    .toList()));
            case PoolChange change ->
                    problem.withNodePools(
                            problem.nodePools().stream()
                                    .map(
                                            each ->
                                                    each.name().equals(change.nodePool())
                                                            ? change.on(each)
                                                            : each)
                                    .toList());
        };
    }

    /// The object that is changed, e.g. `NodePool general`.
    default String object(Pod pod) {
        return switch (this) {
            case PodChange _ -> "Pod " + pod.name();
            case PoolChange change -> "NodePool " + change.nodePool();
        };
    }
}
