package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.LaunchTemplate;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.services.ec2.model.ConnectionTrackingSpecificationRequest;
import software.amazon.awssdk.services.ec2.model.CreateLaunchTemplateRequest;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateBlockDeviceMappingRequest;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateCapacityReservationSpecificationRequest;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateEbsBlockDeviceRequest;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateInstanceMetadataOptionsRequest;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateInstanceNetworkInterfaceSpecificationRequest;
import software.amazon.awssdk.services.ec2.model.LaunchTemplatePlacementRequest;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateTagSpecificationRequest;
import software.amazon.awssdk.services.ec2.model.RequestLaunchTemplateData;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/// Launch templates as EC2 wants them.
final class TemplateWriting {

    /// Instance tags are not readable from inside an instance.
    private static final String NO_METADATA_TAGS = "disabled";

    private TemplateWriting() {}

    static CreateLaunchTemplateRequest request(LaunchTemplate template) {
        return CreateLaunchTemplateRequest.builder()
                .launchTemplateName(template.name())
                .tagSpecifications(
                        TagSpecification.builder()
                                .resourceType(ResourceType.LAUNCH_TEMPLATE)
                                .tags(SdkEc2.tags(template.tags()))
                                .build())
                .launchTemplateData(data(template))
                .build();
    }

    private static RequestLaunchTemplateData data(LaunchTemplate template) {
        var data =
                RequestLaunchTemplateData.builder()
                        .imageId(template.imageId())
                        .iamInstanceProfile(p -> p.name(template.instanceProfile()))
                        .userData(template.userData())
                        .monitoring(m -> m.enabled(template.isMonitored()))
                        .enclaveOptions(e -> e.enabled(template.hasEnclave()))
                        .metadataOptions(metadata(template.metadata()))
                        .placement(placement(template.placement()))
                        .blockDeviceMappings(
                                template.devices().stream().map(TemplateWriting::device).toList())
                        .networkInterfaces(
                                template.interfaces().stream()
                                        .map(TemplateWriting::interfaceOf)
                                        .toList())
                        .tagSpecifications(
                                template.launchTags().entrySet().stream()
                                        .map(
                                                kind ->
                                                        LaunchTemplateTagSpecificationRequest
                                                                .builder()
                                                                .resourceType(kind.getKey())
                                                                .tags(SdkEc2.tags(kind.getValue()))
                                                                .build())
                                        .toList());
        if (template.nestedVirtualization() != null) {
            data.cpuOptions(c -> c.nestedVirtualization(template.nestedVirtualization()));
        }
        if (template.reservation() != null) {
            data.capacityReservationSpecification(reservation(template.reservation()));
        }
        if (template.marketType() != null) {
            data.instanceMarketOptions(m -> m.marketType(template.marketType()));
        }
        return data.build();
    }

    private static LaunchTemplateBlockDeviceMappingRequest device(LaunchTemplate.Device device) {
        return LaunchTemplateBlockDeviceMappingRequest.builder()
                .deviceName(device.name())
                .ebs(volume(device.ebs()))
                .build();
    }

    private static @Nullable LaunchTemplateEbsBlockDeviceRequest volume(
            LaunchTemplate.@Nullable Volume volume) {
        if (volume == null) {
            return null;
        }
        return LaunchTemplateEbsBlockDeviceRequest.builder()
                .deleteOnTermination(volume.deleteOnTermination())
                .encrypted(volume.encrypted())
                .iops(whole(volume.iops()))
                .kmsKeyId(volume.kmsKeyId())
                .snapshotId(volume.snapshotId())
                .throughput(whole(volume.throughput()))
                .volumeInitializationRate(volume.initializationRate())
                .volumeSize(volume.sizeGibibytes())
                .volumeType(volume.type())
                .build();
    }

    private static @Nullable Integer whole(@Nullable Long number) {
        return number == null ? null : Math.toIntExact(number);
    }

    /// The first card is EC2's default, and types with one card want none named.
    private static LaunchTemplateInstanceNetworkInterfaceSpecificationRequest interfaceOf(
            LaunchTemplate.Interface given) {
        return LaunchTemplateInstanceNetworkInterfaceSpecificationRequest.builder()
                .networkCardIndex(given.card() == 0 ? null : given.card())
                .deviceIndex(given.device())
                .interfaceType(given.type())
                .groups(given.groups())
                .associatePublicIpAddress(given.publicAddress())
                .ipv4PrefixCount(given.ipv4Prefixes())
                .ipv6PrefixCount(given.ipv6Prefixes())
                .ipv6AddressCount(given.ipv6Addresses())
                .primaryIpv6(given.isPrimaryIpv6())
                .connectionTrackingSpecification(tracking(given.tracking()))
                .build();
    }

    private static @Nullable ConnectionTrackingSpecificationRequest tracking(
            LaunchTemplate.@Nullable Tracking tracking) {
        if (tracking == null) {
            return null;
        }
        return ConnectionTrackingSpecificationRequest.builder()
                .tcpEstablishedTimeout(tracking.tcpEstablished())
                .udpStreamTimeout(tracking.udpStream())
                .udpTimeout(tracking.udp())
                .build();
    }

    private static LaunchTemplateInstanceMetadataOptionsRequest metadata(
            LaunchTemplate.Metadata metadata) {
        return LaunchTemplateInstanceMetadataOptionsRequest.builder()
                .httpEndpoint(metadata.endpoint())
                .httpProtocolIpv6(metadata.protocolIpv6())
                .httpPutResponseHopLimit(metadata.hopLimit())
                .httpTokens(metadata.tokens())
                .instanceMetadataTags(NO_METADATA_TAGS)
                .build();
    }

    private static LaunchTemplatePlacementRequest placement(LaunchTemplate.Placement placement) {
        return LaunchTemplatePlacementRequest.builder()
                .tenancy(placement.tenancy())
                .groupId(placement.groupId())
                .partitionNumber(placement.partition())
                .build();
    }

    private static LaunchTemplateCapacityReservationSpecificationRequest reservation(
            LaunchTemplate.Reservation reservation) {
        var written =
                LaunchTemplateCapacityReservationSpecificationRequest.builder()
                        .capacityReservationPreference(reservation.preference());
        if (reservation.id() != null) {
            written.capacityReservationTarget(t -> t.capacityReservationId(reservation.id()));
        }
        return written.build();
    }
}
