package dev.millwright.testing.bench.differential;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Plan.ExistingPlacement;
import dev.millwright.testing.kit.checker.PlanChecker;
import dev.millwright.testing.kit.checker.Violation.Rule;
import dev.millwright.testing.kit.generator.Snapshots;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// A difference we want. Each has an entry of the same name in `docs/compatibility.md`, and is
/// recognised by what the document holds and how the answers differ; whatever it recognises is
/// counted and not reported.
record KnownDifference(String name, Predicate<Judgement> explains) {

    static final List<KnownDifference> ALL =
            List.of(
                    new KnownDifference(
                            "a-demand-that-contradicts-itself-is-never-met",
                            KnownDifference::isContradiction),
                    new KnownDifference(
                            "a-node-without-the-label-does-not-meet-a-demand",
                            KnownDifference::isUnmetByPeer),
                    new KnownDifference("claim-ties", KnownDifference::isMoreByLuckOfTies));

    private static final Set<Rule> DEMANDS = EnumSet.of(Rule.REQUIREMENTS, Rule.TOPOLOGY_KEY);

    /// Differences that a pod placed elsewhere, or not at all, brings with it.
    private static boolean isPlacement(Judgement judgement) {
        return judgement.firstFit() != null && !judgement.differsIn(Difference.Kind.BROKEN);
    }

    /// Whether we say so of a pod, or the peer buys a node without a label for a pod that demands a
    /// value of it: it has added the pod's wish to the demand, and nothing was left of both.
    private static boolean isContradiction(Judgement judgement) {
        return isSaidByUs(judgement)
                || (isPlacement(judgement)
                        && Snapshots.problem(judgement.document()).snapshot().pods().stream()
                                .anyMatch(pod -> isBoughtWithoutDemand(judgement.peer(), pod)));
    }

    private static boolean isBoughtWithoutDemand(PeerAnswer peer, Pod pod) {
        var placement = pod.placement();
        var demands = new TreeSet<>(placement.nodeSelector().keySet());
        for (var term : placement.nodeAffinity().required()) {
            for (var expression : term.expressions()) {
                if (!expression.isComplement() && !expression.values().isEmpty()) {
                    demands.add(expression.key());
                }
            }
        }
        return demands.stream().anyMatch(key -> peer.buysWithout(key, pod.name().toString()));
    }

    /// Whether all there is to say is that the peer, whose answers to this document differ, leaves
    /// pods waiting in each of those seen which our plan places by the rules.
    private static boolean isMoreByLuckOfTies(Judgement judgement) {
        return isPlacement(judgement)
                && !judgement.peer().isSteady()
                && judgement.differences().stream()
                        .allMatch(difference -> difference.kind() == Difference.Kind.PEER_WAITS);
    }

    private static boolean isSaidByUs(Judgement judgement) {
        var ours = judgement.firstFit();
        return ours != null
                && isPlacement(judgement)
                && ours.plan().waiting().stream()
                        .anyMatch(
                                waiting ->
                                        waiting.reason().explain().contains("contradicts itself"));
    }

    /// Whether the peer, in one of its moods, put a pod on an existing node that does not meet what
    /// the pod demands.
    private static boolean isUnmetByPeer(Judgement judgement) {
        return isPlacement(judgement)
                && judgement.peer().existing().stream()
                        .anyMatch(places -> breaksDemands(judgement, places));
    }

    private static boolean breaksDemands(Judgement judgement, Map<String, List<String>> places) {
        var existing = new ArrayList<ExistingPlacement>();
        places.forEach(
                (node, pods) ->
                        existing.add(
                                new ExistingPlacement(
                                        node, pods.stream().map(KnownDifference::name).toList())));
        var plan = new Plan(List.of(), existing, List.of(), 0, 0, Packing.FIRST_FIT);
        return PlanChecker.check(Snapshots.problem(judgement.document()), plan).stream()
                .anyMatch(violation -> DEMANDS.contains(violation.rule()));
    }

    private static ObjectName name(String text) {
        var slash = text.indexOf('/');
        return new ObjectName(text.substring(0, slash), text.substring(slash + 1));
    }
}
