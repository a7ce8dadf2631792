package dev.millwright.providers.aws.launch;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.spi.Machine;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// Instances as the machines they are to us.
public final class Machines {

    private static final String PROVIDER_ID_PREFIX = "aws:///";

    private static final Set<String> RESERVATION_LABELS =
            Set.of(
                    Ec2Labels.RESERVATION_ID,
                    Ec2Labels.RESERVATION_TYPE,
                    Ec2Labels.RESERVATION_INTERRUPTIBLE);

    private final boolean isReservedCapacityOn;

    public Machines(boolean isReservedCapacityOn) {
        this.isReservedCapacityOn = isReservedCapacityOn;
    }

    public static String providerId(InstanceInfo instance) {
        return PROVIDER_ID_PREFIX + instance.zone() + "/" + instance.id();
    }

    /// The instance id in `aws:///zone/id`, or null when the text is of another shape.
    public static @Nullable String instanceId(String providerId) {
        var colon = providerId.indexOf(":///");
        if (colon <= 0) {
            return null;
        }
        var path = providerId.substring(colon + ":///".length());
        var slash = path.indexOf('/');
        var isTwoParts = slash > 0 && slash < path.length() - 1 && path.indexOf('/', slash + 1) < 0;
        return isTwoParts ? path.substring(slash + 1) : null;
    }

    /// Spot, reserved or on-demand. An instance that happens to run in an open reservation counts
    /// as on-demand: nobody asked for it.
    public String capacityType(InstanceInfo instance) {
        if (!instance.spotRequestId().isEmpty() || instance.lifecycle().equals("spot")) {
            return LabelKeys.CAPACITY_TYPE_SPOT;
        }
        var isReserved =
                isReservedCapacityOn
                        && !instance.reservationId().isEmpty()
                        && instance.reservationPreference().equals("capacity-reservations-only");
        return isReserved ? LabelKeys.CAPACITY_TYPE_RESERVED : LabelKeys.CAPACITY_TYPE_ON_DEMAND;
    }

    /// @param type null when it is not known any more: what it would tell is left out
    /// @param nodeClass null when it is not known any more
    public Machine machine(
            InstanceInfo instance,
            @Nullable InstanceType type,
            @Nullable Ec2NodeClass nodeClass,
            SequencedMap<String, String> annotations) {
        return new Machine(
                providerId(instance),
                instance.imageId(),
                labels(instance, type, nodeClass),
                annotations,
                type == null ? Resources.NONE : shown(type.capacity(), instance),
                type == null ? Resources.NONE : shown(type.allocatable(), instance),
                instance.launchedAt(),
                instance.isGoing());
    }

    private SequencedMap<String, String> labels(
            InstanceInfo instance, @Nullable InstanceType type, @Nullable Ec2NodeClass nodeClass) {
        var labels = new TreeMap<String, String>();
        if (type != null) {
            for (var requirement : type.requirements().all()) {
                var isOneValue = !requirement.isComplement() && requirement.size() == 1;
                if (isOneValue && !RESERVATION_LABELS.contains(requirement.key())) {
                    labels.put(requirement.key(), requirement.anyValue());
                }
            }
        }
        labels.put(LabelKeys.INSTANCE_TYPE, instance.type());
        labels.put(LabelKeys.ZONE, instance.zone());
        labels.put(LabelKeys.CAPACITY_TYPE, capacityType(instance));
        labels.put(
                Ec2Labels.TENANCY, instance.tenancy().isEmpty() ? "default" : instance.tenancy());
        if (nodeClass != null) {
            nodeClass.status().subnets().stream()
                    .filter(subnet -> subnet.zone().equals(instance.zone()))
                    .filter(subnet -> !subnet.zoneId().isEmpty())
                    .findFirst()
                    .ifPresent(subnet -> labels.put(Ec2Labels.ZONE_ID, subnet.zoneId()));
        }
        addReservation(labels, instance);
        if (!instance.placementGroupId().isEmpty()) {
            labels.put(Ec2Labels.PLACEMENT_GROUP_ID, instance.placementGroupId());
            if (instance.partition() > 0) {
                labels.put(
                        Ec2Labels.PLACEMENT_GROUP_PARTITION,
                        Integer.toString(instance.partition()));
            }
        }
        var nodePool = instance.tags().get(LabelKeys.NODE_POOL);
        if (nodePool != null) {
            labels.put(LabelKeys.NODE_POOL, nodePool);
        }
        return labels;
    }

    private void addReservation(SequencedMap<String, String> labels, InstanceInfo instance) {
        if (!capacityType(instance).equals(LabelKeys.CAPACITY_TYPE_RESERVED)) {
            return;
        }
        labels.put(Ec2Labels.RESERVATION_ID, instance.reservationId());
        labels.put(
                Ec2Labels.RESERVATION_TYPE,
                instance.lifecycle().equals("capacity-block") ? "capacity-block" : "default");
        labels.put(
                Ec2Labels.RESERVATION_INTERRUPTIBLE,
                Boolean.toString(
                        instance.lifecycle().equals("interruptible-capacity-reservation")));
    }

    /// Without zeros, and with EFA only where the instance has such an interface.
    private static Resources shown(Resources resources, InstanceInfo instance) {
        var shown = new TreeMap<>(resources.amounts());
        shown.values().removeIf(amount -> amount.isZero());
        if (instance.efaInterfaces() == 0) {
            shown.remove(TemplateGroup.EFA);
        }
        return new Resources(shown);
    }
}
