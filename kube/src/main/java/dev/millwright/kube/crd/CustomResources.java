package dev.millwright.kube.crd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Definitions of custom resources as YAML, one document each, by name, e.g.
/// `nodepools.karpenter.sh`.
///
/// The files beside this class are the truth; what a provider adds to them is added to the text, so
/// that what is printed, installed and tested is the same.
public record CustomResources(SequencedMap<String, String> definitions) {

    public static final String NODE_POOLS = "nodepools.karpenter.sh";
    public static final String NODE_CLAIMS = "nodeclaims.karpenter.sh";
    public static final String NODE_OVERLAYS = "nodeoverlays.karpenter.sh";
    public static final String CAPACITY_BUFFERS = "capacitybuffers.autoscaling.x-k8s.io";
    public static final String KWOK_NODE_CLASSES = "kwoknodeclasses.karpenter.kwok.sh";
    public static final String EC2_NODE_CLASSES = "ec2nodeclasses.karpenter.k8s.aws";

    /// Kwok's own domain, but for the labels its nodes have.
    private static final ReservedDomain KWOK =
            new ReservedDomain(
                    "karpenter.kwok.sh",
                    List.of(
                            "karpenter.kwok.sh/kwoknodeclass",
                            "karpenter.kwok.sh/instance-cpu",
                            "karpenter.kwok.sh/instance-memory",
                            "karpenter.kwok.sh/instance-family",
                            "karpenter.kwok.sh/instance-size"),
                    ReservedDomain.Reach.REQUIREMENTS);

    /// What of EC2's domain tells instance types apart, whoever launches them and how.
    private static final List<String> EC2_TYPE_KEYS =
            List.of(
                    "karpenter.k8s.aws/ec2nodeclass",
                    "karpenter.k8s.aws/instance-accelerator-count",
                    "karpenter.k8s.aws/instance-accelerator-manufacturer",
                    "karpenter.k8s.aws/instance-accelerator-name",
                    "karpenter.k8s.aws/instance-capability-flex",
                    "karpenter.k8s.aws/instance-category",
                    "karpenter.k8s.aws/instance-cpu",
                    "karpenter.k8s.aws/instance-cpu-manufacturer",
                    "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz",
                    "karpenter.k8s.aws/instance-ebs-bandwidth",
                    "karpenter.k8s.aws/instance-encryption-in-transit-supported",
                    "karpenter.k8s.aws/instance-family",
                    "karpenter.k8s.aws/instance-generation",
                    "karpenter.k8s.aws/instance-gpu-count",
                    "karpenter.k8s.aws/instance-gpu-manufacturer",
                    "karpenter.k8s.aws/instance-gpu-memory",
                    "karpenter.k8s.aws/instance-gpu-name",
                    "karpenter.k8s.aws/instance-hypervisor",
                    "karpenter.k8s.aws/instance-local-nvme",
                    "karpenter.k8s.aws/instance-memory",
                    "karpenter.k8s.aws/instance-network-bandwidth",
                    "karpenter.k8s.aws/instance-size");

    /// What of EC2's domain a node may be asked for besides.
    private static final List<String> EC2_LAUNCH_KEYS =
            List.of(
                    "karpenter.k8s.aws/capacity-reservation-id",
                    "karpenter.k8s.aws/capacity-reservation-interruptible",
                    "karpenter.k8s.aws/capacity-reservation-type",
                    "karpenter.k8s.aws/instance-tenancy",
                    "karpenter.k8s.aws/placement-group-id",
                    "karpenter.k8s.aws/placement-group-partition");

    private static final String EC2_DOMAIN = "karpenter.k8s.aws";

    public CustomResources {
        definitions = Collections.unmodifiableSequencedMap(new TreeMap<>(definitions));
    }

    /// What every provider needs.
    public static CustomResources core() {
        return beside(
                CustomResources.class,
                List.of(NODE_POOLS, NODE_CLAIMS, NODE_OVERLAYS, CAPACITY_BUFFERS));
    }

    /// The definitions of these names, from files beside a class of the module that has them.
    public static CustomResources beside(Class<?> owner, List<String> names) {
        var definitions = new TreeMap<String, String>();
        for (var name : names) {
            definitions.put(name, resource(owner, name));
        }
        return new CustomResources(definitions);
    }

    /// What a cluster with kwok's nodes needs.
    public static CustomResources kwok() {
        return core().withKwok();
    }

    /// What a cluster with EC2's nodes needs.
    public static CustomResources aws() {
        return core().withAws();
    }

    /// These and kwok's.
    public CustomResources withKwok() {
        return with(KWOK_NODE_CLASSES, resource(CustomResources.class, KWOK_NODE_CLASSES))
                .reserving(KWOK);
    }

    /// These and EC2's.
    public CustomResources withAws() {
        var keys = new ArrayList<>(EC2_TYPE_KEYS);
        keys.addAll(EC2_LAUNCH_KEYS);
        return with(EC2_NODE_CLASSES, resource(CustomResources.class, EC2_NODE_CLASSES))
                .reserving(
                        new ReservedDomain(
                                EC2_DOMAIN, keys, ReservedDomain.Reach.REQUIREMENTS_AND_LABELS))
                .reserving(
                        new ReservedDomain(
                                EC2_DOMAIN, EC2_TYPE_KEYS, ReservedDomain.Reach.OVERLAYS));
    }

    public List<String> names() {
        return List.copyOf(definitions.sequencedKeySet());
    }

    /// @throws IllegalArgumentException when there is no definition of that name
    public String definition(String name) {
        var definition = definitions.get(name);
        if (definition == null) {
            throw new IllegalArgumentException(
                    "custom resource \"%s\" is unknown; wanted one of %s".formatted(name, names()));
        }
        return definition;
    }

    /// All definitions as one text of several documents, as `kubectl apply` takes it.
    public String text() {
        return String.join("---\n", definitions.sequencedValues());
    }

    /// These and one more, such as a provider's node class.
    public CustomResources with(String name, String definition) {
        var more = new TreeMap<>(definitions);
        more.put(name, definition);
        return new CustomResources(more);
    }

    /// These and all others.
    public CustomResources with(CustomResources others) {
        var more = new TreeMap<>(definitions);
        more.putAll(others.definitions);
        return new CustomResources(more);
    }

    /// These with a rule against a provider's own keys wherever the files leave room for one.
    public CustomResources reserving(ReservedDomain domain) {
        var ruled = new TreeMap<String, String>();
        definitions.forEach((name, definition) -> ruled.put(name, domain.addTo(definition)));
        return new CustomResources(ruled);
    }

    private static String resource(Class<?> owner, String name) {
        var file = name + ".yaml";
        try (var stream = owner.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "%s is not beside the classes; build the module with its resources"
                                .formatted(file));
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("%s could not be read".formatted(file), failure);
        }
    }
}
