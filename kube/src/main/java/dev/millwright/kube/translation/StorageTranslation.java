package dev.millwright.kube.translation;

import dev.millwright.core.cluster.Storage;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.kube.document.Field;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Volumes, claims and storage classes.
public record StorageTranslation(PlacementTranslation placements) {

    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final List<String> DEFAULT_CLASS =
            List.of(
                    "storageclass.kubernetes.io/is-default-class",
                    "storageclass.beta.kubernetes.io/is-default-class");
    private static final String IN_TREE_EBS = "kubernetes.io/aws-ebs";

    public Storage.Volume volume(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        return new Storage.Volume(
                meta.name().name(),
                driver(spec),
                spec.at("local").isPresent() || spec.at("hostPath").isPresent(),
                meta.isTerminating(),
                placements.alternatives(spec.at("nodeAffinity").at("required")));
    }

    private static @Nullable String driver(Field spec) {
        if (spec.at("csi").isPresent()) {
            return spec.at("csi").at("driver").text();
        }
        return spec.at("awsElasticBlockStore").isPresent() ? Storage.csiDriver(IN_TREE_EBS) : null;
    }

    public Storage.VolumeClaim claim(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        var volumeName = spec.at("volumeName").text("");
        return new Storage.VolumeClaim(
                meta.name(),
                volumeName.isEmpty() ? null : volumeName,
                spec.at("storageClassName").text(),
                object.at("status").at("phase").text("").equals("Lost"),
                meta.isTerminating(),
                meta.annotations().containsKey(BIND_COMPLETED));
    }

    public Storage.StorageClass storageClass(Field object, ObjectMeta meta) {
        var mode = object.at("volumeBindingMode");
        var isImmediate =
                switch (mode.text("")) {
                    case "", "Immediate" -> true;
                    case "WaitForFirstConsumer" -> false;
                    default -> {
                        mode.fault("is unknown; wanted Immediate or WaitForFirstConsumer");
                        yield true;
                    }
                };
        return new Storage.StorageClass(
                meta.name().name(),
                Storage.csiDriver(object.at("provisioner").requiredText("a driver's name")),
                isImmediate,
                DEFAULT_CLASS.stream().anyMatch(key -> "true".equals(meta.annotations().get(key))),
                meta.createdAt(),
                topologies(object.at("allowedTopologies")));
    }

    private List<List<Requirement>> topologies(Field field) {
        var vocabulary = placements.labels().vocabulary();
        var topologies = new ArrayList<List<Requirement>>();
        for (var topology : field.elements()) {
            var requirements = new ArrayList<Requirement>();
            for (var expression : topology.at("matchLabelExpressions").elements()) {
                var key = expression.at("key").requiredText("a label key");
                var values = expression.at("values").textList();
                if (values.isEmpty()) {
                    expression.at("values").missing("at least one value");
                } else if (!key.isEmpty()) {
                    requirements.add(vocabulary.requirement(key, Operator.IN, null, values));
                }
            }
            topologies.add(requirements);
        }
        return topologies;
    }
}
