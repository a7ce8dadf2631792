package dev.millwright.providers.sim.cloud;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.sim.KwokCatalogue;
import dev.millwright.providers.sim.NodeClassState;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Words for tests of the simulated cloud: claims, and a cloud with a clock beside it.
final class Script {

    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    static final String TYPE = "c-1x-amd64-linux";

    private static final List<InstanceType> TYPES = KwokCatalogue.instanceTypes();

    final SimCloud cloud;
    Instant now = NOON;

    Script(SimSettings settings) {
        this(settings, NodeClassState.Lookup.ALL_READY);
    }

    Script(SimSettings settings, NodeClassState.Lookup classes) {
        cloud = new SimCloud(settings, TYPES, KwokCatalogue.VOCABULARY, classes, NOON);
    }

    void pass(Duration duration) {
        now = now.plus(duration);
    }

    Timed<LaunchAnswer> launch(MachineClaim claim) {
        return cloud.launch(claim, now);
    }

    Machine launched(MachineClaim claim) {
        if (launch(claim).answer() instanceof LaunchAnswer.Launched(var machine)) {
            return machine;
        }
        throw new AssertionError("%s was not launched".formatted(claim.name()));
    }

    List<Machine> listed() {
        if (cloud.list(now).answer() instanceof ListAnswer.Machines(var machines)) {
            return machines;
        }
        throw new AssertionError("the list failed");
    }

    /// A claim for one cpu of the cheapest type, on demand in one zone, so that it has one way
    /// only.
    static MachineClaim claim(String name) {
        return claim(
                name,
                "",
                wish(LabelKeys.INSTANCE_TYPE, TYPE),
                wish(LabelKeys.ZONE, "test-zone-a"),
                wish(LabelKeys.CAPACITY_TYPE, "on-demand"));
    }

    static MachineClaim spotClaim(String name, String zone) {
        return claim(
                name,
                "",
                wish(LabelKeys.INSTANCE_TYPE, TYPE),
                wish(LabelKeys.ZONE, zone),
                wish(LabelKeys.CAPACITY_TYPE, "spot"));
    }

    static MachineClaim openClaim(String name) {
        return claim(name, "");
    }

    static MachineClaim ofMachine(String name, Machine machine) {
        return claim(name, machine.providerId());
    }

    static SelectorRequirement wish(String key, String... values) {
        return new SelectorRequirement(key, Operator.IN, List.of(values), null);
    }

    static MachineClaim claim(String name, String providerId, SelectorRequirement... wishes) {
        return new MachineClaim(
                name,
                name + "-uid",
                NOON,
                new TreeMap<>(),
                new TreeMap<>(),
                Stream.of(wishes).toList(),
                List.of(),
                List.of(),
                Resources.parse("cpu", "500m"),
                new NodeClassRef("karpenter.kwok.sh", "KWOKNodeClass", "default"),
                providerId,
                "");
    }
}
