package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.api.ReservationInfo;
import dev.millwright.providers.aws.api.SecurityGroupInfo;
import dev.millwright.providers.aws.api.SubnetInfo;
import dev.millwright.testing.kit.aws.TestAccount;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Where instances run: one network with a subnet a zone and three security groups, and what a test
/// adds of capacity reservations and placement groups.
final class FakeNetwork {

    private static final String VPC = "vpc-test1";

    /// Of a /19, of which EC2 keeps five.
    private static final int FREE_ADDRESSES = (1 << 13) - 5;

    private static final int GROUPS = 3;

    private final SequencedMap<String, SubnetInfo> subnets = new LinkedHashMap<>();
    private final SequencedMap<String, SecurityGroupInfo> groups = new LinkedHashMap<>();
    private final SequencedMap<String, ReservationInfo> reservations = new LinkedHashMap<>();
    private final SequencedMap<String, FakeListed<PlacementGroupInfo>> placementGroups =
            new LinkedHashMap<>();

    FakeNetwork(FakeCatalogue catalogue, List<String> zones) {
        for (var number = 1; number <= zones.size(); number++) {
            var zone = zones.get(number - 1);
            var id = "subnet-test" + number;
            subnets.put(
                    id,
                    new SubnetInfo(
                            id,
                            VPC,
                            zone,
                            catalogue.zoneId(zone),
                            FREE_ADDRESSES,
                            tags("test-subnet-" + number)));
        }
        for (var number = 1; number <= GROUPS; number++) {
            var id = "sg-test" + number;
            groups.put(
                    id,
                    new SecurityGroupInfo(
                            id,
                            "securityGroup-test" + number,
                            VPC,
                            tags("test-security-group-" + number)));
        }
    }

    private static SequencedMap<String, String> tags(String name) {
        return new TreeMap<>(Map.of("karpenter.sh/discovery", TestAccount.CLUSTER, "Name", name));
    }

    /// @param addresses free while there is no instance
    void freeAddresses(String subnetId, int addresses) {
        var subnet = Objects.requireNonNull(subnets.get(subnetId), "found no subnet " + subnetId);
        subnets.put(subnetId, withAddresses(subnet, addresses));
    }

    private static SubnetInfo withAddresses(SubnetInfo subnet, int addresses) {
        return new SubnetInfo(
                subnet.id(),
                subnet.vpcId(),
                subnet.zone(),
                subnet.zoneId(),
                addresses,
                subnet.tags());
    }

    SubnetInfo subnet(String id) throws AwsFault {
        var found = subnets.get(id);
        if (found == null) {
            throw AwsFault.refused(
                    "InvalidSubnetID.NotFound", "The subnet ID '%s' does not exist".formatted(id));
        }
        return found;
    }

    /// What instances leave of a subnet's addresses; those that are gone give theirs back.
    static int left(SubnetInfo subnet, Collection<FakeInstance> instances) {
        var used =
                instances.stream()
                        .filter(each -> !each.isEnded() && each.subnetId().equals(subnet.id()))
                        .mapToInt(FakeInstance::addresses)
                        .sum();
        return Math.max(0, subnet.freeAddresses() - used);
    }

    List<SubnetInfo> subnets(List<Filter> filters, Collection<FakeInstance> instances)
            throws AwsFault {
        var listed =
                subnets.values().stream()
                        .map(each -> withAddresses(each, left(each, instances)))
                        .map(FakeNetwork::listed)
                        .toList();
        return FakeListed.select(listed, filters);
    }

    private static FakeListed<SubnetInfo> listed(SubnetInfo subnet) {
        var fields =
                Map.of(
                        "subnet-id", subnet.id(),
                        "vpc-id", subnet.vpcId(),
                        "availability-zone", subnet.zone());
        return FakeListed.of(subnet, fields, subnet.tags());
    }

    void checkGroup(String id) throws AwsFault {
        if (!groups.containsKey(id)) {
            throw AwsFault.refused(
                    "InvalidGroup.NotFound",
                    "The security group '%s' does not exist".formatted(id));
        }
    }

    List<SecurityGroupInfo> groups(List<Filter> filters) throws AwsFault {
        var listed = groups.values().stream().map(FakeNetwork::listed).toList();
        return FakeListed.select(listed, filters);
    }

    private static FakeListed<SecurityGroupInfo> listed(SecurityGroupInfo group) {
        var fields =
                Map.of(
                        "group-id", group.id(),
                        "group-name", group.name(),
                        "vpc-id", group.vpcId());
        return FakeListed.of(group, fields, group.tags());
    }

