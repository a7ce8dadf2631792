package dev.millwright.cli.plan;

import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.forecast.ForecastProblem;
import dev.millwright.core.forecast.ForecastProblem.Asked;
import dev.millwright.core.forecast.Pace;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.object.ClaimObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;

/// What a forecast assumes of the operator: the flags that it would be run with.
public record Outlook(
        Packing packing,
        double nodeFeePerHour,
        Settings.Consolidation consolidation,
        boolean isSpotToSpot) {

    public ForecastProblem problem(StandingCluster cluster) {
        var seen = cluster.problem(consolidation, isSpotToSpot);
        var disruption =
                new DisruptionProblem(
                        withNodeFee(asManifests(cluster.file().problem(), seen.scheduling())),
                        drifted(cluster, seen),
                        seen.pools(),
                        seen.isSpotToSpot());
        var policy =
                cluster.file().problem().policy().withPacking(packing).withNodeFee(nodeFeePerHour);
        return new ForecastProblem(
                disruption.scheduling().withPolicy(policy),
                disruption,
                DisruptionOptions.NONE,
                quietSince(cluster),
                asked(cluster),
                Pace.USUAL);
    }

    private SchedulingProblem withNodeFee(SchedulingProblem problem) {
        return problem.withPolicy(problem.policy().withNodeFee(nodeFeePerHour));
    }

    /// Manifests that no server has seen have neither pods of their workloads nor pools that say
    /// they are ready; the file's reader has both.
    private static SchedulingProblem asManifests(SchedulingProblem read, SchedulingProblem seen) {
        var snapshot = seen.snapshot();
        var names = new HashSet<ObjectName>();
        snapshot.pods().forEach(pod -> names.add(pod.name()));
        var pods = new ArrayList<>(snapshot.pods());
        read.snapshot().pods().stream()
                .filter(pod -> !names.contains(pod.name()))
                .forEach(pods::add);
        return new SchedulingProblem(
                new Snapshot(
                        snapshot.nodes(),
                        pods,
                        snapshot.daemonSets(),
                        snapshot.namespaces(),
                        read.snapshot().storage(),
                        snapshot.disruptionBudgets(),
                        snapshot.workloads(),
                        snapshot.takenAt()),
                read.nodePools(),
                read.catalogs(),
                seen.policy());
    }

    /// A policy that is only tried has made nobody look for drift yet.
    private static List<Machine> drifted(StandingCluster cluster, DisruptionProblem seen) {
        return seen.machines().stream()
                .map(
                        machine ->
                                Drifting.of(
                                        machine,
                                        cluster.view().pool(machine.nodePool()),
                                        seen.now()))
                .toList();
    }

    private static List<Asked> asked(StandingCluster cluster) {
        var vocabulary = cluster.file().problem().policy().vocabulary();
        return ClusterState.unanswered(cluster.view()).stream()
                .filter(claim -> !claim.isDeleting())
                .map(
                        claim ->
                                new Asked(
                                        claim.name().name(),
                                        claim.nodePool(),
                                        requirements(claim, vocabulary)))
                .toList();
    }

    private static Requirements requirements(ClaimObject claim, LabelVocabulary vocabulary) {
        return Requirements.of(
                claim.spec().requirements().stream()
                        .map(
                                each ->
                                        vocabulary.requirement(
                                                each.key(),
                                                each.operator(),
                                                each.minValues(),
                                                each.values()))
                        .toList());
    }

    private static TreeMap<String, Instant> quietSince(StandingCluster cluster) {
        var since = new TreeMap<String, Instant>();
        for (var claim : cluster.view().claims()) {
            var at = quietSince(claim);
            if (at != null) {
                cluster.view()
                        .nodesOf(claim.providerId())
                        .forEach(node -> since.put(node.name().name(), at));
            }
        }
        return since;
    }

    /// As consolidateAfter counts: from the last pod that came or went, else from the node's start.
    private static @Nullable Instant quietSince(ClaimObject claim) {
        var lastPodEventAt = claim.status().lastPodEventAt();
        var initialized = claim.conditions().find(ClaimObject.INITIALIZED);
        return lastPodEventAt != null || initialized == null
                ? lastPodEventAt
                : initialized.changedAt();
    }
}
