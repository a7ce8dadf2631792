package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Pods and what makes them, with the names of now where they speak of nodes or ask to be spared.
final class Workloads {

    private static final String ADVICE =
            "changing a template rolls its pods: apply it when that suits";

    /// Where the pod's metadata and spec are.
    private static final Map<String, List<String>> TEMPLATES =
            Map.of(
                    "Pod", List.of(),
                    "PodTemplate", List.of("template"),
                    "Deployment", List.of("spec", "template"),
                    "ReplicaSet", List.of("spec", "template"),
                    "ReplicationController", List.of("spec", "template"),
                    "StatefulSet", List.of("spec", "template"),
                    "DaemonSet", List.of("spec", "template"),
                    "Job", List.of("spec", "template"),
                    "CronJob", List.of("spec", "jobTemplate", "spec", "template"));

    private final Notebook notes;

    Workloads(Notebook notes) {
        this.notes = notes;
    }

    static boolean knows(String kind) {
        return TEMPLATES.containsKey(kind);
    }

    Value.Mapping converted(Field object, Value.Mapping value) {
        var path = TEMPLATES.getOrDefault(object.at("kind").text(""), List.of());
        var template = object;
        for (var step : path) {
            template = template.at(step);
        }
        var made = value;
        made = replaced(made, template.at("metadata").at("annotations"), path, "metadata");
        var spec = template.at("spec");
        made = replaced(made, spec.at("nodeSelector"), path, "spec");
        made = replaced(made, spec.at("affinity"), path, "spec");
        return replaced(made, spec.at("topologySpreadConstraints"), path, "spec");
    }

    private Value.Mapping replaced(
            Value.Mapping object, Field part, List<String> template, String above) {
        var found = part.value();
        if (found == null) {
            return object;
        }
        var path = new ArrayList<>(template);
        path.add(above);
        var whole = part.path();
        path.add(whole.substring(whole.lastIndexOf('.') + 1));
        return Nested.with(object, renamed(part, found), path.toArray(String[]::new));
    }

    private Value renamed(Field at, Value value) {
        return switch (value) {
            case Value.Mapping(var position, _) -> renamed(at, position);
            case Value.Sequence(_, _) ->
                    Tree.list(
                            at.elements().stream()
                                    .map(element -> renamed(element, valueOf(element)))
                                    .toList());
            case Value.Text(_, var text) when isKey(at) && OldKeys.isRenamed(text) -> {
                notes.changed(at, OldKeys.renamed(text), ADVICE);
                yield Tree.text(OldKeys.renamed(text));
            }
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ -> value;
        };
    }

    private Value renamed(Field at, Position position) {
        var fields = new LinkedHashMap<String, Value>();
        at.entries()
                .forEach(
                        (name, field) -> {
                            var now = OldKeys.renamed(name);
                            if (!now.equals(name)) {
                                notes.changed(field, now, ADVICE);
                            }
                            fields.put(now, renamed(field, valueOf(field)));
                        });
        return new Value.Mapping(position, fields);
    }

    private static Value valueOf(Field field) {
        var value = field.value();
        return value == null ? new Value.Nothing(field.position()) : value;
    }

    private static boolean isKey(Field at) {
        var path = at.path();
        return path.endsWith(".key") || path.endsWith(".topologyKey");
    }
}
