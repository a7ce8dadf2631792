package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.TrialInstance;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// Requests under the names of EC2's API, as [AwsEndpoint#requests] tells what the SDK wrote. An
/// empty list is not written, nor is what is null.
final class FakeRequests {

    private static final String LATEST = "$Latest";

    private FakeRequests() {}

    static Tree described(List<Filter> filters) {
        var written = filters.stream().map(FakeRequests::filter).toList();
        return list(Tree.of(), "Filters", written);
    }

    private static Value filter(Filter filter) {
        return Tree.of("Name", filter.name()).putTextList("Values", filter.values()).mapping();
    }

    static Tree texts(String field, List<String> values) {
        return values.isEmpty() ? Tree.of() : Tree.of().putTextList(field, values);
    }

    static Tree tagging(List<String> ids, SequencedMap<String, String> tags) {
        return list(texts("Resources", ids), "Tags", tags(tags));
    }

    // Fleets.

    static Tree fleet(FleetRequest fleet) {
        var target =
                Tree.of()
                        .put("TotalTargetCapacity", fleet.instances())
                        .put("DefaultTargetCapacityType", fleet.defaultType());
        var request = Tree.of("Type", "instant");
        text(request, "ClientToken", fleet.token());
        text(request, "Context", fleet.context());
        request.put("TargetCapacitySpecification", target);
        list(
                request,
                "LaunchTemplateConfigs",
                fleet.configs().stream().map(FakeRequests::config).toList());
        list(
                request,
                "TagSpecifications",
                Stream.of("instance", "volume", "fleet")
                        .map(kind -> tagged(kind, fleet.tags()))
                        .toList());
        if (fleet.spotAllocation() != null) {
            request.put("SpotOptions", Tree.of("AllocationStrategy", fleet.spotAllocation()));
        }
        if (fleet.onDemandAllocation() != null) {
            request.put(
                    "OnDemandOptions", Tree.of("AllocationStrategy", fleet.onDemandAllocation()));
        }
        if (!fleet.reservationTypes().isEmpty()) {
            request.put(
                    "ReservedCapacityOptions", texts("ReservationTypes", fleet.reservationTypes()));
        }
        return request;
    }

    private static Value config(FleetRequest.Config config) {
        var template = Tree.of("LaunchTemplateName", config.templateName()).put("Version", LATEST);
        return list(
                        Tree.of("LaunchTemplateSpecification", template),
                        "Overrides",
                        config.overrides().stream().map(FakeRequests::override).toList())
                .mapping();
    }

    private static Value override(FleetRequest.Override override) {
        var priority = new Value.Numeral(Position.NOWHERE, Double.toString(override.priority()));
        var written = Tree.of("InstanceType", override.instanceType());
        text(written, "SubnetId", override.subnetId());
        return written.put("ImageId", override.imageId())
                .put("AvailabilityZone", override.zone())
                .put("Priority", priority)
                .mapping();
    }

    static Tree trial(TrialInstance instance) {
        var template =
                Tree.of("LaunchTemplateName", instance.templateName()).put("Version", LATEST);
        var network =
                instance.interfaces().isEmpty()
                        ? List.<Value>of(
                                Tree.of("SubnetId", instance.subnetId())
                                        .put("DeviceIndex", 0)
                                        .mapping())
                        : instance.interfaces().stream()
                                .map(each -> trialInterface(each, instance.subnetId()))
                                .toList();
        var request =
                Tree.of("LaunchTemplate", template)
                        .put("DryRun", true)
                        .put("MinCount", 1)
                        .put("MaxCount", 1)
                        .put("InstanceType", instance.instanceType())
                        .put("ImageId", instance.imageId())
                        .putList("NetworkInterfaces", network);
        return list(
                request,
                "TagSpecifications",
                Stream.of("instance", "volume", "network-interface")
                        .map(kind -> tagged(kind, instance.tags()))
                        .toList());
    }

    private static Value trialInterface(LaunchTemplate.Interface given, String subnetId) {
        var written =
                Tree.of("SubnetId", subnetId)
                        .put("NetworkCardIndex", given.card())
                        .put("DeviceIndex", given.device());
        text(written, "InterfaceType", given.type());
        return written.mapping();
    }

    // Launch templates.

    static Tree template(LaunchTemplate template) {
        return Tree.of("LaunchTemplateName", template.name())
                .putList("TagSpecifications", List.of(tagged("launch-template", template.tags())))
                .put("LaunchTemplateData", data(template));
    }

