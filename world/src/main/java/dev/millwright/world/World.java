package dev.millwright.world;

import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.providers.sim.cloud.SimCloud;
import dev.millwright.providers.sim.cloud.SimCloudProvider;
import dev.millwright.providers.sim.cloud.SimEvent;
import dev.millwright.providers.sim.cloud.SimSettings;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cloud.CloudFaults;
import dev.millwright.world.cloud.CloudLine;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.fault.Weather;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.operator.Replica;
import dev.millwright.world.operator.SharedReading;
import dev.millwright.world.operator.Surroundings;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.store.Collector;
import dev.millwright.world.time.Agenda;
import dev.millwright.world.workload.ControlPlane;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A cluster, its nodes, a cloud and the operator in one process, on virtual time, from one seed.
///
/// One thread owns it. Time passes by [#run]; between two calls whoever owns it may write to the
/// store as a user would.
public final class World {

    /// How long it takes until what lost its owner is collected.
    private static final Duration COLLECTED_MIN = Duration.ofMillis(20);

    private static final Duration COLLECTED_MAX = Duration.ofSeconds(1);

    private static final double FLAPS_PER_HOUR = 2;
    private static final Duration FLAP_MIN = Duration.ofSeconds(20);
    private static final Duration FLAP_MAX = Duration.ofMinutes(8);

    private final WorldSettings settings;
    private final Agenda agenda;
    private final Chance chance;
    private final ApiStore store;
    private final ControlPlane cluster;
    private final CloudLine cloud;
    private final Weather weather;
    private final Witness witness;
    private final List<Replica> replicas = new ArrayList<>();

    /// `witness` sees everything from the first moment on.
    public World(WorldSettings settings, Witness witness) {
        this.settings = settings;
        this.witness = witness;
        this.agenda = new Agenda(settings.start());
        this.chance = Chance.of(settings.seed());
        this.store = new ApiStore(agenda, chance);
        store.listen(this::changed);
        var collecting = chance.stream("collector");
        new Collector(store, agenda, () -> collecting.between(COLLECTED_MIN, COLLECTED_MAX));
        this.cluster =
                new ControlPlane(
                        store, agenda, chance.stream("cluster"), ControlPlane.Settings.usual());
        var calmAt = settings.start().plus(settings.calmAfter());
        this.weather = new Weather(settings.faults(), agenda, calmAt);
        this.cloud = opened();
        var surroundings =
                new Surroundings(
                        agenda,
                        store,
                        cloud,
                        traits(),
                        settings.operator(),
                        weather,
                        chance,
                        SharedReading.of(traits()),
                        witness);
        replicas.add(new Replica(surroundings, "a"));
        if (settings.faults().contains(Fault.LEADER_CHANGE)) {
            replicas.add(new Replica(surroundings, "b"));
        }
        replicas.forEach(Replica::start);
        bookFlap();
        agenda.at(calmAt, () -> cloud.change(calm()));
    }

    /// What machines and labels are in this world: EC2's.
    public static CloudTraits traits() {
        return SimCloudProvider.ec2Traits(List.of(KwokNodeClass.KIND));
    }

    private CloudLine opened() {
        var faulty = CloudFaults.of(calm(), settings.faults());
        var simulated =
                new SimCloud(
                        faulty,
                        settings.types(),
                        Ec2Labels.VOCABULARY,
                        KwokNodeClass.asking(name -> store.read(KwokNodeClass.TYPE, name)),
                        agenda.instant());
        return new CloudLine(simulated, agenda, witness, this::happened);
    }

    private SimSettings calm() {
        return settings.cloud().withSeed(settings.seed());
    }

    /// What happens to machines happens to their kubelets.
    private void happened(SimEvent event) {
        switch (event) {
            case SimEvent.Joined(_, var machine, var claim) ->
                    cluster.kubelets().join(machine, claim);
            case SimEvent.Stopped(_, var providerId, _) -> cluster.kubelets().die(providerId);
            case SimEvent.Started _, SimEvent.Noticed _ -> {}
        }
    }

    private void changed(
            String by,
            ResourceType type,
            Value.@Nullable Mapping before,
            Value.@Nullable Mapping after) {
        witness.saw(new Happening.Changed(agenda.instant(), by, type, before, after));
        replicas.forEach(replica -> replica.changed(type));
    }

    private void bookFlap() {
        if (weather.has(Fault.NODE_FLAP)) {
            var flaps = chance.stream("flaps");
            agenda.after(flaps.until(FLAPS_PER_HOUR), () -> flap(flaps));
        }
    }

    private void flap(Chance flaps) {
        if (!weather.allows(Fault.NODE_FLAP)) {
            return;
        }
        var nodes =
                store.all(ResourceType.NODE).stream()
                        .map(node -> Metadata.of(node).name().name())
                        .filter(cluster.kubelets()::isHeard)
                        .toList();
        if (!nodes.isEmpty()) {
            var node = flaps.pick(nodes);
            var length = flaps.between(FLAP_MIN, FLAP_MAX);
            witness.saw(
                    new Happening.Struck(
                            agenda.instant(),
                            Fault.NODE_FLAP.word(),
                            "%s for %s".formatted(node, length)));
            cluster.kubelets().flap(node, length);
        }
        agenda.after(flaps.until(FLAPS_PER_HOUR), () -> flap(flaps));
    }

    /// Lets time pass.
    public void run(Duration time) {
        runUntil(agenda.instant().plus(time));
    }

    public void runUntil(Instant end) {
        agenda.runUntil(end);
    }

    public Instant now() {
        return agenda.instant();
    }

    public Agenda agenda() {
        return agenda;
    }

    /// A stream of chance of its own for whoever brings life into the world.
    public Chance chance(String name) {
        return chance.stream(name);
    }

    public ApiStore store() {
        return store;
    }

    public CloudLine cloud() {
        return cloud;
    }

    public ControlPlane cluster() {
        return cluster;
    }

    public List<Replica> replicas() {
        return List.copyOf(replicas);
    }

    public WorldSettings settings() {
        return settings;
    }
}
