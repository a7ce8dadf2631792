package dev.millwright.world.scenario;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// A workload in the making, with the pods it makes.
final class WorkloadManifest {

    private final String name;
    private final Tree requests = Tree.of();
    private final Tree limits = Tree.of();
    private final TreeMap<String, String> annotations = new TreeMap<>();
    private final TreeMap<String, String> nodeSelector = new TreeMap<>();
    private final List<Value> tolerations = new ArrayList<>();
    private final Tree podSpec = Tree.of();
    private boolean hasDisk;

    private WorkloadManifest(String name, String cpu, String memory) {
        this.name = name;
        requests.put("cpu", cpu).put("memory", memory);
    }

    static WorkloadManifest named(String name, String cpu, String memory) {
        return new WorkloadManifest(name, cpu, memory);
    }

    /// Resources that must be limited to what is requested.
    WorkloadManifest device(String resource, int count) {
        requests.put(resource, Integer.toString(count));
        limits.put(resource, Integer.toString(count));
        return this;
    }

    WorkloadManifest annotation(String key, String value) {
        annotations.put(key, value);
        return this;
    }

    WorkloadManifest onNodesWith(String key, String value) {
        nodeSelector.put(key, value);
        return this;
    }

    WorkloadManifest tolerating(String key) {
        tolerations.add(Tree.of("key", key).put("operator", "Exists").mapping());
        return this;
    }

    WorkloadManifest graceSeconds(long seconds) {
        podSpec.put("terminationGracePeriodSeconds", seconds);
        return this;
    }

    /// Evenly over zones, so that the difference is at most one.
    WorkloadManifest spreadOverZones() {
        return spread("DoNotSchedule");
    }

    /// Evenly over zones where that is possible. Pods whose disks tie them to a zone need it so:
    /// once others of them are gone, only that zone will do, however full it is.
    WorkloadManifest spreadOverZonesIfPossible() {
        return spread("ScheduleAnyway");
    }

    private WorkloadManifest spread(String whenUnsatisfiable) {
        podSpec.putList(
                "topologySpreadConstraints",
                List.of(
                        Tree.of("topologyKey", LabelKeys.ZONE)
                                .put("maxSkew", 1)
                                .put("whenUnsatisfiable", whenUnsatisfiable)
                                .put("labelSelector", selector())
                                .mapping()));
        return this;
    }

    /// No two on one node.
    WorkloadManifest apartFromEachOther() {
        var term = Tree.of("topologyKey", LabelKeys.HOSTNAME).put("labelSelector", selector());
        podSpec.put(
                "affinity",
                Tree.of(
                        "podAntiAffinity",
                        Tree.of()
                                .putList(
                                        "requiredDuringSchedulingIgnoredDuringExecution",
                                        List.of(term.mapping()))));
        return this;
    }

    /// Each pod with a disk of its own, which stays in its zone.
    WorkloadManifest withDisk() {
        hasDisk = true;
        return this;
    }

    private Tree selector() {
        return Tree.of("matchLabels", Tree.of("app", name));
    }

    private Tree template(String restartPolicy) {
        var container =
                Tree.of("name", "main")
                        .put("image", "example.com/" + name + ":1")
                        .put("resources", resources());
        if (hasDisk) {
            container.putList(
                    "volumeMounts",
                    List.of(Tree.of("name", "data").put("mountPath", "/data").mapping()));
        }
        podSpec.putList("containers", List.of(container.mapping()));
        if (!restartPolicy.isEmpty()) {
            podSpec.put("restartPolicy", restartPolicy);
        }
        if (!nodeSelector.isEmpty()) {
            podSpec.put("nodeSelector", Manifests.texts(nodeSelector));
        }
        if (!tolerations.isEmpty()) {
            podSpec.putList("tolerations", tolerations);
        }
        var metadata = Tree.of("labels", Tree.of("app", name));
        if (!annotations.isEmpty()) {
            metadata.put("annotations", Manifests.texts(annotations));
        }
        return Tree.of("metadata", metadata).put("spec", podSpec);
    }

    private Tree resources() {
        var resources = Tree.of("requests", requests);
        return limits.isEmpty() ? resources : resources.put("limits", limits);
    }

    Deed.Create deployment(int replicas) {
        return create(
                ResourceType.DEPLOYMENT,
                Tree.of("selector", selector())
                        .put("replicas", replicas)
                        .put("template", template("")));
    }

    Deed.Create statefulSet(int replicas) {
        var spec =
                Tree.of("selector", selector())
                        .put("replicas", replicas)
                        .put("serviceName", name)
                        .put("podManagementPolicy", "Parallel")
                        .put("template", template(""));
        if (hasDisk) {
            spec.putList("volumeClaimTemplates", List.of(diskTemplate()));
        }
        return create(ResourceType.STATEFUL_SET, spec);
    }

    private static Value diskTemplate() {
        var spec =
                Tree.of("storageClassName", Manifests.ZONAL_DISKS)
                        .putTextList("accessModes", List.of("ReadWriteOnce"))
                        .put("resources", Tree.of("requests", Tree.of("storage", "20Gi")));
        return Tree.of("metadata", Tree.of("name", "data")).put("spec", spec).mapping();
    }

    Deed.Create daemonSet() {
        return create(
                ResourceType.DAEMON_SET,
                Tree.of("selector", selector()).put("template", template("")));
    }

    /// So many pods, all at once.
    Deed.Create job(int pods) {
        return create(
                Manifests.JOB,
                Tree.of()
                        .put("parallelism", pods)
                        .put("completions", pods)
                        .put("backoffLimit", pods * 10L)
                        .put("template", template("Never")));
    }

    private Deed.Create create(ResourceType type, Tree spec) {
        return new Deed.Create(
                type,
                Manifests.NAMESPACE,
                Manifests.object(type, name).put("spec", spec).mapping());
    }
}
