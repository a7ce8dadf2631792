package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.TrialInstance;

import software.amazon.awssdk.services.ec2.model.CreateFleetRequest;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateConfigRequest;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateOverridesRequest;
import software.amazon.awssdk.services.ec2.model.FleetType;
import software.amazon.awssdk.services.ec2.model.InstanceNetworkInterfaceSpecification;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// Fleets and trial instances as EC2 wants to be asked for them.
final class FleetWriting {

    private static final String LATEST = "$Latest";

    private FleetWriting() {}

    static CreateFleetRequest.Builder request(FleetRequest fleet) {
        var request =
                CreateFleetRequest.builder()
                        .type(FleetType.INSTANT)
                        .clientToken(fleet.token())
                        .context(fleet.context())
                        .targetCapacitySpecification(
                                t ->
                                        t.totalTargetCapacity(fleet.instances())
                                                .defaultTargetCapacityType(fleet.defaultType()))
                        .launchTemplateConfigs(
                                fleet.configs().stream().map(FleetWriting::config).toList())
                        .tagSpecifications(tagged(fleet.tags(), "instance", "volume", "fleet"));
        if (fleet.spotAllocation() != null) {
            request.spotOptions(o -> o.allocationStrategy(fleet.spotAllocation()));
        }
        if (fleet.onDemandAllocation() != null) {
            request.onDemandOptions(o -> o.allocationStrategy(fleet.onDemandAllocation()));
        }
        if (!fleet.reservationTypes().isEmpty()) {
            request.reservedCapacityOptions(
                    o -> o.reservationTypesWithStrings(fleet.reservationTypes()));
        }
        return request;
    }

    static RunInstancesRequest trial(TrialInstance instance) {
        return RunInstancesRequest.builder()
                .dryRun(true)
                .minCount(1)
                .maxCount(1)
                .launchTemplate(t -> t.launchTemplateName(instance.templateName()).version(LATEST))
                .instanceType(instance.instanceType())
                .imageId(instance.imageId())
                .networkInterfaces(interfaces(instance))
                .tagSpecifications(
                        tagged(instance.tags(), "instance", "volume", "network-interface"))
                .build();
    }

    /// An interface stands in for the subnet's own parameter, which EC2 refuses beside interfaces.
    private static List<InstanceNetworkInterfaceSpecification> interfaces(TrialInstance instance) {
        if (instance.interfaces().isEmpty()) {
            return List.of(
                    InstanceNetworkInterfaceSpecification.builder()
                            .deviceIndex(0)
                            .subnetId(instance.subnetId())
                            .build());
        }
        return instance.interfaces().stream()
                .map(each -> trialInterface(each, instance.subnetId()))
                .toList();
    }

    private static InstanceNetworkInterfaceSpecification trialInterface(
            LaunchTemplate.Interface given, String subnetId) {
        return InstanceNetworkInterfaceSpecification.builder()
                .networkCardIndex(given.card())
                .deviceIndex(given.device())
                .interfaceType(given.type())
                .subnetId(subnetId)
                .build();
    }

    private static FleetLaunchTemplateConfigRequest config(FleetRequest.Config config) {
        return FleetLaunchTemplateConfigRequest.builder()
                .launchTemplateSpecification(
                        t -> t.launchTemplateName(config.templateName()).version(LATEST))
                .overrides(config.overrides().stream().map(FleetWriting::override).toList())
                .build();
    }

    private static FleetLaunchTemplateOverridesRequest override(FleetRequest.Override override) {
        return FleetLaunchTemplateOverridesRequest.builder()
                .instanceType(override.instanceType())
                .subnetId(override.subnetId())
                .imageId(override.imageId())
                .availabilityZone(override.zone())
                .priority(override.priority())
                .build();
    }

    private static List<TagSpecification> tagged(
            SequencedMap<String, String> tags, String... kinds) {
        var given = SdkEc2.tags(tags);
        return Stream.of(kinds)
                .map(kind -> TagSpecification.builder().resourceType(kind).tags(given).build())
                .toList();
    }
}
