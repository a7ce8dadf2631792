package dev.millwright.kube.record.value;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Writes deliberations one after another, each as what is new since the last one.
///
/// The bytes of one are the values nobody named before, and then itself, in which values are
/// numbers. [DeliberationReader] reads them in the same order from the first one on.
public final class DeliberationWriter {

    private final Dictionary dictionary = new Dictionary();
    private final Map<String, Rows.Written> rows = new HashMap<>();

    /// How many values were named so far: as much is held in memory.
    public int values() {
        return dictionary.size();
    }

    public byte[] write(Deliberation deliberation) {
        var body = dictionary.out();
        switch (deliberation) {
            case Deliberation.Provisioning(var problem, var plan) -> {
                body.text(Words.PROVISIONING);
                scheduling(body, problem);
                body.inline(PlanSpellings.PLAN, plan);
            }
            case Deliberation.Disruption(var asked, var decision) -> {
                body.text(Words.DISRUPTION);
                asked(body, asked);
                decision(body, decision);
            }
            case Deliberation.SecondLook(var problem, var commands, var validations) -> {
                body.text(Words.SECOND_LOOK);
                disruption(body, problem);
                body.list(DisruptionSpellings.COMMAND, commands);
                body.inline(DisruptionSpellings.VALIDATIONS, validations);
            }
        }
        var frame = new ValueOut(null);
        var fresh = dictionary.drain();
        frame.count(fresh.size());
        for (var bytes : fresh) {
            frame.count(bytes.length);
            frame.raw(bytes);
        }
        frame.raw(body.bytes());
        return frame.bytes();
    }

    private <T> void rows(ValueOut out, String place, Spelling<T> spelling, List<T> list) {
        rows.computeIfAbsent(place, _ -> new Rows.Written()).write(out, spelling, list, dictionary);
    }

    private void snapshot(ValueOut out, Snapshot snapshot) {
        out.instant(snapshot.takenAt());
        rows(out, "nodes", ClusterSpellings.STATE_NODE, snapshot.nodes());
        rows(out, "pods", PodSpellings.POD, snapshot.pods());
        rows(out, "daemonSets", ClusterSpellings.DAEMON_SET, snapshot.daemonSets());
        var namespaces = new ArrayList<ClusterSpellings.Namespace>();
        snapshot.namespaces()
                .forEach(
                        (name, labels) ->
                                namespaces.add(ClusterSpellings.Namespace.of(name, labels)));
        rows(out, "namespaces", ClusterSpellings.NAMESPACE, namespaces);
        var storage = snapshot.storage();
        rows(
                out,
                "volumeClaims",
                ClusterSpellings.VOLUME_CLAIM,
                List.copyOf(storage.claims().values()));
        rows(out, "volumes", ClusterSpellings.VOLUME, List.copyOf(storage.volumes().values()));
        rows(
                out,
                "storageClasses",
                ClusterSpellings.STORAGE_CLASS,
                List.copyOf(storage.classes().values()));
        rows(out, "budgets", ClusterSpellings.BUDGET, snapshot.disruptionBudgets());
        rows(out, "workloads", ClusterSpellings.WORKLOAD, snapshot.workloads());
    }

    private void scheduling(ValueOut out, SchedulingProblem problem) {
        snapshot(out, problem.snapshot());
        out.value(PolicySpellings.POOLS, problem.nodePools());
        out.map(CatalogSpellings.TYPES, problem.catalogs());
        out.value(PolicySpellings.POLICY, problem.policy());
        out.texts(problem.removed());
        out.flag(problem.isForced());
    }

    private void disruption(ValueOut out, DisruptionProblem problem) {
        scheduling(out, problem.scheduling());
        rows(out, "machines", DisruptionSpellings.MACHINE, problem.machines());
        out.map(PolicySpellings.RULES, problem.pools());
        out.flag(problem.isSpotToSpot());
        out.value(DisruptionSpellings.PAST, problem.past());
    }

    private void asked(ValueOut out, MethodCase asked) {
        disruption(out, asked.problem());
        out.constant(asked.method());
        out.value(PolicySpellings.OPTIONS, asked.options());
        var memory = asked.memory();
        kept(out, "held/" + asked.method(), memory.held());
        out.value(LabelSpellings.TEXTS, List.copyOf(memory.unseen()));
        out.map(DisruptionSpellings.COUNTS, memory.counts());
    }

    /// Allowances are worked out from the problem, and again where it is read.
    private void decision(ValueOut out, Decision decision) {
        out.list(DisruptionSpellings.COMMAND, decision.commands());
        kept(out, "kept/" + decision.method(), decision.kept());
        out.count(decision.eligible());
        out.flag(decision.isWithheld());
        out.value(DisruptionSpellings.SEARCH, decision.search());
    }

    private void kept(ValueOut out, String place, SequencedMap<String, KeepReason> nodes) {
        var list = new ArrayList<KeepReasonSpellings.Kept>(nodes.size());
        nodes.forEach((node, reason) -> list.add(new KeepReasonSpellings.Kept(node, reason)));
        rows(out, place, KeepReasonSpellings.KEPT, list);
    }
}
