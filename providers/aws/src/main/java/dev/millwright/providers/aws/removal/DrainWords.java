package dev.millwright.providers.aws.removal;

import dev.millwright.controllers.pod.PodRules;
import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PodObject;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// Says of claims that are on their way out which pods they still wait for, and what keeps those.
final class DrainWords {

    /// Claims that are told of, each with a question to the server.
    private static final int CLAIMS_MAX = 10;

    private static final int PODS_MAX = 3;

    private final ClusterRemains cluster;
    private final ObjectReader reader = new ObjectReader(Ec2Labels.VOCABULARY);

    DrainWords(ClusterRemains cluster) {
        this.cluster = cluster;
    }

    /// One line a claim.
    List<String> lines(List<ClusterRemains.Thing> claims, Instant now) throws IOException {
        var budgets =
                new DisruptionBudgets(
                        cluster.budgets().stream()
                                .map(reader::disruptionBudget)
                                .map(Kept::value)
                                .toList());
        var lines = new ArrayList<String>();
        for (var claim : claims.subList(0, Math.min(CLAIMS_MAX, claims.size()))) {
            lines.add(line(claim, budgets, now));
        }
        if (claims.size() > CLAIMS_MAX) {
            lines.add("and %d more".formatted(claims.size() - CLAIMS_MAX));
        }
        return lines;
    }

    private String line(ClusterRemains.Thing claim, DisruptionBudgets budgets, Instant now)
            throws IOException {
        var node = claim.nodeName();
        if (node.isEmpty()) {
            return "%s has no node yet".formatted(claim.title());
        }
        var pods =
                cluster.podsOn(node).stream()
                        .map(reader::pod)
                        .filter(pod -> pod.nodeName().equals(node))
                        .filter(pod -> PodRules.isWaitingEviction(pod, now))
                        .sorted(Comparator.comparing(pod -> pod.meta().name()))
                        .toList();
        return "%s on %s %s".formatted(claim.title(), node, words(pods, budgets, now));
    }

    /// What keeps a pod stands before what merely takes its time.
    static String words(List<PodObject> pods, DisruptionBudgets budgets, Instant now) {
        if (pods.isEmpty()) {
            return "is empty; its instance ends";
        }
        var kept = new ArrayList<String>();
        var leaving = 0;
        for (var pod : pods) {
            var why = keeper(pod, budgets, now);
            if (why == null) {
                leaving++;
            } else {
                kept.add("pod %s %s".formatted(pod.meta().name(), why));
            }
        }
        var words = kept.stream().limit(PODS_MAX).collect(Collectors.toCollection(ArrayList::new));
        if (kept.size() > PODS_MAX) {
            words.add("%d more pods are kept so".formatted(kept.size() - PODS_MAX));
        }
        if (leaving > 0) {
            words.add(leaving == 1 ? "1 pod leaves" : "%d pods leave".formatted(leaving));
        }
        return "waits: " + String.join("; ", words);
    }

    private static @Nullable String keeper(PodObject pod, DisruptionBudgets budgets, Instant now) {
        if (pod.isDeleting()) {
            return null;
        }
        if (!PodRules.isDisruptable(pod, now)) {
            return "asks by %s to stay".formatted(LabelKeys.DO_NOT_DISRUPT);
        }
        return switch (budgets.atPresent(pod.pod())) {
            case DisruptionBudgets.Verdict.Free() -> null;
            case DisruptionBudgets.Verdict.Blocked(var budget) ->
                    "is kept by PodDisruptionBudget %s, which lets none go now".formatted(budget);
            case DisruptionBudgets.Verdict.Contested(var several) ->
                    "is chosen by several PodDisruptionBudgets, so that it cannot be evicted: "
                            + several.stream()
                                    .map(Object::toString)
                                    .collect(Collectors.joining(", "));
        };
    }
}
