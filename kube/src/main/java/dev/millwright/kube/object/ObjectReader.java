package dev.millwright.kube.object;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.cluster.Workload;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.translation.ContainerTranslation;
import dev.millwright.kube.translation.LabelTranslation;
import dev.millwright.kube.translation.NodePoolTranslation;
import dev.millwright.kube.translation.NodeTranslation;
import dev.millwright.kube.translation.PlacementTranslation;
import dev.millwright.kube.translation.PodTranslation;
import dev.millwright.kube.translation.StorageTranslation;
import dev.millwright.kube.translation.WorkloadTranslation;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// Objects as the API server writes them, to values.
///
/// What cannot be read is left out; where a person wrote the object its faults are kept with it.
public final class ObjectReader {

    private final NodeTranslation nodes;
    private final NodePoolTranslation nodePools;
    private final PodTranslation pods;
    private final StorageTranslation storage;
    private final WorkloadTranslation workloads;
    private final LabelTranslation labels;

    public ObjectReader(LabelVocabulary vocabulary) {
        labels = new LabelTranslation(vocabulary);
        var placements = new PlacementTranslation(labels);
        nodes = new NodeTranslation(labels);
        nodePools = new NodePoolTranslation(labels);
        pods = new PodTranslation(placements, true);
        storage = new StorageTranslation(placements);
        workloads = new WorkloadTranslation(labels, pods);
    }

    private static Field root(Value.Mapping object) {
        return root(object, new Faults());
    }

    private static Field root(Value.Mapping object, Faults faults) {
        return Field.root("", object, faults);
    }

    public PodObject pod(Value.Mapping object) {
        var field = root(object);
        var meta = Meta.of(field);
        var spec = field.at("spec");
        var conditions = conditions(field.at("status"));
        var pod = pods.pod(field, meta.translated());
        var priority = spec.at("priority").whole(Integer.MIN_VALUE, Integer.MAX_VALUE);
        var ready = find(conditions, "Ready");
        var scheduled = find(conditions, "PodScheduled");
        return new PodObject(
                meta,
                pod,
                ContainerTranslation.limits(spec),
                priority == null ? 0 : Math.toIntExact(priority),
                spec.at("priorityClassName").text(""),
                spec.at("terminationGracePeriodSeconds").whole(0, Long.MAX_VALUE),
                scheduled != null && scheduled.isTrue() ? scheduled.changedAt() : null,
                ready != null && ready.isTrue() ? ready.changedAt() : null,
                ready != null && ready.isTrue());
    }

    public NodeObject node(Value.Mapping object) {
        var field = root(object);
        var meta = Meta.of(field);
        return new NodeObject(
                meta,
                nodes.node(field, meta.translated()),
                mappings(object, "spec", "taints"),
                field.at("status").at("phase").text(""),
                field.at("status").at("nodeInfo").at("bootID").text(""),
                conditions(field.at("status")));
    }

    public ClaimObject claim(Value.Mapping object) {
        var field = root(object);
        var spec = field.at("spec");
        var status = field.at("status");
        return new ClaimObject(
                Meta.of(field),
                new ClaimObject.Spec(
                        labels.taints(spec.at("taints")),
                        labels.taints(spec.at("startupTaints")),
                        requirements(spec.at("requirements")),
                        spec.at("resources").at("requests").resources(),
                        nodeClassRef(spec.at("nodeClassRef")),
                        Durations.read(spec.at("terminationGracePeriod").text()),
                        Durations.read(spec.at("expireAfter").text())),
                new ClaimObject.Status(
                        status.at("nodeName").text(""),
                        status.at("providerID").text(""),
                        status.at("imageID").text(""),
                        status.at("capacity").resources(),
                        status.at("allocatable").resources(),
                        status.at("lastPodEventTime").instant(),
                        conditions(status)));
    }

    private static List<SelectorRequirement> requirements(Field field) {
        var requirements = new ArrayList<SelectorRequirement>();
        for (var element : field.elements()) {
            var operator = operator(element.at("operator").text(""));
            var minValues = element.at("minValues").whole(1, Integer.MAX_VALUE);
            if (operator != null) {
                requirements.add(
                        new SelectorRequirement(
                                element.at("key").text(""),
                                operator,
                                element.at("values").textList(),
                                minValues == null ? null : Math.toIntExact(minValues)));
            }
        }
        return requirements;
    }

    private static @Nullable Operator operator(String text) {
        for (var operator : Operator.values()) {
            if (operator.text().equals(text)) {
                return operator;
            }
        }
        return null;
    }

    private static NodeClassRef nodeClassRef(Field field) {
        return new NodeClassRef(
                field.at("group").text(""), field.at("kind").text(""), field.at("name").text(""));
    }

    public PoolObject pool(Value.Mapping object) {
        return PoolReading.pool(object, nodePools, labels);
    }

    public OverlayObject overlay(Value.Mapping object) {
        var faults = new Faults();
        var field = root(object, faults);
        var meta = Meta.of(field);
        var overlay = nodePools.overlay(field, meta.translated());
        return new OverlayObject(
                meta, overlay, conditions(field.at("status")), PoolReading.texts(faults));
    }

    public NodeClassObject nodeClass(Value.Mapping object) {
        var field = root(object);
        return new NodeClassObject(
                Meta.of(field),
                mapping(object, "spec"),
                mapping(object, "status"),
                conditions(field.at("status")));
    }

