package dev.millwright.providers.aws.nodeclass;

import static dev.millwright.providers.aws.nodeclass.HashShape.Member.plain;
import static dev.millwright.providers.aws.nodeclass.HashShape.Member.pointer;
import static dev.millwright.providers.aws.nodeclass.HashShape.Scalar.DURATION;
import static dev.millwright.providers.aws.nodeclass.HashShape.Scalar.FLAG;
import static dev.millwright.providers.aws.nodeclass.HashShape.Scalar.INT32;
import static dev.millwright.providers.aws.nodeclass.HashShape.Scalar.INT64;
import static dev.millwright.providers.aws.nodeclass.HashShape.Scalar.QUANTITY;
import static dev.millwright.providers.aws.nodeclass.HashShape.Scalar.TEXT;

import dev.millwright.core.policy.GoHash;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.nodeclass.HashShape.ListOf;
import dev.millwright.providers.aws.nodeclass.HashShape.MapOf;
import dev.millwright.providers.aws.nodeclass.HashShape.Member;
import dev.millwright.providers.aws.nodeclass.HashShape.Structure;

import java.util.ArrayList;
import java.util.List;

/// The hash by which a NodeClaim knows whether its class has changed since.
///
/// Bit for bit Karpenter's: another number under the same version would replace every node of a
/// fleet on the day we take over. What a selector leads to is not in it: that drifts by itself.
public final class NodeClassHash {

    /// What `karpenter.k8s.aws/ec2nodeclass-hash-version` says of this recipe.
    public static final String VERSION = "v5";

    private static final Structure PLACEMENT_GROUP =
            new Structure(
                    "PlacementGroupSelector",
                    pointer("Name", "name", TEXT),
                    pointer("ID", "id", TEXT));

    private static final Structure KUBELET =
            new Structure(
                    "KubeletConfiguration",
                    pointer("ClusterDNS", "clusterDNS", new ListOf(TEXT)),
                    pointer("MaxPods", "maxPods", INT32),
                    pointer("PodsPerCore", "podsPerCore", INT32),
                    pointer("SystemReserved", "systemReserved", new MapOf(TEXT)),
                    pointer("KubeReserved", "kubeReserved", new MapOf(TEXT)),
                    pointer("EvictionHard", "evictionHard", new MapOf(TEXT)),
                    pointer("EvictionSoft", "evictionSoft", new MapOf(TEXT)),
                    pointer(
                            "EvictionSoftGracePeriod",
                            "evictionSoftGracePeriod",
                            new MapOf(DURATION)),
                    pointer("EvictionMaxPodGracePeriod", "evictionMaxPodGracePeriod", INT32),
                    pointer("ImageGCHighThresholdPercent", "imageGCHighThresholdPercent", INT32),
                    pointer("ImageGCLowThresholdPercent", "imageGCLowThresholdPercent", INT32),
                    pointer("CPUCFSQuota", "cpuCFSQuota", FLAG));

    private static final Structure EBS =
            new Structure(
                    "BlockDevice",
                    pointer("DeleteOnTermination", "deleteOnTermination", FLAG),
                    pointer("Encrypted", "encrypted", FLAG),
                    pointer("IOPS", "iops", INT64),
                    pointer("KMSKeyID", "kmsKeyID", TEXT),
                    pointer("SnapshotID", "snapshotID", TEXT),
                    pointer("Throughput", "throughput", INT64),
                    pointer("VolumeInitializationRate", "volumeInitializationRate", INT32),
                    pointer("VolumeSize", "volumeSize", QUANTITY),
                    pointer("VolumeType", "volumeType", TEXT));

    private static final Structure DEVICE =
            new Structure(
                    "BlockDeviceMapping",
                    pointer("DeviceName", "deviceName", TEXT),
                    pointer("EBS", "ebs", EBS),
                    plain("RootVolume", "rootVolume", FLAG));

    private static final Structure NETWORK_INTERFACE =
            new Structure(
                    "NetworkInterface",
                    plain("NetworkCardIndex", "networkCardIndex", INT32),
                    plain("DeviceIndex", "deviceIndex", INT32),
                    plain("InterfaceType", "interfaceType", TEXT));

    private static final Structure METADATA =
            new Structure(
                    "MetadataOptions",
                    pointer("HTTPEndpoint", "httpEndpoint", TEXT),
                    pointer("HTTPProtocolIPv6", "httpProtocolIPv6", TEXT),
                    pointer("HTTPPutResponseHopLimit", "httpPutResponseHopLimit", INT64),
                    pointer("HTTPTokens", "httpTokens", TEXT));

    private static final Structure CONNECTIONS =
            new Structure(
                    "ConnectionTracking",
                    pointer("TCPEstablishedTimeout", "tcpEstablishedTimeout", INT32),
                    pointer("UDPStreamTimeout", "udpStreamTimeout", INT32),
                    pointer("UDPTimeout", "udpTimeout", INT32));

    private static final Structure CPU =
            new Structure(
                    "CPUOptions", pointer("NestedVirtualization", "nestedVirtualization", TEXT));

    private static final Member KUBELET_MEMBER = pointer("Kubelet", "kubelet", KUBELET);

    private static final List<Member> MEMBERS =
            List.of(
                    pointer("PlacementGroupSelector", "placementGroupSelector", PLACEMENT_GROUP),
                    pointer("AssociatePublicIPAddress", "associatePublicIPAddress", FLAG),
                    pointer("UserData", "userData", TEXT),
                    plain("Role", "role", TEXT),
                    pointer("InstanceProfile", "instanceProfile", TEXT),
                    pointer("Tags", "tags", new MapOf(TEXT)),
                    KUBELET_MEMBER,
                    pointer("BlockDeviceMappings", "blockDeviceMappings", new ListOf(DEVICE)),
                    pointer("InstanceStorePolicy", "instanceStorePolicy", TEXT),
                    pointer(
                            "NetworkInterfaces",
                            "networkInterfaces",
                            new ListOf(NETWORK_INTERFACE)),
                    pointer("DetailedMonitoring", "detailedMonitoring", FLAG),
                    pointer("MetadataOptions", "metadataOptions", METADATA),
                    pointer("ConnectionTracking", "connectionTracking", CONNECTIONS),
                    pointer("Context", "context", TEXT),
                    pointer("CPUOptions", "cpuOptions", CPU));

    private NodeClassHash() {}

    /// The annotation's text: the hash as an unsigned decimal.
    ///
    /// @param caBundle what nodes trust the API server by; rotating it replaces them
    public static String of(Ec2NodeClass nodeClass, String caBundle) {
        var family = nodeClass.spec().family().text();
        return of(nodeClass.writtenSpec(), MEMBERS, List.of(family, caBundle));
    }

    /// As the release after this one hashes: the kubelet's part as a text of its own. Nothing but
    /// the proof of the recipe needs it.
    static String withKubeletApart(Ec2NodeClass nodeClass, String caBundle, String kubelet) {
        var members = new ArrayList<>(MEMBERS);
        members.remove(KUBELET_MEMBER);
        var family = nodeClass.spec().family().text();
        return of(nodeClass.writtenSpec(), members, List.of(family, caBundle, kubelet));
    }

    private static String of(Value.Mapping spec, List<Member> members, List<String> texts) {
        var structure = new GoHash.Structure("EC2NodeClassSpec");
        for (var member : members) {
            structure.with(member.name(), member.hash(spec.fields().get(member.field())));
        }
        var sum = structure.hash();
        for (var text : texts) {
            sum ^= GoHash.text(text);
        }
        return Long.toUnsignedString(sum);
    }
}
