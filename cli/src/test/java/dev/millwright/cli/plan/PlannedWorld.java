package dev.millwright.cli.plan;

import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.forecast.Forecast;
import dev.millwright.core.forecast.Forecaster;
import dev.millwright.core.forecast.Purchase;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.world.World;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.scenario.Plot;
import dev.millwright.world.scenario.Scenario;
import dev.millwright.world.scenario.Scenarios;
import dev.millwright.world.scenario.Users;
import dev.millwright.world.store.StoreApi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A cluster from a seed, what is forecast for it at a moment, and what then becomes of it when
/// nobody does anything any more. Seeds that are odd are packed by the default, the others as
/// Karpenter would.
final class PlannedWorld {

    /// Kinds of life that do not go on by themselves: no jobs that end, no rollouts, no machines
    /// that are taken back or grow old.
    private static final List<String> SCENARIOS =
            List.of("steady", "morning-rise", "many-pools", "fleet-drift");

    private static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-east-1c");
    private static final Pattern TYPES = Pattern.compile("([cmr]6i|[cmr]7a)\\.(large|[24]?xlarge)");
    private static final Duration LENGTH = Duration.ofMinutes(20);

    /// By then nothing moves any more.
    private static final Duration REST = Duration.ofMinutes(100);

    /// So long after users changed their minds the cluster is looked at: pods have come and gone,
    /// and the operator has not begun anything that only it remembers.
    private static final Duration NOTICED = Duration.ofSeconds(2);

    static final List<InstanceType> MACHINES =
            Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT.withZones(ZONES)).stream()
                    .filter(type -> TYPES.matcher(type.name()).matches())
                    .toList();

    /// The fleet by kind of node, and how many pods wait.
    record End(TreeMap<String, Integer> fleet, long waiting) {}

    /// What was foretold and what came.
    record Comparison(
            long seed, String scenario, End before, End foretold, End came, Forecast forecast) {
        boolean isEqual() {
            return foretold.equals(came);
        }

        boolean isIdle() {
            return before.equals(came);
        }

        @Override
        public String toString() {
            return "seed %d (%s)%n  before   %s%n  foretold %s%n  came     %s%n  actions %s"
                    .formatted(seed, scenario, before, foretold, came, forecast.actions());
        }
    }

    private PlannedWorld() {}

    static Comparison of(long seed) {
        return of(seed, _ -> {});
    }

    /// @param witness sees what happens in the world
    static Comparison of(long seed, Witness witness) {
        var chance = Chance.of(seed).stream("plan");
        var scenario = scenario(chance);
        var packing = seed % 2 == 0 ? Packing.FIRST_FIT : Packing.CHEAPEST;
        var operator = WorldSettings.operator(Map.of("packing", packing.text()));
        var world = new World(WorldSettings.of(seed, MACHINES).withOperator(operator), witness);
        var script = scenario.script(new Plot(chance, chance.between(20, 80), LENGTH));
        var until = chance.between(Duration.ofMinutes(3), LENGTH);
        var lines =
                script.lines().stream().filter(line -> line.at().compareTo(until) <= 0).toList();
        new Users(
                        new Users.Reach(
                                write -> world.store().write("user", write),
                                () ->
                                        world.store().all(ResourceType.NODE).stream()
                                                .map(node -> Metadata.of(node).name())
                                                .toList(),
                                world.cloud()::publish))
                .play(script.with(lines), world.agenda());
        world.run(until.plus(REST));
        jolt(world, chance);
        world.run(NOTICED);
        var cluster = look(world);
        var before = end(cluster.view());
        var forecast = Forecaster.forecast(outlook(packing).problem(cluster));
        world.run(REST);
        return new Comparison(
                seed, scenario.name(), before, end(forecast), end(look(world).view()), forecast);
    }

    private static Outlook outlook(Packing packing) {
        return new Outlook(packing, 0, Settings.Consolidation.KARPENTER, false);
    }

    /// Users change their minds about some of their workloads, so that there is something to do.
    private static void jolt(World world, Chance chance) {
        for (var deployment : world.store().all(ResourceType.DEPLOYMENT)) {
            if (chance.happens(0.6)) {
                var replicas =
                        Objects.requireNonNullElse(
                                Reading.number(deployment, "spec", "replicas"), 1L);
                var wanted = Math.round(replicas * chance.between(0, 180) / 100.0);
                world.store()
                        .write(
                                "user",
                                new ApiWrite.Patch(
                                        ResourceType.DEPLOYMENT,
                                        Metadata.of(deployment).name(),
                                        PatchKind.MERGE,
                                        Subresource.NONE,
                                        Tree.of("spec", Tree.of().put("replicas", wanted))
                                                .mapping()));
            }
        }
    }

    private static Scenario scenario(Chance chance) {
        var found = Scenarios.find(chance.pick(SCENARIOS));
        if (found == null) {
            throw new IllegalStateException("a scenario of %s is gone".formatted(SCENARIOS));
        }
        return found;
    }

    private static StandingCluster look(World world) {
        try {
            var objects = SnapshotReader.objects(new StoreApi(world.store(), "planner"), List.of());
            var reader =
                    new SnapshotReader(new CatalogueDefault(() -> MACHINES, Ec2Labels.VOCABULARY));
            return StandingCluster.of(reader.read("world", objects), objects, world.now());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static End end(Forecast forecast) {
        var fleet = new TreeMap<String, Integer>();
        forecast.after().nodes().forEach(node -> fleet.merge(kind(node), 1, Integer::sum));
        return new End(fleet, forecast.after().waiting());
    }

    private static String kind(Purchase node) {
        return String.join(
                " ", node.nodePool(), node.instanceType(), node.zone(), node.capacityType());
    }

    private static End end(View view) {
        var fleet = new TreeMap<String, Integer>();
        for (var claim : view.claims()) {
            if (!claim.isDeleting()) {
                fleet.merge(kind(claim), 1, Integer::sum);
            }
        }
        var waiting =
                view.pods().stream()
                        .map(pod -> pod.pod().state())
                        .filter(PodState::isActive)
                        .filter(state -> !state.isBound() && !state.isOwnedByDaemonSet())
                        .count();
        return new End(fleet, waiting);
    }

    private static String kind(ClaimObject claim) {
        var meta = claim.meta();
        return String.join(
                " ",
                claim.nodePool(),
                meta.label(LabelKeys.INSTANCE_TYPE),
                meta.label(LabelKeys.ZONE),
                meta.label(LabelKeys.CAPACITY_TYPE));
    }
}
