package dev.millwright.providers.aws.nodeclass;

import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// What the class's selectors led to, in the order the status has it.
public record NodeClassStatus(
        List<Subnet> subnets,
        List<SecurityGroup> securityGroups,
        List<CapacityReservation> capacityReservations,
        List<Ami> amis,
        @Nullable String instanceProfile) {

    public static final NodeClassStatus NONE =
            new NodeClassStatus(List.of(), List.of(), List.of(), List.of(), null);

    public NodeClassStatus {
        subnets = List.copyOf(subnets);
        securityGroups = List.copyOf(securityGroups);
        capacityReservations = List.copyOf(capacityReservations);
        amis = List.copyOf(amis);
    }

    public record Subnet(String id, String zone, String zoneId) {
        Value value() {
            return Tree.of("id", id).put("zone", zone).putUnlessEmpty("zoneID", zoneId).mapping();
        }
    }

    public record SecurityGroup(String id, String name) {
        Value value() {
            return Tree.of("id", id).putUnlessEmpty("name", name).mapping();
        }
    }

    /// An image, and which instance types take it.
    public record Ami(
            String id, String name, boolean isDeprecated, List<SelectorRequirement> requirements) {
        public Ami {
            requirements = List.copyOf(requirements);
        }

        Value value() {
            var tree = Tree.of("id", id);
            if (isDeprecated) {
                tree.put("deprecated", true);
            }
            return tree.putUnlessEmpty("name", name)
                    .putList("requirements", requirements.stream().map(Ami::value).toList())
                    .mapping();
        }

        private static Value value(SelectorRequirement requirement) {
            var tree =
                    Tree.of("key", requirement.key())
                            .put("operator", requirement.operator().text());
            if (!requirement.values().isEmpty()) {
                tree.putTextList("values", requirement.values());
            }
            return tree.mapping();
        }
    }

    public record CapacityReservation(
            String id,
            String availabilityZone,
            String instanceType,
            String ownerId,
            String instanceMatchCriteria,
            ReservationType type,
            ReservationState state,
            boolean isInterruptible,
            @Nullable Instant endTime) {

        Value value() {
            var tree = Tree.of("availabilityZone", availabilityZone);
            if (endTime != null) {
                tree.put("endTime", endTime.toString());
            }
            return tree.put("id", id)
                    .put("instanceMatchCriteria", instanceMatchCriteria)
                    .put("instanceType", instanceType)
                    .put("ownerID", ownerId)
                    .put("reservationType", type.text())
                    .put("interruptible", isInterruptible)
                    .put("state", state.text())
                    .mapping();
        }
    }

    public enum ReservationType {
        DEFAULT("default"),
        CAPACITY_BLOCK("capacity-block");

        private final String text;

        ReservationType(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public enum ReservationState {
        ACTIVE("active"),

        /// A capacity block near its end: nothing new is launched into it.
        EXPIRING("expiring");

        private final String text;

        ReservationState(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public NodeClassStatus withSubnets(List<Subnet> subnets) {
        return new NodeClassStatus(
                subnets, securityGroups, capacityReservations, amis, instanceProfile);
    }

    public NodeClassStatus withSecurityGroups(List<SecurityGroup> securityGroups) {
        return new NodeClassStatus(
                subnets, securityGroups, capacityReservations, amis, instanceProfile);
    }

    public NodeClassStatus withCapacityReservations(
            List<CapacityReservation> capacityReservations) {
        return new NodeClassStatus(
                subnets, securityGroups, capacityReservations, amis, instanceProfile);
    }

    public NodeClassStatus withAmis(List<Ami> amis) {
        return new NodeClassStatus(
                subnets, securityGroups, capacityReservations, amis, instanceProfile);
    }

    public NodeClassStatus withInstanceProfile(@Nullable String instanceProfile) {
        return new NodeClassStatus(
                subnets, securityGroups, capacityReservations, amis, instanceProfile);
    }

    /// For a merge patch of the status: what became empty is written as null, which takes it away.
    public Tree patch() {
        var tree = Tree.of();
        put(tree, "subnets", subnets.stream().map(Subnet::value).toList());
        put(tree, "securityGroups", securityGroups.stream().map(SecurityGroup::value).toList());
        put(
                tree,
                "capacityReservations",
                capacityReservations.stream().map(CapacityReservation::value).toList());
        put(tree, "amis", amis.stream().map(Ami::value).toList());
        return instanceProfile == null
                ? tree.putNothing("instanceProfile")
                : tree.put("instanceProfile", instanceProfile);
    }

    private static void put(Tree tree, String name, List<Value> values) {
        if (values.isEmpty()) {
            tree.putNothing(name);
        } else {
            tree.putList(name, values);
        }
    }
}