    // Capacity reservations.

    void replaceReservations(List<Tree> given) {
        reservations.clear();
        for (var tree : given) {
            var reservation = reservation(tree);
            reservations.put(reservation.id(), reservation);
        }
    }

    private static ReservationInfo reservation(Tree tree) {
        var given = tree.mapping();
        return new ReservationInfo(
                ApiNames.text(given, "CapacityReservationId", ""),
                ApiNames.text(given, "OwnerId", TestAccount.ACCOUNT),
                ApiNames.text(given, "InstanceType", ""),
                ApiNames.text(given, "AvailabilityZone", ""),
                ApiNames.text(given, "InstanceMatchCriteria", "targeted"),
                ApiNames.text(given, "ReservationType", "default"),
                ApiNames.flag(given, "Interruptible"),
                ApiNames.text(given, "State", "active"),
                ApiNames.number(given, "AvailableInstanceCount", 1),
                ApiNames.number(given, "TotalInstanceCount", 1),
                ApiNames.instant(given, "EndDate"),
                ApiNames.tags(given));
    }

    ReservationInfo reservation(String id) throws AwsFault {
        var found = reservations.get(id);
        if (found == null) {
            throw AwsFault.refused(
                    "InvalidCapacityReservationId.NotFound",
                    "The capacity reservation '%s' does not exist".formatted(id));
        }
        return found;
    }

    /// Takes places of a reservation, or gives them back; one that is gone has none.
    void take(String reservationId, int places) {
        reservations.computeIfPresent(
                reservationId,
                (_, it) ->
                        new ReservationInfo(
                                it.id(),
                                it.ownerId(),
                                it.instanceType(),
                                it.zone(),
                                it.matchCriteria(),
                                it.reservationType(),
                                it.isInterruptible(),
                                it.state(),
                                it.available() - places,
                                it.total(),
                                it.endsAt(),
                                it.tags()));
    }

    List<ReservationInfo> reservations(List<String> ids, List<Filter> filters) throws AwsFault {
        for (var id : ids) {
            reservation(id);
        }
        var listed =
                reservations.values().stream()
                        .filter(each -> ids.isEmpty() || ids.contains(each.id()))
                        .map(FakeNetwork::listed)
                        .toList();
        return FakeListed.select(listed, filters);
    }

    private static FakeListed<ReservationInfo> listed(ReservationInfo reservation) {
        var fields =
                Map.of(
                        "state", reservation.state(),
                        "owner-id", reservation.ownerId(),
                        "instance-type", reservation.instanceType(),
                        "availability-zone", reservation.zone(),
                        "instance-match-criteria", reservation.matchCriteria());
        return FakeListed.of(reservation, fields, reservation.tags());
    }

    // Placement groups.

    void replacePlacementGroups(List<Tree> given) {
        placementGroups.clear();
        for (var tree : given) {
            var group = placementGroup(tree);
            placementGroups.put(group.item().id(), group);
        }
    }

    private static FakeListed<PlacementGroupInfo> placementGroup(Tree tree) {
        var given = tree.mapping();
        var id = ApiNames.text(given, "GroupId", "");
        var group =
                new PlacementGroupInfo(
                        id,
                        ApiNames.text(given, "GroupName", id),
                        ApiNames.text(given, "State", "available"),
                        ApiNames.text(given, "Strategy", "cluster"),
                        ApiNames.number(given, "PartitionCount", 0),
                        ApiNames.text(given, "SpreadLevel", ""));
        var fields =
                Map.of(
                        "group-id", group.id(),
                        "group-name", group.name(),
                        "state", group.state(),
                        "strategy", group.strategy());
        return FakeListed.of(group, fields, ApiNames.tags(given));
    }

    PlacementGroupInfo placementGroup(String idOrName) throws AwsFault {
        return placementGroups.values().stream()
                .map(FakeListed::item)
                .filter(each -> each.id().equals(idOrName) || each.name().equals(idOrName))
                .findFirst()
                .orElseThrow(
                        () ->
                                AwsFault.refused(
                                        "InvalidPlacementGroup.Unknown",
                                        "The Placement Group '%s' is unknown."
                                                .formatted(idOrName)));
    }

    List<PlacementGroupInfo> placementGroups(List<Filter> filters) throws AwsFault {
        return FakeListed.select(placementGroups.values(), filters);
    }
}
