package dev.millwright.providers.aws;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.instancetype.ImageChoice;
import dev.millwright.providers.aws.interruption.Rebalances;
import dev.millwright.providers.aws.launch.Instances;
import dev.millwright.providers.aws.launch.Machines;
import dev.millwright.providers.aws.network.PlacementGroups;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassKeys;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.providers.aws.offering.TypeCatalogue;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.ec2.Ec2Labels;

import java.time.InstantSource;
import java.util.TreeSet;

/// Whether a machine is still what its class would launch today. The first difference is told.
final class DriftCheck {

    private final Instances instances;
    private final Machines machines;
    private final TypeCatalogue catalogue;
    private final PlacementGroups groups;
    private final Rebalances rebalances;
    private final InstantSource clock;

    DriftCheck(
            Instances instances,
            Machines machines,
            TypeCatalogue catalogue,
            PlacementGroups groups,
            Rebalances rebalances,
            InstantSource clock) {
        this.instances = instances;
        this.machines = machines;
        this.catalogue = catalogue;
        this.groups = groups;
        this.rebalances = rebalances;
        this.clock = clock;
    }

    DriftAnswer check(MachineClaim claim, Ec2NodeClass nodeClass) {
        if (isChanged(claim, nodeClass)) {
            return new DriftAnswer.Drifted("NodeClassDrift");
        }
        var ofImage = image(claim, nodeClass);
        if (!(ofImage instanceof DriftAnswer.InPlace)) {
            return ofImage;
        }
        var id = Machines.instanceId(claim.providerId());
        if (id == null) {
            return failed(claim, "has provider id \"%s\"".formatted(claim.providerId()));
        }
        if (rebalances.isToLeave(claim.providerId())) {
            return new DriftAnswer.Drifted("RebalanceRecommended");
        }
        return switch (instances.find(id)) {
            case Instances.Lookup.Gone() -> new DriftAnswer.Gone();
            case Instances.Lookup.Failed(var fault) -> new DriftAnswer.Failed(fault.text());
            case Instances.Lookup.Found(var instance) -> instance(claim, nodeClass, instance);
        };
    }

    /// Only hashes of one recipe are compared; where one is missing, nothing is said.
    private static boolean isChanged(MachineClaim claim, Ec2NodeClass nodeClass) {
        var ours = nodeClass.meta().annotations();
        var theirs = claim.annotations();
        var version = ours.get(NodeClassKeys.HASH_VERSION);
        var hash = ours.get(NodeClassKeys.HASH);
        var claimHash = theirs.get(NodeClassKeys.HASH);
        return version != null
                && version.equals(theirs.get(NodeClassKeys.HASH_VERSION))
                && hash != null
                && claimHash != null
                && !hash.equals(claimHash);
    }

    private DriftAnswer image(MachineClaim claim, Ec2NodeClass nodeClass) {
        var typeName = claim.labels().get(LabelKeys.INSTANCE_TYPE);
        if (typeName == null) {
            return failed(claim, "has no label " + LabelKeys.INSTANCE_TYPE);
        }
        if (nodeClass.status().amis().isEmpty()) {
            return new DriftAnswer.Failed(
                    "EC2NodeClass %s has no images in its status".formatted(nodeClass.name()));
        }
        if (claim.imageId().isEmpty()) {
            return failed(claim, "has no image in its status");
        }
        var facts = ClassFacts.of(nodeClass, groups.known(nodeClass));
        return switch (catalogue.types(facts, clock.instant())) {
            case CatalogAnswer.Failed(var message) -> new DriftAnswer.Failed(message);
            case CatalogAnswer.Unevaluated() ->
                    new DriftAnswer.Failed("overlays are not evaluated yet");
            case CatalogAnswer.Types _ -> {
                var type = catalogue.find(facts, typeName, clock.instant());
                yield type == null
                        ? failed(
                                claim,
                                "has instance type %s, which EC2 does not list".formatted(typeName))
                        : image(claim, nodeClass, type);
            }
        };
    }

    private static DriftAnswer image(
            MachineClaim claim, Ec2NodeClass nodeClass, InstanceType type) {
        var wanted = ImageChoice.of(type.requirements(), nodeClass.status().amis());
        return wanted != null && wanted.id().equals(claim.imageId())
                ? new DriftAnswer.InPlace()
                : new DriftAnswer.Drifted("AMIDrift");
    }

    private DriftAnswer instance(
            MachineClaim claim, Ec2NodeClass nodeClass, InstanceInfo instance) {
        var status = nodeClass.status();
        if (status.securityGroups().isEmpty()) {
            return new DriftAnswer.Failed(
                    "EC2NodeClass %s has no security groups in its status"
                            .formatted(nodeClass.name()));
        }
        if (status.subnets().isEmpty()) {
            return new DriftAnswer.Failed(
                    "EC2NodeClass %s has no subnets in its status".formatted(nodeClass.name()));
        }
        var groups = new TreeSet<String>();
        status.securityGroups().forEach(group -> groups.add(group.id()));
        if (!groups.equals(new TreeSet<>(instance.securityGroupIds()))) {
            return new DriftAnswer.Drifted("SecurityGroupDrift");
        }
        var isInSubnets =
                status.subnets().stream()
                        .map(NodeClassStatus.Subnet::id)
                        .anyMatch(instance.subnetId()::equals);
        if (!isInSubnets) {
            return new DriftAnswer.Drifted("SubnetDrift");
        }
        if (isOutsideReservations(status, instance)) {
            return new DriftAnswer.Drifted("CapacityReservationDrift");
        }
        return placementGroup(claim, nodeClass);
    }

    /// Asked of EC2 anew before it is told: a reservation that ended leaves its machine behind as
    /// an ordinary one.
    private boolean isOutsideReservations(NodeClassStatus status, InstanceInfo instance) {
        return isReservedElsewhere(status, instance)
                && instances.findFresh(instance.id()) instanceof Instances.Lookup.Found(var fresh)
                && isReservedElsewhere(status, fresh);
    }

    private boolean isReservedElsewhere(NodeClassStatus status, InstanceInfo instance) {
        return machines.capacityType(instance).equals(LabelKeys.CAPACITY_TYPE_RESERVED)
                && status.capacityReservations().stream()
                        .noneMatch(
                                reservation -> reservation.id().equals(instance.reservationId()));
    }

    /// Asked of EC2, not of what we knew last: a process that has just begun knows of no group.
    private DriftAnswer placementGroup(MachineClaim claim, Ec2NodeClass nodeClass) {
        return switch (groups.of(nodeClass)) {
            case PlacementGroups.Answer.NotWanted() -> placementGroup(claim, "");
            case PlacementGroups.Answer.Found(var group) -> placementGroup(claim, group.id());
            case PlacementGroups.Answer.NotFound(_) -> placementGroup(claim, "");
            case PlacementGroups.Answer.Failed(var fault, var before) ->
                    before == null
                            ? new DriftAnswer.Failed(fault.text())
                            : placementGroup(claim, before.id());
        };
    }

    private static DriftAnswer placementGroup(MachineClaim claim, String wanted) {
        var label = claim.labels().getOrDefault(Ec2Labels.PLACEMENT_GROUP_ID, "");
        return label.equals(wanted)
                ? new DriftAnswer.InPlace()
                : new DriftAnswer.Drifted("PlacementGroupDrift");
    }

    private static DriftAnswer failed(MachineClaim claim, String what) {
        return new DriftAnswer.Failed(
                "NodeClaim %s %s: it cannot be compared with its class"
                        .formatted(claim.name(), what));
    }
}
