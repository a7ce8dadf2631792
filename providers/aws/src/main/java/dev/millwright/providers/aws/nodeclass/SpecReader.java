package dev.millwright.providers.aws.nodeclass;

import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;
import dev.millwright.providers.aws.nodeclass.NodeClassSpec.PlacementGroupSelector;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The spec from its document.
///
/// The API server has checked what its definition says; here only what cannot be understood is a
/// fault, since a class of another release must still be read as far as it goes.
final class SpecReader {

    /// Longest value of a tag in EC2.
    private static final int TAG_LENGTH_MAX = 256;

    /// Longest amount or threshold of a kubelet's setting.
    private static final int AMOUNT_LENGTH_MAX = 64;

    private static final long INT_MAX = Integer.MAX_VALUE;

    private SpecReader() {}

    static NodeClassSpec spec(Field spec) {
        return new NodeClassSpec(
                all(spec.at("subnetSelectorTerms"), SpecReader::subnet),
                all(spec.at("securityGroupSelectorTerms"), SpecReader::securityGroup),
                all(spec.at("capacityReservationSelectorTerms"), SpecReader::reservation),
                placementGroup(spec.at("placementGroupSelector")),
                flag(spec.at("associatePublicIPAddress")),
                count(spec.at("ipPrefixCount")),
                all(spec.at("amiSelectorTerms"), SpecReader::ami),
                family(spec.at("amiFamily")),
                spec.at("userData").text(),
                stated(spec.at("role")),
                stated(spec.at("instanceProfile")),
                tags(spec),
                kubelet(spec.at("kubelet")),
                all(spec.at("blockDeviceMappings"), SpecReader::device),
                choice(
                        spec.at("instanceStorePolicy"),
                        InstanceStorePolicy.values(),
                        InstanceStorePolicy::name),
                all(spec.at("networkInterfaces"), SpecReader::networkInterface),
                spec.at("detailedMonitoring").isTrue(),
                metadata(spec.at("metadataOptions")),
                connections(spec.at("connectionTracking")),
                spec.at("context").text(),
                stated(spec.at("cpuOptions").at("nestedVirtualization")));
    }

    /// What a faulty element reads as is left out.
    private static <T> List<T> all(Field field, Function<Field, @Nullable T> reading) {
        var all = new ArrayList<T>();
        for (var element : field.elements()) {
            var read = reading.apply(element);
            if (read != null) {
                all.add(read);
            }
        }
        return all;
    }

    /// Text of a field to which being empty and being absent is the same.
    static @Nullable String stated(Field field) {
        var text = field.text("");
        return text.isEmpty() ? null : text;
    }

    private static SequencedMap<String, String> tags(Field parent) {
        return parent.at("tags").texts(TAG_LENGTH_MAX);
    }

    private static SelectorTerm.Subnet subnet(Field term) {
        return new SelectorTerm.Subnet(tags(term), stated(term.at("id")));
    }

    private static SelectorTerm.SecurityGroup securityGroup(Field term) {
        return new SelectorTerm.SecurityGroup(
                tags(term), stated(term.at("id")), stated(term.at("name")));
    }

    private static SelectorTerm.CapacityReservation reservation(Field term) {
        return new SelectorTerm.CapacityReservation(
                tags(term),
                stated(term.at("id")),
                stated(term.at("ownerID")),
                stated(term.at("instanceMatchCriteria")));
    }

    private static SelectorTerm.@Nullable Ami ami(Field term) {
        var text = stated(term.at("alias"));
        var alias = text == null ? null : Alias.parse(text);
        if (text != null && alias == null) {
            term.at("alias")
                    .fault(
                            "found \"%s\"; wanted family@version such as al2023@v20240807"
                                    .formatted(Shortened.of(text)));
            return null;
        }
        return new SelectorTerm.Ami(
                alias,
                tags(term),
                stated(term.at("id")),
                stated(term.at("name")),
                stated(term.at("owner")),
                stated(term.at("ssmParameter")));
    }

    private static @Nullable PlacementGroupSelector placementGroup(Field field) {
        return field.isPresent()
                ? new PlacementGroupSelector(stated(field.at("name")), stated(field.at("id")))
                : null;
    }

    private static @Nullable AmiFamily family(Field field) {
        return choice(field, AmiFamily.values(), AmiFamily::text);
    }

