package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.CapacityReservation;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.spi.ec2.Ec2Requirements;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/// The labels a node of a type may carry under a class.
final class TypeLabels {

    private TypeLabels() {}

    static Requirements of(KnownType type, ClassFacts facts, String region) {
        var all = new ArrayList<>(type.labels());
        all.add(Requirement.in(LabelKeys.REGION, region));
        all.addAll(system(type, facts));
        all.addAll(zones(type, facts));
        all.addAll(capacity(type, facts.reservationsOf(type.name())));
        all.addAll(placement(facts));
        return Requirements.of(all);
    }

    private static List<Requirement> system(KnownType type, ClassFacts facts) {
        var build = facts.family().windowsBuild();
        if (build == null) {
            return List.of(
                    Requirement.in(LabelKeys.OS, "linux"),
                    Requirement.doesNotExist(LabelKeys.WINDOWS_BUILD));
        }
        // No Windows of ours runs on another architecture; a node of such a type cannot be had.
        var isRunnable = type.machine().architecture().equals("amd64");
        return List.of(
                in(LabelKeys.OS, isRunnable ? List.of("windows") : List.of()),
                Requirement.in(LabelKeys.WINDOWS_BUILD, build));
    }

    private static List<Requirement> zones(KnownType type, ClassFacts facts) {
        var idsByZone = facts.zoneIds();
        var zones = type.zones().stream().filter(idsByZone::containsKey).toList();
        var found = new ArrayList<Requirement>();
        found.add(in(LabelKeys.ZONE, zones));
        var ids = zones.stream().map(idsByZone::get).filter(id -> !id.isEmpty()).toList();
        if (!ids.isEmpty()) {
            found.add(in(Ec2Labels.ZONE_ID, ids));
        }
        return found;
    }

    private static List<Requirement> capacity(
            KnownType type, List<CapacityReservation> reservations) {
        var found = new ArrayList<Requirement>();
        var capacityTypes = new ArrayList<>(Ec2Requirements.capacityTypes(type.machine()));
        if (reservations.isEmpty()) {
            found.addAll(Ec2Requirements.withoutReservation());
        } else {
            capacityTypes.add(LabelKeys.CAPACITY_TYPE_RESERVED);
            found.add(
                    in(
                            Ec2Labels.RESERVATION_ID,
                            reservations.stream().map(CapacityReservation::id).toList()));
            found.add(
                    in(
                            Ec2Labels.RESERVATION_TYPE,
                            reservations.stream().map(each -> each.type().text()).toList()));
            found.add(
                    in(
                            Ec2Labels.RESERVATION_INTERRUPTIBLE,
                            reservations.stream()
                                    .map(each -> Boolean.toString(each.isInterruptible()))
                                    .toList()));
        }
        found.add(in(LabelKeys.CAPACITY_TYPE, capacityTypes));
        return found;
    }

    private static List<Requirement> placement(ClassFacts facts) {
        var group = facts.group();
        if (group == null) {
            return List.of();
        }
        var found = new ArrayList<Requirement>();
        found.add(Requirement.in(Ec2Labels.PLACEMENT_GROUP_ID, group.id()));
        if (facts.partitions() > 0) {
            found.add(
                    in(
                            Ec2Labels.PLACEMENT_GROUP_PARTITION,
                            IntStream.rangeClosed(1, facts.partitions())
                                    .mapToObj(Integer::toString)
                                    .toList()));
        }
        return found;
    }

    private static Requirement in(String key, Collection<String> values) {
        return Requirement.of(key, Operator.IN, null, values);
    }
}
