package dev.millwright.testing.bench.fleet;

import dev.millwright.controllers.disruption.DisruptionQueue;
import dev.millwright.controllers.disruption.Survey;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.PastMoves;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.DocumentSink;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.bench.problem.FleetObjects;
import dev.millwright.testing.bench.problem.FleetObjects.Bought;
import dev.millwright.testing.kit.generator.PlainJson;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A fleet in the operator's caches, in which commands are carried out at once: nodes go, a new
/// node is the cheapest machine that the command allows, and pods are packed as planned.
final class StandingFleet {

    /// After all births; nothing here depends on the hour.
    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");

    private static final BigDecimal MILLIS_PER_UNIT = new BigDecimal(1_000);

    private final View view;
    private final Marks marks = new Marks();
    private final Survey survey;
    private final SchedulingPolicy policy;
    private final List<InstanceType> types;
    private final Map<String, InstanceType> typesByName = new HashMap<>();

    /// Nodes that a consolidation of the whole fleet bought: as nothing changes from outside, the
    /// operator would not move them again.
    private final TreeSet<String> settled = new TreeSet<>();

    private int bought;
    private int podsMoved;
    private int nodesGone;

    private StandingFleet(
            View view,
            List<InstanceType> types,
            SchedulingPolicy policy,
            Settings.Consolidation consolidation) {
        this.view = view;
        this.types = types;
        this.policy = policy;
        types.forEach(type -> typesByName.put(type.name(), type));
        survey =
                new Survey(
                        marks,
                        new DisruptionQueue(),
                        _ -> new CatalogAnswer.Types(types),
                        _ -> List.of(),
                        policy,
                        false,
                        consolidation);
    }

    static StandingFleet read(Path file, Settings.Consolidation consolidation) {
        var problem =
                new SnapshotReader(new CatalogueDefault(List::of, Ec2Labels.VOCABULARY))
                        .read(List.of(Source.file(file)))
                        .problem();
        var classKind =
                Kind.nodeClass(
                        new ResourceType(
                                FleetObjects.NODE_CLASS_GROUP,
                                "v1",
                                "ec2nodeclasses",
                                FleetObjects.NODE_CLASS_KIND,
                                false));
        var view =
                new View(
                        new ObjectReader(problem.policy().vocabulary()),
                        List.of(),
                        List.of(classKind));
        var fleet =
                new StandingFleet(
                        view,
                        problem.catalogs().firstEntry().getValue(),
                        problem.policy(),
                        consolidation);
        DocumentReader.read(Source.file(file), new Items(fleet));
        return fleet;
    }

    private record Items(StandingFleet fleet) implements DocumentSink {
        @Override
        public boolean isStreamed(String field) {
            return field.equals("items");
        }

        @Override
        public void element(String field, Value element) {
            fleet.put(element);
        }

        @Override
        public void document(Value document) {}
    }

    private void put(Value element) {
        if (!(element instanceof Value.Mapping object)) {
            throw new IllegalArgumentException("found %s; wanted an object".formatted(element));
        }
        var kind = object.text("kind");
        view.kinds().stream()
                .filter(each -> each.type().kind().equals(kind))
                .forEach(each -> view.cache(each).put(object));
    }

    private void put(Map<String, Object> object) {
        DocumentReader.readAll(Source.text("bought", PlainJson.text(object, false)))
                .forEach(this::put);
    }

    /// What the operator decides from, read from its caches.
    DisruptionProblem problem() {
        var problem = survey.of(view, NOW);
        return settled.isEmpty() ? problem : problem.withPast(new PastMoves(settled, Set.of()));
    }

    double pricePerHour() {
        var sum = 0.0;
        for (var machine : problem().machines()) {
            var type = typesByName.get(machine.instanceType());
            if (type == null) {
                throw new IllegalStateException(
                        "node %s is of unknown type %s"
                                .formatted(machine.name(), machine.instanceType()));
            }
            sum +=
                    type.offerings().stream()
                            .filter(each -> each.zone().equals(machine.zone()))
                            .filter(each -> each.capacityType().equals(machine.capacityType()))
                            .findFirst()
                            .orElseThrow()
                            .pricePerHour();
        }
        return sum;
    }

