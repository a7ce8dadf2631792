package dev.millwright.kube.crd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Each kind has the fields and columns of Karpenter's API: all of them, and no other.
class SchemaFieldsTest {

    private static final List<String> CONDITIONS =
            inside(
                    "conditions",
                    "type",
                    "status",
                    "lastTransitionTime",
                    "reason",
                    "message",
                    "observedGeneration");

    private static final List<String> CLAIM =
            all(
                    inside("taints", "key", "value", "effect", "timeAdded"),
                    inside("startupTaints", "key", "value", "effect", "timeAdded"),
                    inside("requirements", "key", "operator", "values", "minValues"),
                    below("nodeClassRef", List.of("group", "kind", "name")),
                    List.of("terminationGracePeriod", "expireAfter"));

    private static final List<String> KUBELET =
            List.of(
                    "clusterDNS",
                    "maxPods",
                    "podsPerCore",
                    "systemReserved",
                    "kubeReserved",
                    "evictionHard",
                    "evictionSoft",
                    "evictionSoftGracePeriod",
                    "evictionMaxPodGracePeriod",
                    "imageGCHighThresholdPercent",
                    "imageGCLowThresholdPercent",
                    "cpuCFSQuota");

    private static final List<String> EBS =
            List.of(
                    "deleteOnTermination",
                    "encrypted",
                    "iops",
                    "kmsKeyID",
                    "snapshotID",
                    "throughput",
                    "volumeInitializationRate",
                    "volumeSize",
                    "volumeType");

    private static final String[] RESERVATION = {
        "availabilityZone",
        "endTime",
        "id",
        "instanceMatchCriteria",
        "instanceType",
        "interruptible",
        "ownerID",
        "reservationType",
        "state"
    };

    /// A list and the fields of its elements.
    private static List<String> inside(String list, String... fields) {
        return all(List.of(list), Stream.of(fields).map(field -> list + "[]." + field).toList());
    }

    /// An object and its fields.
    private static List<String> below(String object, List<String> fields) {
        return all(List.of(object), fields.stream().map(field -> object + "." + field).toList());
    }

    @SafeVarargs
    private static List<String> all(List<String>... parts) {
        var all = new ArrayList<String>();
        for (var part : parts) {
            all.addAll(part);
        }
        return all;
    }

    private static void assertFields(String name, List<String> spec, List<String> status) {
        var definition = definition(name);

        assertThat(definition.properties(definition.schema()).sequencedKeySet())
                .containsExactlyElementsOf(
                        new TreeSet<>(
                                all(
                                        List.of("apiVersion", "kind", "metadata"),
                                        below("spec", spec),
                                        below("status", status))));
        definition.faults().throwIfAny();
    }

    private static void assertColumns(String name, String... columns) {
        assertThat(definition(name).columns()).containsExactly(columns);
    }

    private static Definition definition(String name) {
        var resources = name.endsWith(".k8s.aws") ? CustomResources.aws() : CustomResources.kwok();
        return Definition.of(resources.definition(name));
    }

    @Test
    void aNodePoolHasItsFields() {
        assertFields(
                "nodepools.karpenter.sh",
                all(
                        below(
                                "template",
                                all(
                                        below("metadata", List.of("labels", "annotations")),
                                        below("spec", CLAIM))),
                        below(
                                "disruption",
                                all(
                                        List.of("consolidateAfter", "consolidationPolicy"),
                                        inside(
                                                "budgets",
                                                "nodes",
                                                "reasons",
                                                "schedule",
                                                "duration"))),
                        List.of("limits", "weight", "replicas")),
                all(List.of("resources", "nodes", "nodeClassObservedGeneration"), CONDITIONS));
    }

    @Test
    void aNodeClaimHasItsFields() {
        assertFields(
                "nodeclaims.karpenter.sh",
                all(CLAIM, below("resources", List.of("requests"))),
                all(
                        List.of("nodeName", "providerID", "imageID"),
                        List.of("capacity", "allocatable", "lastPodEventTime"),
                        CONDITIONS));
    }

    @Test
    void aNodeOverlayHasItsFields() {
        assertFields(
                "nodeoverlays.karpenter.sh",
                all(
                        inside("requirements", "key", "operator", "values"),
                        List.of("priceAdjustment", "price", "capacity", "weight")),
                CONDITIONS);
    }

    @Test
    void aCapacityBufferHasItsFields() {
        assertFields(
                "capacitybuffers.autoscaling.x-k8s.io",
                all(
                        List.of("provisioningStrategy", "replicas", "percentage", "limits"),
                        below("podTemplateRef", List.of("name")),
                        below("scalableRef", List.of("apiGroup", "kind", "name"))),
                all(
                        below("podTemplateRef", List.of("name")),
                        List.of("podTemplateGeneration", "replicas", "provisioningStrategy"),
                        CONDITIONS));
    }

    @Test
    void aKwokNodeClassHasItsFields() {
        assertFields(
                "kwoknodeclasses.karpenter.kwok.sh", List.of("nodeRegistrationDelay"), CONDITIONS);
    }

