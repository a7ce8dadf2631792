package dev.millwright.providers.aws.launch;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.nodeclass.BlockDeviceMapping;
import dev.millwright.providers.aws.nodeclass.ConnectionTracking;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.MetadataOptions;
import dev.millwright.providers.aws.nodeclass.NetworkInterface;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// The launch template of a group of types. A function: the same inputs make the same template with
/// the same name.
public final class TemplateMaker {

    private static final String NAME_PREFIX = "karpenter.k8s.aws/";

    /// What pods ask for who want an enclave.
    static final String ENCLAVE = "eks.amazonaws.com/nip-slots";

    private static final BigDecimal BYTES_PER_GIBIBYTE = BigDecimal.valueOf(1L << 30);

    /// Whose metadata service does not know the field.
    private static final Set<String> REGIONS_WITHOUT_IPV6_METADATA =
            Set.of(
                    "us-iso-east-1",
                    "us-iso-west-1",
                    "us-isob-east-1",
                    "us-isob-west-1",
                    "us-isof-south-1",
                    "us-isof-east-1");

    private final ClusterFacts cluster;
    private final boolean isReservedCapacityOn;

    public TemplateMaker(ClusterFacts cluster, boolean isReservedCapacityOn) {
        this.cluster = cluster;
        this.isReservedCapacityOn = isReservedCapacityOn;
    }

    /// What a template is made of besides the class and the cluster.
    ///
    /// @param tags as everything of the class has
    /// @param userData in base 64
    /// @param placementGroup null when the class has none
    public record Parts(
            Wish wish,
            TemplateGroup group,
            String capacityType,
            SequencedMap<String, String> tags,
            String userData,
            @Nullable PlacementGroupInfo placementGroup) {}

    public LaunchTemplate make(Ec2NodeClass nodeClass, Parts parts) {
        var spec = nodeClass.spec();
        var profile = nodeClass.status().instanceProfile();
        var nameless =
                new LaunchTemplate(
                        "",
                        parts.tags(),
                        launchTags(parts),
                        parts.group().image().id(),
                        profile == null ? "" : profile,
                        parts.userData(),
                        spec.devices().stream().map(TemplateMaker::device).toList(),
                        interfaces(nodeClass, parts),
                        metadata(spec.metadataOptions()),
                        placement(parts),
                        spec.isDetailedMonitoringOn(),
                        parts.wish().requests().amount(ENCLAVE).compareTo(Quantity.ZERO) > 0,
                        spec.nestedVirtualization(),
                        reservation(parts.group()),
                        marketType(parts.group()));
        return named(nameless, NAME_PREFIX + hash(nodeClass.name(), nameless));
    }

    private static SequencedMap<String, SequencedMap<String, String>> launchTags(Parts parts) {
        var tags = new TreeMap<String, SequencedMap<String, String>>();
        tags.put("network-interface", parts.tags());
        if (parts.capacityType().equals(LabelKeys.CAPACITY_TYPE_SPOT)) {
            tags.put("spot-instances-request", parts.tags());
        }
        return tags;
    }

    private static LaunchTemplate.Device device(BlockDeviceMapping mapping) {
        var ebs = mapping.ebs();
        return new LaunchTemplate.Device(
                mapping.deviceName(),
                ebs == null
                        ? null
                        : new LaunchTemplate.Volume(
                                ebs.isDeletedOnTermination(),
                                ebs.isEncrypted(),
                                unlessZero(ebs.iops()),
                                ebs.kmsKeyId(),
                                ebs.snapshotId(),
                                unlessZero(ebs.throughput()),
                                ebs.volumeInitializationRate(),
                                ebs.volumeSize() == null ? null : gibibytes(ebs.volumeSize()),
                                ebs.volumeType()));
    }

    private static @Nullable Long unlessZero(@Nullable Long number) {
        return number == null || number == 0 ? null : number;
    }

    private static int gibibytes(Quantity size) {
        return size.toBigDecimal()
                .divide(BYTES_PER_GIBIBYTE, 0, RoundingMode.CEILING)
                .intValueExact();
    }

    /// Always stated, so that security groups belong to interfaces and never to the template.
    private List<LaunchTemplate.Interface> interfaces(Ec2NodeClass nodeClass, Parts parts) {
        var spec = nodeClass.spec();
        var groups =
                nodeClass.status().securityGroups().stream()
                        .map(NodeClassStatus.SecurityGroup::id)
                        .toList();
        var made = new ArrayList<LaunchTemplate.Interface>();
        if (!spec.networkInterfaces().isEmpty()) {
            for (var wanted : spec.networkInterfaces()) {
                made.add(
                        wanted.type() == NetworkInterface.Type.EFA_ONLY
                                ? bare(wanted, groups)
                                : full(
                                        nodeClass,
                                        wanted.networkCardIndex(),
                                        wanted.deviceIndex(),
                                        wanted.type().text(),
                                        groups));
            }
        } else if (parts.group().efaInterfaces() > 0) {
            for (var card = 0; card < parts.group().efaInterfaces(); card++) {
                made.add(full(nodeClass, card, card == 0 ? 0 : 1, "efa", groups));
            }
        } else {
            made.add(full(nodeClass, 0, 0, null, groups));
        }
        return made;
    }

