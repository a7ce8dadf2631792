package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Works out how many pods of each PodDisruptionBudget may go.
final class DisruptionBudgets {

    private static final ResourceType TYPE = ResourceType.POD_DISRUPTION_BUDGET;

    /// How long a pod whose eviction was granted counts as gone though nobody has deleted it.
    private static final Duration GRANTED_FOR = Duration.ofMinutes(2);

    private final Ledger ledger;
    private final Agenda agenda;
    private final Writes writes;
    private final DirtyKeys<ObjectName> dirty;
    private final TreeMap<ObjectName, Members> budgets = new TreeMap<>();

    /// The pods a budget is about, as they are now.
    private record Members(Selector selector, Map<ObjectName, PodFacts> pods) {

        boolean put(PodFacts pod) {
            var isMeant = selector.matches(pod.labels());
            if (isMeant) {
                pods.put(pod.name(), pod);
            }
            return isMeant;
        }
    }

    DisruptionBudgets(Ledger ledger, Agenda agenda, WorkloadSettings settings) {
        this.ledger = ledger;
        this.agenda = agenda;
        this.writes = new Writes(ledger.store(), "disruption-controller");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::sync);
        ledger.watch(TYPE, (name, _, after) -> changed(name, after));
        ledger.watchPods(this::podChanged);
        for (var type :
                List.of(
                        ResourceType.DEPLOYMENT,
                        ResourceType.REPLICA_SET,
                        ResourceType.STATEFUL_SET)) {
            ledger.watch(type, (name, before, after) -> scaled(name, before, after));
        }
    }

    private void changed(ObjectName name, Value.@Nullable Mapping after) {
        var selector = Reading.selector(after, "spec", "selector");
        var known = budgets.get(name);
        if (after == null || selector == null) {
            budgets.remove(name);
        } else if (known == null || !known.selector().equals(selector)) {
            var members = new Members(selector, new TreeMap<>());
            ledger.podsIn(name.namespace()).forEach(members::put);
            budgets.put(name, members);
        }
        if (after != null) {
            dirty.mark(name);
        }
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        var pod = after == null ? before : after;
        if (pod == null || budgets.isEmpty()) {
            return;
        }
        var isNews = isNews(before, after);
        within(pod.name().namespace())
                .forEach(
                        (name, members) -> {
                            var was = members.pods().remove(pod.name()) != null;
                            var is = after != null && members.put(after);
                            if (isNews && (was || is)) {
                                dirty.mark(name);
                            }
                        });
    }

    private Map<ObjectName, Members> within(String namespace) {
        return budgets.subMap(new ObjectName(namespace, ""), new ObjectName(namespace + "\0", ""));
    }

    private static boolean isNews(@Nullable PodFacts before, @Nullable PodFacts after) {
        return before == null
                || after == null
                || before.isActive() != after.isActive()
                || before.isReady() != after.isReady()
                || !before.labels().equals(after.labels());
    }

    private void scaled(
            ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (!Objects.equals(
                Reading.number(before, "spec", "replicas"),
                Reading.number(after, "spec", "replicas"))) {
            within(name.namespace()).keySet().forEach(dirty::mark);
        }
    }

    private void sync(ObjectName name) {
        var budget = ledger.store().find(TYPE, name);
        if (budget == null) {
            return;
        }
        var members = budgets.get(name);
        var pods = members == null ? List.<PodFacts>of() : List.copyOf(members.pods().values());
        var granted = granted(name, budget);
        var healthy = 0;
        for (var pod : pods) {
            if (!pod.isDeleting() && pod.isReady() && !granted.containsKey(pod.name().name())) {
                healthy++;
            }
        }
        write(name, budget, bound(budget, pods), healthy, granted);
    }

    /// Evictions that were granted and whose pods are still to be deleted.
    private Map<String, Value> granted(ObjectName name, Value.Mapping budget) {
        var left = new LinkedHashMap<String, Value>();
        Reading.mapping(budget, "status", "disruptedPods")
                .fields()
                .forEach(
                        (podName, at) -> {
                            var pod = ledger.pod(new ObjectName(name.namespace(), podName));
                            var since = Reading.instant(at);
                            var end = since == null ? Instant.MIN : since.plus(GRANTED_FOR);
                            if (pod != null && !pod.isDeleting() && end.isAfter(agenda.instant())) {
                                left.put(podName, at);
                                dirty.markAt(name, end);
                            }
                        });
        return left;
    }

    /// How many pods there should be, and how many must be healthy; null where a pod's owner does
    /// not say how many it wants.
    private record Bound(int expected, int desired) {}

    private @Nullable Bound bound(Value.Mapping budget, List<PodFacts> pods) {
        var most = Reading.numberOrText(budget, "spec", "maxUnavailable");
        var least = Reading.numberOrText(budget, "spec", "minAvailable");
        if (most != null) {
            var expected = expected(pods);
            return expected < 0
                    ? null
                    : new Bound(expected, Math.max(0, expected - Share.roundedUp(most, expected)));
        }
        if (least == null || !Share.isPercentage(least)) {
            return new Bound(pods.size(), least == null ? 0 : Share.roundedUp(least, 0));
        }
        var expected = expected(pods);
        return expected < 0 ? null : new Bound(expected, Share.roundedUp(least, expected));
    }

    /// The sum of what the pods' owners want, or -1.
    private int expected(List<PodFacts> pods) {
        var scales = new HashMap<String, Scale>();
        for (var pod : pods) {
            var owner = pod.controller();
            if (owner == null) {
                continue; // Nobody wants a number of these.
            }
            if (!scales.containsKey(owner.uid())) {
                var scale = scale(pod.name().namespace(), owner);
                if (scale == null) {
                    return -1;
                }
                scales.put(owner.uid(), scale);
            }
        }
        return scales.values().stream().distinct().mapToInt(Scale::replicas).sum();
    }

    private record Scale(String uid, int replicas) {}

    private @Nullable Scale scale(String namespace, PodFacts.Controller owner) {
        var type =
                switch (owner.kind()) {
                    case "ReplicaSet" -> ResourceType.REPLICA_SET;
                    case "StatefulSet" -> ResourceType.STATEFUL_SET;
                    case "ReplicationController" -> ResourceType.REPLICATION_CONTROLLER;
                    case "Deployment" -> ResourceType.DEPLOYMENT;
                    default -> null;
                };
        var object =
                type == null
                        ? null
                        : ledger.store().find(type, new ObjectName(namespace, owner.name()));
        if (object == null) {
            return null;
        }
        var above = PodFacts.controller(Reading.mapping(object, "metadata"));
        if (above != null && above.kind().equals("Deployment")) {
            return scale(namespace, above);
        }
        return new Scale(
                Reading.text(object, "metadata", "uid"),
                Reading.number(1, object, "spec", "replicas"));
    }

    private void write(
            ObjectName name,
            Value.Mapping budget,
            @Nullable Bound bound,
            int healthy,
            Map<String, Value> granted) {
        var expected = bound == null ? 0 : bound.expected();
        var desired = bound == null ? 0 : bound.desired();
        var allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
        var generation = Reading.number(0, budget, "metadata", "generation");
        var status = Reading.mapping(budget, "status");
        var old = Reading.mapping(status, "disruptedPods").fields();
        if (Reading.number(-1, status, "expectedPods") == expected
                && Reading.number(-1, status, "currentHealthy") == healthy
                && Reading.number(-1, status, "desiredHealthy") == desired
                && Reading.number(-1, status, "disruptionsAllowed") == allowed
                && Reading.number(0, status, "observedGeneration") == generation
                && old.keySet().equals(granted.keySet())) {
            return;
        }
        var map = Tree.of();
        old.keySet().forEach(map::putNothing);
        granted.forEach(map::put);
        var condition =
                Tree.of("type", "DisruptionAllowed")
                        .put("status", allowed > 0 ? "True" : "False")
                        .put("reason", reason(bound, allowed))
                        .put("message", "")
                        .put("observedGeneration", generation)
                        .put(
                                "lastTransitionTime",
                                agenda.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        var body =
                Tree.of()
                        .put("expectedPods", expected)
                        .put("currentHealthy", healthy)
                        .put("desiredHealthy", desired)
                        .put("disruptionsAllowed", allowed)
                        .put("observedGeneration", generation)
                        .putList("conditions", Writes.conditions(budget, condition));
        writes.status(TYPE, name, map.isEmpty() ? body : body.put("disruptedPods", map));
    }

    private static String reason(@Nullable Bound bound, int allowed) {
        if (bound == null) {
            return "SyncFailed";
        }
        return allowed > 0 ? "SufficientPods" : "InsufficientPods";
    }
}