    private static Value.Mapping mapping(Value.Mapping object, String name) {
        return object.fields().get(name) instanceof Value.Mapping found
                ? found
                : Tree.of().mapping();
    }

    public BufferObject buffer(Value.Mapping object) {
        var field = root(object);
        var spec = field.at("spec");
        var status = field.at("status");
        var scalable = spec.at("scalableRef");
        return new BufferObject(
                Meta.of(field),
                spec.at("provisioningStrategy").text(""),
                spec.at("podTemplateRef").at("name").text(),
                scalable.isPresent()
                        ? new BufferObject.Scalable(
                                scalable.at("apiGroup").text(""),
                                scalable.at("kind").text(""),
                                scalable.at("name").text(""))
                        : null,
                count(spec.at("replicas")),
                count(spec.at("percentage")),
                spec.at("limits").resources(),
                new BufferObject.Status(
                        status.at("podTemplateRef").at("name").text(),
                        status.at("podTemplateGeneration").whole(0, Long.MAX_VALUE),
                        count(status.at("replicas")),
                        status.at("provisioningStrategy").text(),
                        conditions(status)));
    }

    private static @Nullable Integer count(Field field) {
        var number = field.whole(0, (long) Integer.MAX_VALUE);
        return number == null ? null : Math.toIntExact(number);
    }

    /// A PodTemplate's pod stands at the top of the object.
    public Kept<Pod> podTemplate(Value.Mapping object) {
        var field = root(object);
        var meta = Meta.of(field);
        return new Kept<>(meta, template(field.at("template"), meta, "v1", "PodTemplate"));
    }

    public ScalableObject scalable(Value.Mapping object, String kind) {
        var field = root(object);
        var meta = Meta.of(field);
        var spec = field.at("spec");
        return new ScalableObject(
                meta,
                count(spec.at("replicas")),
                template(spec.at("template"), meta, "apps/v1", kind));
    }

    private Pod template(Field template, Meta meta, String apiVersion, String kind) {
        return pods.template(
                template,
                meta.translated(),
                new Owner(apiVersion, kind, meta.name().name(), meta.uid(), true));
    }

    public Kept<DaemonSet> daemonSet(Value.Mapping object) {
        var field = root(object);
        var meta = Meta.of(field);
        return new Kept<>(meta, workloads.daemonSet(field, meta.translated()));
    }

    public Kept<Workload> workload(Value.Mapping object, Workload.Kind kind) {
        var field = root(object);
        var meta = Meta.of(field);
        var workload =
                switch (kind) {
                    case SERVICE, REPLICATION_CONTROLLER ->
                            workloads.selectingByLabels(field, meta.translated(), kind);
                    case REPLICA_SET, STATEFUL_SET ->
                            workloads.selecting(field, meta.translated(), kind);
                };
        return new Kept<>(meta, workload);
    }

    public Kept<DisruptionBudget> disruptionBudget(Value.Mapping object) {
        var field = root(object);
        var meta = Meta.of(field);
        return new Kept<>(meta, workloads.budget(field, meta.translated()));
    }

    public Kept<Storage.VolumeClaim> volumeClaim(Value.Mapping object) {
        var field = root(object);
        var meta = Meta.of(field);
        return new Kept<>(meta, storage.claim(field, meta.translated()));
    }

    public Kept<Storage.Volume> volume(Value.Mapping object) {
        var field = root(object);
        var meta = Meta.of(field);
        return new Kept<>(meta, storage.volume(field, meta.translated()));
    }

    public Kept<Storage.StorageClass> storageClass(Value.Mapping object) {
        var field = root(object);
        var meta = Meta.of(field);
        return new Kept<>(meta, storage.storageClass(field, meta.translated()));
    }

    /// Attachment limits by driver.
    public Kept<SequencedMap<String, Integer>> csiNode(Value.Mapping object) {
        var field = root(object);
        return new Kept<>(Meta.of(field), nodes.volumeLimits(field));
    }

    public AttachmentObject attachment(Value.Mapping object) {
        var field = root(object);
        var spec = field.at("spec");
        return new AttachmentObject(
                Meta.of(field),
                spec.at("nodeName").text(""),
                spec.at("attacher").text(""),
                spec.at("source").at("persistentVolumeName").text());
    }

    /// An object of which the metadata is all: a Namespace.
    public Kept<String> bare(Value.Mapping object) {
        var meta = Meta.of(root(object));
        return new Kept<>(meta, meta.name().name());
    }

    static List<Condition> conditions(Field status) {
        return status.at("conditions").elements().stream().map(Condition::of).toList();
    }

    private static @Nullable Condition find(List<Condition> conditions, String type) {
        for (var condition : conditions) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }

    private static List<Value.Mapping> mappings(Value.Mapping object, String... path) {
        Value at = object;
        for (var step : path) {
            at = at instanceof Value.Mapping(_, var fields) ? fields.get(step) : null;
        }
        var found = new ArrayList<Value.Mapping>();
        if (at instanceof Value.Sequence(_, var elements)) {
            for (var element : elements) {
                if (element instanceof Value.Mapping mapping) {
                    found.add(mapping);
                }
            }
        }
        return found;
    }
}
