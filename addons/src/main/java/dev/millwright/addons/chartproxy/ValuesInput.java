package dev.millwright.addons.chartproxy;

import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.Rendering;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What a template is rendered from for one cluster, and what its rendering comes to.
record ValuesInput(
        String template, WorkloadCluster cluster, Surroundings.Answer.Found surroundings) {

    /// Stands for a sensitive output when it is to be seen whether the values depend on it.
    private static final String PLACEHOLDER = "sensitive-output";

    private static final String ABSENT = "<no value>";
    private static final String OUTPUTS = "outputs";
    private static final Pattern OUTPUT_PATH =
            Pattern.compile("\\$outputs((?:\\.[A-Za-z_][A-Za-z0-9_]*)+)");
    private static final Pattern REDECLARED = Pattern.compile("\\$outputs\\s*:?=");
    private static final Pattern DOT = Pattern.compile("\\.");

    /// Versions of objects change without anything else doing so; sensitive outputs are known by
    /// the version of their Secret alone, so that a digest says nothing about them.
    String source() {
        return Canonical.digest(
                template,
                stable(cluster.object().object()),
                stable(surroundings.controlPlane()),
                stable(surroundings.infrastructure()),
                Canonical.json(outputs(false)),
                String.join(",", surroundings.sensitive()),
                surroundings.version());
    }

    private static String stable(Value.@Nullable Mapping object) {
        if (object == null) {
            return "";
        }
        var fields = new LinkedHashMap<>(object.fields());
        if (fields.get("metadata") instanceof Value.Mapping(_, var metadata)) {
            var kept = new LinkedHashMap<>(metadata);
            kept.remove("resourceVersion");
            kept.remove("managedFields");
            fields.put("metadata", new Value.Mapping(Position.NOWHERE, kept));
        }
        return Canonical.json(new Value.Mapping(Position.NOWHERE, fields));
    }

    boolean hasSecrets() {
        return !surroundings.sensitive().isEmpty();
    }

    /// @param withSecrets whether sensitive outputs are what they are, or only stood for
    Value.Mapping dot(boolean withSecrets) {
        var tree = Tree.of().put("Cluster", cluster.object().object());
        if (surroundings.controlPlane() != null) {
            tree.put("ControlPlane", surroundings.controlPlane());
        }
        if (surroundings.infrastructure() != null) {
            tree.put("InfraCluster", surroundings.infrastructure());
        }
        return tree.put(OUTPUTS, outputs(withSecrets)).mapping();
    }

    private Value.Mapping outputs(boolean withSecrets) {
        if (withSecrets) {
            return surroundings.outputs();
        }
        var masked = new LinkedHashMap<String, Value>();
        surroundings
                .outputs()
                .fields()
                .forEach(
                        (name, value) ->
                                masked.put(
                                        name,
                                        surroundings.sensitive().contains(name)
                                                ? stoodFor(value)
                                                : value));
        return new Value.Mapping(Position.NOWHERE, masked);
    }

    /// The same shape, so that a template goes the same way through it.
    private static Value stoodFor(Value value) {
        return switch (value) {
            case Value.Text _ -> Tree.text(PLACEHOLDER);
            case Value.Numeral _ -> new Value.Numeral(Position.NOWHERE, "0");
            case Value.Flag _, Value.Nothing _ -> value;
            case Value.Sequence(_, var elements) ->
                    new Value.Sequence(
                            Position.NOWHERE,
                            elements.stream().map(ValuesInput::stoodFor).toList());
            case Value.Mapping(_, var fields) -> {
                var stood = new LinkedHashMap<String, Value>();
                fields.forEach((name, field) -> stood.put(name, stoodFor(field)));
                yield new Value.Mapping(Position.NOWHERE, stood);
            }
        };
    }

    /// @param masked the rendering without secrets; the same as `real` when there are none
    Values values(Rendering.Answer real, Rendering.Answer masked) {
        return switch (real) {
            case Rendering.Answer.Failed(var message) -> new Values.Failed(message + missing());
            case Rendering.Answer.Text(var text) -> {
                var missing = text.contains(ABSENT) ? missing() : "";
                if (!missing.isEmpty()) {
                    yield new Values.Failed("values lack something" + missing);
                }
                var mark = Values.mark(source(), real.equals(masked) ? text : "");
                yield real.equals(masked)
                        ? new Values.Plain(text, mark)
                        : new Values.Secret(text, mark);
            }
        };
    }

    /// The outputs that the template names and that are not there, in words; empty when it sets
    /// `$outputs` itself.
    private String missing() {
        if (REDECLARED.matcher(template).find()) {
            return "";
        }
        var absent = new TreeSet<String>();
        var matcher = OUTPUT_PATH.matcher(template);
        while (matcher.find()) {
            var path = matcher.group(1).substring(1);
            if (!isThere(surroundings.outputs(), List.of(DOT.split(path, -1)))) {
                absent.add("$outputs." + path);
            }
        }
        if (absent.isEmpty()) {
            return "";
        }
        Map<String, Value> known = surroundings.outputs().fields();
        return "; the workspaces of Cluster %s have no %s, only %s"
                .formatted(
                        cluster.name(), String.join(", ", absent), new TreeSet<>(known.keySet()));
    }

    private static boolean isThere(Value value, List<String> path) {
        if (path.isEmpty()) {
            return !(value instanceof Value.Nothing);
        }
        if (!(value instanceof Value.Mapping(_, var fields))) {
            return false;
        }
        var next = fields.get(path.getFirst());
        return next != null && isThere(next, path.subList(1, path.size()));
    }

    @Override
    public String toString() {
        return "input of Cluster " + cluster.name(); // Outputs may be secret.
    }
}