    @Test
    void anEc2NodeClassHasItsFields() {
        assertFields(
                "ec2nodeclasses.karpenter.k8s.aws",
                all(
                        inside("subnetSelectorTerms", "tags", "id"),
                        inside("securityGroupSelectorTerms", "tags", "id", "name"),
                        inside(
                                "capacityReservationSelectorTerms",
                                "tags",
                                "id",
                                "ownerID",
                                "instanceMatchCriteria"),
                        below("placementGroupSelector", List.of("name", "id")),
                        inside(
                                "amiSelectorTerms",
                                "alias",
                                "tags",
                                "id",
                                "name",
                                "owner",
                                "ssmParameter"),
                        List.of("associatePublicIPAddress", "ipPrefixCount", "amiFamily"),
                        List.of("userData", "role", "instanceProfile", "tags", "context"),
                        List.of("instanceStorePolicy", "detailedMonitoring"),
                        below("kubelet", KUBELET),
                        inside("blockDeviceMappings", "deviceName", "rootVolume", "ebs"),
                        EBS.stream().map("blockDeviceMappings[].ebs."::concat).toList(),
                        inside(
                                "networkInterfaces",
                                "networkCardIndex",
                                "deviceIndex",
                                "interfaceType"),
                        below(
                                "metadataOptions",
                                List.of(
                                        "httpEndpoint",
                                        "httpProtocolIPv6",
                                        "httpPutResponseHopLimit",
                                        "httpTokens")),
                        below(
                                "connectionTracking",
                                List.of("tcpEstablishedTimeout", "udpStreamTimeout", "udpTimeout")),
                        below("cpuOptions", List.of("nestedVirtualization"))),
                all(
                        inside("subnets", "id", "zone", "zoneID"),
                        inside("securityGroups", "id", "name"),
                        inside("capacityReservations", RESERVATION),
                        inside("amis", "id", "name", "deprecated", "requirements"),
                        List.of("amis[].requirements[].key", "amis[].requirements[].operator"),
                        List.of("amis[].requirements[].values", "instanceProfile"),
                        CONDITIONS));
    }

    @Test
    void anEc2NodeClassHasItsColumns() {
        assertColumns(
                "ec2nodeclasses.karpenter.k8s.aws",
                "Ready string .status.conditions[?(@.type==\"Ready\")].status 0",
                "Age date .metadata.creationTimestamp 0",
                "Role string .spec.role 1");
    }

    @Test
    void aNodePoolHasItsColumns() {
        assertColumns(
                "nodepools.karpenter.sh",
                "NodeClass string .spec.template.spec.nodeClassRef.name 0",
                "Nodes string .status.nodes 0",
                "Ready string .status.conditions[?(@.type==\"Ready\")].status 0",
                "Age date .metadata.creationTimestamp 0",
                "Weight integer .spec.weight 1",
                "CPU string .status.resources.cpu 1",
                "Memory string .status.resources.memory 1");
    }

    @Test
    void aNodeClaimHasItsColumns() {
        assertColumns(
                "nodeclaims.karpenter.sh",
                "Type string .metadata.labels.node\\.kubernetes\\.io/instance-type 0",
                "Capacity string .metadata.labels.karpenter\\.sh/capacity-type 0",
                "Zone string .metadata.labels.topology\\.kubernetes\\.io/zone 0",
                "Node string .status.nodeName 0",
                "Ready string .status.conditions[?(@.type==\"Ready\")].status 0",
                "Age date .metadata.creationTimestamp 0",
                "ImageID string .status.imageID 1",
                "ID string .status.providerID 1",
                "NodePool string .metadata.labels.karpenter\\.sh/nodepool 1",
                "NodeClass string .spec.nodeClassRef.name 1",
                "Drifted string .status.conditions[?(@.type==\"Drifted\")].status 1");
    }

    @Test
    void aNodeOverlayHasItsColumns() {
        assertColumns(
                "nodeoverlays.karpenter.sh",
                "Ready string .status.conditions[?(@.type==\"Ready\")].status 0",
                "Age date .metadata.creationTimestamp 0",
                "Weight integer .spec.weight 1");
    }

    @Test
    void aCapacityBufferHasItsColumns() {
        assertColumns(
                "capacitybuffers.autoscaling.x-k8s.io",
                "Strategy string .spec.provisioningStrategy 0",
                "PodTemplate string .status.podTemplateRef.name 0",
                "Replicas integer .status.replicas 0",
                "ConditionsType string .status.conditions[*].type 0",
                "ConditionsStatus string .status.conditions[*].status 0",
                "ConditionsReason string .status.conditions[*].reason 0",
                "Age date .metadata.creationTimestamp 0");
    }

    @Test
    void aKwokNodeClassHasNoColumnsOfItsOwn() {
        assertColumns("kwoknodeclasses.karpenter.kwok.sh");
    }
}