    private static <T> @Nullable T choice(Field field, T[] values, Function<T, String> text) {
        var stated = stated(field);
        if (stated == null) {
            return null;
        }
        for (var value : values) {
            if (text.apply(value).equals(stated)) {
                return value;
            }
        }
        field.fault(
                "found \"%s\"; wanted one of %s"
                        .formatted(
                                Shortened.of(stated),
                                Arrays.stream(values).map(text).collect(Collectors.joining(", "))));
        return null;
    }

    private static @Nullable Boolean flag(Field field) {
        return field.isPresent() ? field.isTrue() : null;
    }

    private static @Nullable Integer count(Field field) {
        var number = field.whole(0, INT_MAX);
        return number == null ? null : Math.toIntExact(number);
    }

    private static KubeletConfiguration kubelet(Field field) {
        if (!field.isPresent()) {
            return KubeletConfiguration.NONE;
        }
        return new KubeletConfiguration(
                field.at("clusterDNS").textList(),
                count(field.at("maxPods")),
                count(field.at("podsPerCore")),
                field.at("systemReserved").texts(AMOUNT_LENGTH_MAX),
                field.at("kubeReserved").texts(AMOUNT_LENGTH_MAX),
                field.at("evictionHard").texts(AMOUNT_LENGTH_MAX),
                field.at("evictionSoft").texts(AMOUNT_LENGTH_MAX),
                durations(field.at("evictionSoftGracePeriod")),
                count(field.at("evictionMaxPodGracePeriod")),
                count(field.at("imageGCHighThresholdPercent")),
                count(field.at("imageGCLowThresholdPercent")),
                flag(field.at("cpuCFSQuota")));
    }

    private static SequencedMap<String, Duration> durations(Field field) {
        var durations = new TreeMap<String, Duration>();
        field.entries()
                .forEach(
                        (signal, entry) -> {
                            var text = entry.text("");
                            var duration = GoDuration.parse(text);
                            if (duration == null) {
                                entry.fault(
                                        "found \"%s\"; wanted a duration such as 1m30s"
                                                .formatted(Shortened.of(text)));
                            } else {
                                durations.put(signal, duration);
                            }
                        });
        return durations;
    }

    private static BlockDeviceMapping device(Field field) {
        var ebs = field.at("ebs");
        return new BlockDeviceMapping(
                stated(field.at("deviceName")),
                ebs.isPresent() ? ebs(ebs) : null,
                field.at("rootVolume").isTrue());
    }

    private static BlockDeviceMapping.Ebs ebs(Field field) {
        return new BlockDeviceMapping.Ebs(
                flag(field.at("deleteOnTermination")),
                flag(field.at("encrypted")),
                field.at("iops").whole(0, Long.MAX_VALUE),
                stated(field.at("kmsKeyID")),
                stated(field.at("snapshotID")),
                field.at("throughput").whole(0, Long.MAX_VALUE),
                count(field.at("volumeInitializationRate")),
                field.at("volumeSize").quantity(),
                stated(field.at("volumeType")));
    }

    private static @Nullable NetworkInterface networkInterface(Field field) {
        var card = count(field.at("networkCardIndex"));
        var device = count(field.at("deviceIndex"));
        var type =
                choice(
                        field.at("interfaceType"),
                        NetworkInterface.Type.values(),
                        NetworkInterface.Type::text);
        if (card == null || device == null || type == null) {
            field.fault("is not whole; wanted networkCardIndex, deviceIndex and interfaceType");
            return null;
        }
        return new NetworkInterface(card, device, type);
    }

    private static @Nullable MetadataOptions metadata(Field field) {
        return field.isPresent()
                ? new MetadataOptions(
                        stated(field.at("httpEndpoint")),
                        stated(field.at("httpProtocolIPv6")),
                        field.at("httpPutResponseHopLimit").whole(0, INT_MAX),
                        stated(field.at("httpTokens")))
                : null;
    }

    private static @Nullable ConnectionTracking connections(Field field) {
        return field.isPresent()
                ? new ConnectionTracking(
                        count(field.at("tcpEstablishedTimeout")),
                        count(field.at("udpStreamTimeout")),
                        count(field.at("udpTimeout")))
                : null;
    }
}