    /// One that carries EFA traffic alone has no address to be set up.
    private static LaunchTemplate.Interface bare(NetworkInterface wanted, List<String> groups) {
        return new LaunchTemplate.Interface(
                wanted.networkCardIndex(),
                wanted.deviceIndex(),
                wanted.type().text(),
                groups,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private LaunchTemplate.Interface full(
            Ec2NodeClass nodeClass,
            int card,
            int device,
            @Nullable String type,
            List<String> groups) {
        var spec = nodeClass.spec();
        var isIpv6 = cluster.isIpv6();
        return new LaunchTemplate.Interface(
                card,
                device,
                type,
                groups,
                spec.associatePublicIpAddress(),
                isIpv6 ? null : spec.ipPrefixCount(),
                isIpv6 ? spec.ipPrefixCount() : null,
                isIpv6 ? 1 : null,
                isIpv6 ? true : null,
                tracking(spec.connectionTracking()));
    }

    private static LaunchTemplate.@Nullable Tracking tracking(
            @Nullable ConnectionTracking tracking) {
        return tracking == null
                ? null
                : new LaunchTemplate.Tracking(
                        tracking.tcpEstablishedTimeout(),
                        tracking.udpStreamTimeout(),
                        tracking.udpTimeout());
    }

    private LaunchTemplate.Metadata metadata(@Nullable MetadataOptions stated) {
        var fallback = MetadataOptions.fallback(cluster.isIpv6());
        var options = stated == null ? fallback : stated;
        var hopLimit = options.httpPutResponseHopLimit();
        return new LaunchTemplate.Metadata(
                orElse(options.httpEndpoint(), MetadataOptions.ENABLED),
                REGIONS_WITHOUT_IPV6_METADATA.contains(cluster.region())
                        ? null
                        : orElse(options.httpProtocolIpv6(), MetadataOptions.DISABLED),
                hopLimit == null ? 1 : Math.toIntExact(hopLimit),
                orElse(options.httpTokens(), "required"));
    }

    private static String orElse(@Nullable String text, String other) {
        return text == null ? other : text;
    }

    private static LaunchTemplate.Placement placement(Parts parts) {
        var group = parts.placementGroup();
        return new LaunchTemplate.Placement(
                parts.wish().tenancy(),
                group == null ? null : group.id(),
                group == null ? null : partition(parts.wish()));
    }

    /// The lowest the claim names, so that the label we promise is the partition it gets.
    static @Nullable Integer partition(Wish wish) {
        var wanted = wish.requirements().orNull(Ec2Labels.PLACEMENT_GROUP_PARTITION);
        if (wanted == null || wanted.isComplement() || wanted.values().isEmpty()) {
            return null;
        }
        try {
            return Integer.valueOf(wanted.values().getFirst());
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private LaunchTemplate.@Nullable Reservation reservation(TemplateGroup group) {
        if (!isReservedCapacityOn) {
            return null;
        }
        var reservation = group.reservation();
        return reservation == null
                ? new LaunchTemplate.Reservation("none", null)
                : new LaunchTemplate.Reservation("capacity-reservations-only", reservation.id());
    }

    private static @Nullable String marketType(TemplateGroup group) {
        var reservation = group.reservation();
        if (reservation == null) {
            return null;
        }
        if (reservation.isCapacityBlock()) {
            return "capacity-block";
        }
        return reservation.isInterruptible() ? "interruptible-capacity-reservation" : null;
    }

    private static LaunchTemplate named(LaunchTemplate template, String name) {
        return new LaunchTemplate(
                name,
                template.tags(),
                template.launchTags(),
                template.imageId(),
                template.instanceProfile(),
                template.userData(),
                template.devices(),
                template.interfaces(),
                template.metadata(),
                template.placement(),
                template.isMonitored(),
                template.hasEnclave(),
                template.nestedVirtualization(),
                template.reservation(),
                template.marketType());
    }

    /// All that the template says, and whose it is. Two alike classes do not share one: it would
    /// have to outlive the first of them.
    private static String hash(String className, LaunchTemplate template) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest((className + "\n" + template).getBytes(StandardCharsets.UTF_8));
            return Long.toUnsignedString(ByteBuffer.wrap(digest).getLong());
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("every JDK has SHA-256", failure);
        }
    }
}
