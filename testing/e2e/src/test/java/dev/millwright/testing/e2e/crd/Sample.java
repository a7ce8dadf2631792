package dev.millwright.testing.e2e.crd;

import dev.millwright.kube.client.ResourceType;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;

import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An object that is right, and what one test makes of it.
record Sample(ResourceType type, Map<String, Object> object) {

    private static final ResourceType KWOK_NODE_CLASS =
            new ResourceType(
                    "karpenter.kwok.sh", "v1alpha1", "kwoknodeclasses", "KWOKNodeClass", false);

    private static final ResourceType EC2_NODE_CLASS =
            new ResourceType("karpenter.k8s.aws", "v1", "ec2nodeclasses", "EC2NodeClass", false);

    static Sample nodePool() {
        return of(
                ResourceType.NODE_POOL,
                """
                template:
                  spec:
                    nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
                    requirements: []
                """);
    }

    static Sample nodeClaim() {
        return of(
                ResourceType.NODE_CLAIM,
                """
                nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
                requirements: []
                """);
    }

    static Sample nodeOverlay() {
        return of(ResourceType.NODE_OVERLAY, "requirements: []");
    }

    static Sample capacityBuffer() {
        return of(ResourceType.CAPACITY_BUFFER, "{podTemplateRef: {name: sample}, replicas: 1}");
    }

    static Sample kwokNodeClass() {
        return of(KWOK_NODE_CLASS, "{}");
    }

    static Sample ec2NodeClass() {
        return of(
                EC2_NODE_CLASS,
                """
                role: role
                amiSelectorTerms: [{alias: al2023@latest}]
                subnetSelectorTerms: [{tags: {a: b}}]
                securityGroupSelectorTerms: [{tags: {a: b}}]
                """);
    }

    static List<Sample> ofEveryKind() {
        return List.of(
                nodePool(),
                nodeClaim(),
                nodeOverlay(),
                capacityBuffer(),
                kwokNodeClass(),
                ec2NodeClass());
    }

    private static Sample of(ResourceType type, String spec) {
        var object = new LinkedHashMap<String, Object>();
        object.put("apiVersion", type.apiVersion());
        object.put("kind", type.kind());
        object.put("metadata", yaml("{name: sample}"));
        object.put("spec", yaml(spec));
        return new Sample(type, object);
    }

    /// A value in short.
    static Object yaml(String text) {
        return new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    /// The sample with a field of its spec set, and the objects above it made.
    Sample with(String path, Object value) {
        return set("spec." + path, value);
    }

    Sample without(String path) {
        return set("spec." + path, null);
    }

    /// The sample with these requirements, a YAML list or a list of objects.
    Sample requiring(Object list) {
        var path = type.equals(ResourceType.NODE_POOL) ? "template.spec." : "";
        return with(path + "requirements", list instanceof String text ? yaml(text) : list);
    }

    Sample named(String name) {
        return set("metadata.name", name);
    }

    Sample status(Object value) {
        return set("status", value);
    }

    Sample spec(Object value) {
        return set("spec", value);
    }

    /// The sample without a spec.
    Sample bare() {
        return set("spec", null);
    }

    private Sample set(String path, Object value) {
        return new Sample(type, set(object, path, value));
    }

    private static Map<String, Object> set(Map<?, ?> map, String path, Object value) {
        var copy = new LinkedHashMap<String, Object>();
        map.forEach((key, each) -> copy.put((String) key, each));
        var dot = path.indexOf('.');
        if (dot >= 0) {
            var step = path.substring(0, dot);
            var inner = copy.get(step) instanceof Map<?, ?> found ? found : Map.of();
            copy.put(step, set(inner, path.substring(dot + 1), value));
        } else if (value == null) {
            copy.remove(path);
        } else {
            copy.put(path, value);
        }
        return copy;
    }

    GenericKubernetesResource resource() {
        return Serialization.unmarshal(
                Serialization.asJson(object), GenericKubernetesResource.class);
    }

    /// For the names of tests.
    @Override
    public String toString() {
        return type.kind();
    }
}
