package dev.millwright.providers.aws.controllers.nodeclass;

import dev.millwright.kube.object.Conditions;
import dev.millwright.kube.object.NodeClassObject;

import java.util.ArrayList;
import java.util.List;

/// What the readiness of an EC2NodeClass hangs on.
final class ClassConditions {

    static final String AMIS_READY = "AMIsReady";
    static final String SUBNETS_READY = "SubnetsReady";
    static final String SECURITY_GROUPS_READY = "SecurityGroupsReady";
    static final String INSTANCE_PROFILE_READY = "InstanceProfileReady";
    static final String VALIDATION_SUCCEEDED = "ValidationSucceeded";
    static final String PLACEMENT_GROUP_READY = "PlacementGroupReady";
    static final String CAPACITY_RESERVATIONS_READY = "CapacityReservationsReady";

    private ClassConditions() {}

    static Conditions.Family family(boolean isReservedCapacityOn) {
        var dependents =
                new ArrayList<>(
                        List.of(
                                AMIS_READY,
                                SUBNETS_READY,
                                SECURITY_GROUPS_READY,
                                INSTANCE_PROFILE_READY,
                                VALIDATION_SUCCEEDED,
                                PLACEMENT_GROUP_READY));
        if (isReservedCapacityOn) {
            dependents.add(CAPACITY_RESERVATIONS_READY);
        }
        return new Conditions.Family(NodeClassObject.READY, dependents);
    }
}
