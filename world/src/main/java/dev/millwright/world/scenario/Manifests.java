package dev.millwright.world.scenario;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.sim.KwokNodeClass;

import java.util.List;
import java.util.Map;

/// Objects that scenarios have in common.
final class Manifests {

    static final ResourceType NODE_CLASS = KwokNodeClass.TYPE;
    static final ResourceType JOB = new ResourceType("batch", "v1", "jobs", "Job", true);
    static final String CLASS_NAME = "default";
    static final String NAMESPACE = "default";
    static final String ZONAL_DISKS = "zonal";

    /// Of a pod: how long its containers run before they end by themselves, as a Go duration.
    static final String RUNS_FOR = "world.millwright.dev/runs-for";

    private Manifests() {}

    static ObjectName nameOf(Deed.Create create) {
        return new ObjectName(create.namespace(), Metadata.text(create.body(), "name"));
    }

    static String inWords(ObjectName name) {
        return name.namespace().isEmpty() ? name.name() : name.toString();
    }

    static Tree object(ResourceType type, String name) {
        var metadata = Tree.of("name", name);
        if (type.isNamespaced()) {
            metadata.put("namespace", NAMESPACE);
        }
        return Tree.of("apiVersion", type.apiVersion())
                .put("kind", type.kind())
                .put("metadata", metadata);
    }

    static Deed.Create nodeClass() {
        return new Deed.Create(
                NODE_CLASS, "", object(NODE_CLASS, CLASS_NAME).put("spec", Tree.of()).mapping());
    }

    /// Disks that live in the zone of the first pod that wants them.
    static Deed.Create zonalDisks() {
        return new Deed.Create(
                ResourceType.STORAGE_CLASS,
                "",
                object(ResourceType.STORAGE_CLASS, ZONAL_DISKS)
                        .put("provisioner", "ebs.csi.aws.com")
                        .put("volumeBindingMode", "WaitForFirstConsumer")
                        .put("reclaimPolicy", "Delete")
                        .mapping());
    }

    /// A PodDisruptionBudget for the workload; `field` is `minAvailable` or `maxUnavailable`.
    static Deed.Create budget(String workload, String field, String amount) {
        var spec = Tree.of("selector", Tree.of("matchLabels", Tree.of("app", workload)));
        if (amount.endsWith("%")) {
            spec.put(field, amount);
        } else {
            spec.put(field, Long.parseLong(amount));
        }
        return new Deed.Create(
                ResourceType.POD_DISRUPTION_BUDGET,
                NAMESPACE,
                object(ResourceType.POD_DISRUPTION_BUDGET, workload).put("spec", spec).mapping());
    }

    static Value requirement(String key, String operator, String... values) {
        return Tree.of("key", key)
                .put("operator", operator)
                .putTextList("values", List.of(values))
                .mapping();
    }

    static Tree texts(Map<String, String> texts) {
        var tree = Tree.of();
        texts.forEach(tree::put);
        return tree;
    }
}
