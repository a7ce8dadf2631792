package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.api.InstanceStatusInfo;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.services.ec2.model.GroupIdentifier;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceStatus;
import software.amazon.awssdk.services.ec2.model.InstanceStatusDetails;
import software.amazon.awssdk.services.ec2.model.InstanceStatusEvent;
import software.amazon.awssdk.services.ec2.model.InstanceStatusSummary;
import software.amazon.awssdk.services.ec2.model.Placement;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Instances and their health, as EC2 describes them.
final class InstanceReading {

    private static final Set<String> EFA = Set.of("efa", "efa-only");
    private static final Placement NOWHERE = Placement.builder().build();

    private InstanceReading() {}

    static InstanceInfo instance(Instance found) {
        var placement = found.placement() == null ? NOWHERE : found.placement();
        var reservation = found.capacityReservationSpecification();
        var launched = found.launchTime();
        return new InstanceInfo(
                found.instanceId(),
                Absent.text(found.instanceTypeAsString()),
                Absent.text(found.imageId()),
                Absent.text(placement.availabilityZone()),
                Absent.text(found.subnetId()),
                found.securityGroups().stream().map(GroupIdentifier::groupId).sorted().toList(),
                found.state() == null ? "" : Absent.text(found.state().nameAsString()),
                launched == null ? Instant.EPOCH : launched,
                Absent.text(found.instanceLifecycleAsString()),
                Absent.text(found.spotInstanceRequestId()),
                Absent.text(found.capacityReservationId()),
                reservation == null
                        ? ""
                        : Absent.text(reservation.capacityReservationPreferenceAsString()),
                (int)
                        found.networkInterfaces().stream()
                                .filter(each -> EFA.contains(Absent.text(each.interfaceType())))
                                .count(),
                Absent.text(placement.tenancyAsString()),
                Absent.text(placement.groupId()),
                Absent.number(placement.partitionNumber()),
                NetworkReading.tags(found.tags()));
    }

    static InstanceStatusInfo status(InstanceStatus found) {
        return new InstanceStatusInfo(
                found.instanceId(),
                details(found.instanceStatus()),
                details(found.systemStatus()),
                found.events().stream()
                        .filter(InstanceReading::isAhead)
                        .map(event -> Absent.text(event.codeAsString()))
                        .toList());
    }

    /// EC2 keeps telling of an event that is over, and says so in its description.
    private static boolean isAhead(InstanceStatusEvent event) {
        var description = Absent.text(event.description());
        return !description.startsWith("[Completed]") && !description.startsWith("[Canceled]");
    }

    private static List<InstanceStatusInfo.Detail> details(
            @Nullable InstanceStatusSummary summary) {
        return summary == null
                ? List.of()
                : summary.details().stream().map(InstanceReading::detail).toList();
    }

    private static InstanceStatusInfo.Detail detail(InstanceStatusDetails found) {
        return new InstanceStatusInfo.Detail(
                Absent.text(found.nameAsString()),
                Absent.text(found.statusAsString()),
                found.impairedSince());
    }
}