    private static Tree data(LaunchTemplate template) {
        var metadata = template.metadata();
        var options = Tree.of("HttpEndpoint", metadata.endpoint());
        text(options, "HttpProtocolIpv6", metadata.protocolIpv6());
        options.put("HttpPutResponseHopLimit", metadata.hopLimit())
                .put("HttpTokens", metadata.tokens())
                .put("InstanceMetadataTags", "disabled");
        var placement = Tree.of("Tenancy", template.placement().tenancy());
        text(placement, "GroupId", template.placement().groupId());
        number(placement, "PartitionNumber", template.placement().partition());
        var data =
                Tree.of("ImageId", template.imageId())
                        .put("IamInstanceProfile", Tree.of("Name", template.instanceProfile()))
                        .put("UserData", template.userData())
                        .put("Monitoring", Tree.of().put("Enabled", template.isMonitored()))
                        .put("EnclaveOptions", Tree.of().put("Enabled", template.hasEnclave()))
                        .put("MetadataOptions", options)
                        .put("Placement", placement);
        list(
                data,
                "BlockDeviceMappings",
                template.devices().stream().map(FakeRequests::device).toList());
        list(
                data,
                "NetworkInterfaces",
                template.interfaces().stream().map(FakeRequests::network).toList());
        list(
                data,
                "TagSpecifications",
                template.launchTags().entrySet().stream()
                        .map(kind -> tagged(kind.getKey(), kind.getValue()))
                        .toList());
        if (template.nestedVirtualization() != null) {
            data.put(
                    "CpuOptions", Tree.of("NestedVirtualization", template.nestedVirtualization()));
        }
        if (template.reservation() != null) {
            data.put("CapacityReservationSpecification", reservation(template.reservation()));
        }
        if (template.marketType() != null) {
            data.put("InstanceMarketOptions", Tree.of("MarketType", template.marketType()));
        }
        return data;
    }

    private static Tree reservation(LaunchTemplate.Reservation reservation) {
        var written = Tree.of("CapacityReservationPreference", reservation.preference());
        return reservation.id() == null
                ? written
                : written.put(
                        "CapacityReservationTarget",
                        Tree.of("CapacityReservationId", reservation.id()));
    }

    private static Value device(LaunchTemplate.Device device) {
        var written = Tree.of();
        text(written, "DeviceName", device.name());
        var ebs = device.ebs();
        if (ebs != null) {
            var volume = Tree.of();
            flag(volume, "DeleteOnTermination", ebs.deleteOnTermination());
            flag(volume, "Encrypted", ebs.encrypted());
            number(volume, "Iops", ebs.iops());
            text(volume, "KmsKeyId", ebs.kmsKeyId());
            text(volume, "SnapshotId", ebs.snapshotId());
            number(volume, "Throughput", ebs.throughput());
            number(volume, "VolumeInitializationRate", ebs.initializationRate());
            number(volume, "VolumeSize", ebs.sizeGibibytes());
            text(volume, "VolumeType", ebs.type());
            written.put("Ebs", volume);
        }
        return written.mapping();
    }

    private static Value network(LaunchTemplate.Interface given) {
        var written = Tree.of();
        if (given.card() != 0) {
            written.put("NetworkCardIndex", given.card());
        }
        written.put("DeviceIndex", given.device());
        text(written, "InterfaceType", given.type());
        if (!given.groups().isEmpty()) {
            written.putTextList("Groups", given.groups());
        }
        flag(written, "AssociatePublicIpAddress", given.publicAddress());
        number(written, "Ipv4PrefixCount", given.ipv4Prefixes());
        number(written, "Ipv6PrefixCount", given.ipv6Prefixes());
        number(written, "Ipv6AddressCount", given.ipv6Addresses());
        flag(written, "PrimaryIpv6", given.isPrimaryIpv6());
        var tracking = given.tracking();
        if (tracking != null) {
            var timeouts = Tree.of();
            number(timeouts, "TcpEstablishedTimeout", tracking.tcpEstablished());
            number(timeouts, "UdpStreamTimeout", tracking.udpStream());
            number(timeouts, "UdpTimeout", tracking.udp());
            written.put("ConnectionTrackingSpecification", timeouts);
        }
        return written.mapping();
    }

    private static Value tagged(String kind, SequencedMap<String, String> tags) {
        return list(Tree.of("ResourceType", kind), "Tags", tags(tags)).mapping();
    }

    private static List<? extends Value> tags(SequencedMap<String, String> tags) {
        return tags.entrySet().stream()
                .map(tag -> Tree.of("Key", tag.getKey()).put("Value", tag.getValue()).mapping())
                .toList();
    }

    private static Tree list(Tree tree, String field, List<? extends Value> elements) {
        return elements.isEmpty() ? tree : tree.putList(field, elements);
    }

    private static void text(Tree tree, String field, @Nullable String text) {
        if (text != null) {
            tree.put(field, text);
        }
    }

    private static void number(Tree tree, String field, @Nullable Number number) {
        if (number != null) {
            tree.put(field, number.longValue());
        }
    }

    private static void flag(Tree tree, String field, @Nullable Boolean flag) {
        if (flag != null) {
            tree.put(field, flag);
        }
    }
}
