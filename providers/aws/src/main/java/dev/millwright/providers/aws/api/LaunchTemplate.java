package dev.millwright.providers.aws.api;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A launch template to be made.
///
/// @param tags of the template itself
/// @param launchTags of what is made with an instance and is not tagged by the fleet, by resource
///   type, e.g. `network-interface`
/// @param userData as EC2 takes it, in base 64
/// @param nestedVirtualization null to leave it to EC2
/// @param reservation null to say nothing about capacity reservations
/// @param marketType null for the ordinary market
public record LaunchTemplate(
        String name,
        SequencedMap<String, String> tags,
        SequencedMap<String, SequencedMap<String, String>> launchTags,
        String imageId,
        String instanceProfile,
        String userData,
        List<Device> devices,
        List<Interface> interfaces,
        Metadata metadata,
        Placement placement,
        boolean isMonitored,
        boolean hasEnclave,
        @Nullable String nestedVirtualization,
        @Nullable Reservation reservation,
        @Nullable String marketType) {

    public LaunchTemplate {
        tags = Collections.unmodifiableSequencedMap(new TreeMap<>(tags));
        launchTags = Collections.unmodifiableSequencedMap(new TreeMap<>(launchTags));
        devices = List.copyOf(devices);
        interfaces = List.copyOf(interfaces);
    }

    /// @param ebs null for a device without a volume of its own
    public record Device(@Nullable String name, @Nullable Volume ebs) {}

    public record Volume(
            @Nullable Boolean deleteOnTermination,
            @Nullable Boolean encrypted,
            @Nullable Long iops,
            @Nullable String kmsKeyId,
            @Nullable String snapshotId,
            @Nullable Long throughput,
            @Nullable Integer initializationRate,
            @Nullable Integer sizeGibibytes,
            @Nullable String type) {}

    /// @param type null for EC2's default
    public record Interface(
            int card,
            int device,
            @Nullable String type,
            List<String> groups,
            @Nullable Boolean publicAddress,
            @Nullable Integer ipv4Prefixes,
            @Nullable Integer ipv6Prefixes,
            @Nullable Integer ipv6Addresses,
            @Nullable Boolean isPrimaryIpv6,
            @Nullable Tracking tracking) {

        public Interface {
            groups = List.copyOf(groups);
        }
    }

    /// How long idle connections are remembered, in seconds.
    public record Tracking(
            @Nullable Integer tcpEstablished, @Nullable Integer udpStream, @Nullable Integer udp) {}

    /// @param protocolIpv6 null where the region does not know it
    public record Metadata(
            String endpoint, @Nullable String protocolIpv6, int hopLimit, String tokens) {}

    /// @param groupId null without a placement group
    /// @param partition null to let EC2 choose
    public record Placement(
            String tenancy, @Nullable String groupId, @Nullable Integer partition) {}

    /// @param id null without a target
    public record Reservation(String preference, @Nullable String id) {}
}