    int nodes() {
        return view.nodes().size();
    }

    int pods() {
        return view.pods().size();
    }

    int podsMoved() {
        return podsMoved;
    }

    int nodesGone() {
        return nodesGone;
    }

    int nodesBought() {
        return bought;
    }

    void carryOut(List<Command> commands) {
        var homeless = new TreeMap<String, Pod>();
        var going = new HashSet<String>();
        for (var command : commands) {
            for (var name : command.nodes()) {
                going.add(name);
                view.podsOn(name).forEach(pod -> homeless.put(pod.name().name(), pod.pod()));
            }
        }
        podsMoved += homeless.size();
        nodesGone += going.size();
        var snapshot = new ClusterState(marks).snapshot(view, NOW);
        for (var command : commands) {
            for (var replacement : command.replacements()) {
                if (replacement instanceof Replacement.Planned(var claim)) {
                    var name = buy(claim, homeless);
                    if (command.method().leavesWhatItBought()) {
                        settled.add(name);
                    }
                }
            }
        }
        settle(snapshot, going, homeless);
        for (var name : going) {
            forget(name);
        }
    }

    private String buy(PlannedClaim claim, Map<String, Pod> homeless) {
        bought++;
        var name = "bought-%05d".formatted(bought);
        var choice = claim.cheapest();
        var type = typesByName.get(choice.name());
        if (type == null) {
            throw new IllegalStateException("type %s is unknown".formatted(choice.name()));
        }
        var machine = new Bought(type, choice.zone(), choice.capacityType());
        put(FleetObjects.claim(name, machine));
        put(FleetObjects.node(name, machine));
        for (var pod : claim.pods()) {
            var moved = homeless.remove(pod.name());
            if (moved != null) {
                bind(moved, name);
            }
        }
        return name;
    }

    /// Pods for which nothing was bought go to nodes that were there, as a plan has it; should that
    /// fail, somebody would have to buy for them, and so do we.
    private void settle(Snapshot before, Set<String> going, Map<String, Pod> homeless) {
        if (homeless.isEmpty()) {
            return;
        }
        var pods = new ArrayList<Pod>();
        for (var pod : before.pods()) {
            if (!going.contains(pod.state().nodeName())) {
                pods.add(pod);
            }
        }
        homeless.values()
                .forEach(
                        pod ->
                                pods.add(
                                        pod.withState(
                                                PodState.WAITING.withOwners(
                                                        pod.state().owners()))));
        var plan =
                Planner.plan(
                        new SchedulingProblem(
                                before.withPods(pods)
                                        .withNodes(
                                                before.nodes().stream()
                                                        .filter(
                                                                each ->
                                                                        !going.contains(
                                                                                each.name()))
                                                        .toList()),
                                view.pools().stream().map(PoolObject::pool).toList(),
                                new TreeMap<>(Map.of("default", types)),
                                policy.withPacking(Packing.FIRST_FIT)));
        for (var placement : plan.existing()) {
            for (var pod : placement.pods()) {
                var moved = homeless.remove(pod.name());
                if (moved != null) {
                    bind(moved, placement.node());
                }
            }
        }
        plan.claims().forEach(claim -> buy(claim, homeless));
        if (!homeless.isEmpty()) {
            throw new IllegalStateException("pods %s have no place".formatted(homeless.keySet()));
        }
    }

    private void bind(Pod pod, String node) {
        put(
                FleetObjects.pod(
                        pod.name().name(),
                        pod.labels().getOrDefault(FleetObjects.APP, ""),
                        pod.requests()
                                .amount(Resources.CPU)
                                .toBigDecimal()
                                .multiply(MILLIS_PER_UNIT)
                                .longValueExact(),
                        pod.requests().amount(Resources.MEMORY).units(),
                        node));
    }

    private void forget(String name) {
        var node = view.node(name);
        var claim = view.claim(name);
        if (node == null || claim == null) {
            throw new IllegalStateException("node %s is not there".formatted(name));
        }
        view.cache(Kind.NODE).forget(node.meta().name(), node.meta().uid());
        view.cache(Kind.NODE_CLAIM).forget(claim.meta().name(), claim.meta().uid());
    }
}
