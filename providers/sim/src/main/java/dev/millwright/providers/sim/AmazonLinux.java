package dev.millwright.providers.sim;

import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.spi.ec2.Ec2Machine;
import dev.millwright.spi.ec2.Ec2Requirements;
import dev.millwright.spi.ec2.Ec2Resources;

import java.util.ArrayList;
import java.util.SequencedMap;

/// What becomes of a machine under Amazon Linux 2023 with a node class that says nothing else.
final class AmazonLinux {

    private AmazonLinux() {}

    /// @param zoneIds the ids of the zones that nodes may be in, by zone name
    static Requirements requirements(
            Ec2Description type, String region, SequencedMap<String, String> zoneIds) {
        var zones =
                type.zones().stream()
                        .map(Ec2Description.ZoneOffer::zone)
                        .filter(zoneIds::containsKey)
                        .toList();
        var all = new ArrayList<>(Ec2Requirements.of(type.machine()));
        all.add(Requirement.in(LabelKeys.OS, "linux"));
        all.add(Requirement.doesNotExist(LabelKeys.WINDOWS_BUILD));
        all.add(Requirement.in(LabelKeys.REGION, region));
        all.add(Requirement.of(LabelKeys.ZONE, Operator.IN, null, zones));
        if (!zones.isEmpty()) {
            var ids = zones.stream().map(zoneIds::get).toList();
            all.add(Requirement.of(Ec2Labels.ZONE_ID, Operator.IN, null, ids));
        }
        all.add(
                Requirement.of(
                        LabelKeys.CAPACITY_TYPE,
                        Operator.IN,
                        null,
                        Ec2Requirements.capacityTypes(type.machine())));
        all.addAll(Ec2Requirements.withoutReservation());
        return Requirements.of(all);
    }

    static Resources capacity(Ec2Machine machine, Ec2Settings settings) {
        return Ec2Resources.hardware(machine)
                .with(Resources.MEMORY, Ec2Resources.memory(machine, settings.memoryOverhead()))
                .with(Resources.EPHEMERAL_STORAGE, Ec2Resources.ROOT_VOLUME)
                .with(Resources.PODS, Quantity.ofUnits(pods(machine, settings)))
                .with(Ec2Resources.EFA, Quantity.ofUnits(machine.network().efaMax()));
    }

    /// The memory the kubelet keeps follows the pods the interfaces would allow if none were
    /// reserved, because that is what the machine image reckons with.
    static Overhead overhead(Ec2Machine machine) {
        var evictionThreshold =
                Resources.of(Resources.MEMORY, Ec2Resources.EVICTION_MEMORY)
                        .with(
                                Resources.EPHEMERAL_STORAGE,
                                Ec2Resources.ROOT_VOLUME.percentCeiling(
                                        Ec2Resources.EVICTION_STORAGE_PERCENT));
        return new Overhead(
                Ec2Resources.kubeReserved(machine, Ec2Resources.interfaceLimitedPods(machine, 0)),
                Resources.NONE,
                evictionThreshold);
    }

    private static long pods(Ec2Machine machine, Ec2Settings settings) {
        var podsMax = settings.podsMax();
        return podsMax != null
                ? podsMax
                : Ec2Resources.interfaceLimitedPods(machine, settings.reservedInterfaces());
    }
}
