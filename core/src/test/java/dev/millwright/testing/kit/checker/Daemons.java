package dev.millwright.testing.kit.checker;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;

import java.util.List;

/// Which daemons come with a node, and what they take of it.
final class Daemons {

    private Daemons() {}

    private static List<Pod> representatives(Facts facts) {
        var snapshot = facts.problem().snapshot();
        return snapshot.daemonSets().stream()
                .map(daemonSet -> daemonSet.representative(snapshot.pods()))
                .filter(
                        daemon ->
                                !(daemon.hasResourceClaims()
                                        && facts.problem().policy().ignoresResourceClaims()))
                .toList();
    }

    /// Daemons of a new node: any one of the required terms may bring a daemon there.
    static List<Pod> of(Facts facts, NodePool pool, InstanceType type) {
        var vocabulary = facts.vocabulary();
        var promised = pool.nodeRequirements(vocabulary);
        return representatives(facts).stream()
                .filter(
                        daemon ->
                                Demands.untolerated(daemon, pool.template().taints(), true) == null)
                .filter(
                        daemon ->
                                Demands.alternatives(daemon, vocabulary).stream()
                                        .anyMatch(
                                                wanted ->
                                                        promised.isCompatible(
                                                                        wanted,
                                                                        vocabulary.wellKnown())
                                                                && type.requirements()
                                                                        .intersects(wanted)))
                .toList();
    }

    /// Daemons of a node that is there: its labels are what they are, and the first required term
    /// decides.
    static List<Pod> of(Facts facts, StateNode node) {
        var labels = facts.vocabulary().labels(node.labels());
        return representatives(facts).stream()
                .filter(daemon -> Demands.untolerated(daemon, node.taints(), true) == null)
                .filter(
                        daemon ->
                                labels.isCompatible(
                                        Demands.first(daemon, facts.vocabulary()),
                                        Demands.NOTHING_UNDEFINED))
                .toList();
    }

    static Resources requests(List<Pod> pods) {
        var sum = Resources.NONE;
        for (var pod : pods) {
            sum = sum.plus(pod.requests());
        }
        return sum;
    }
}
