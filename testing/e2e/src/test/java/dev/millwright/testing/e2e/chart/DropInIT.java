package dev.millwright.testing.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Value;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Our chart beside Karpenter's own, field by field, with the same values.
final class DropInIT {

    private static final Helm HELM = Helm.alone();

    /// Which chart and which version made an object is the one thing that all tell otherwise.
    private static final Pattern ORIGIN =
            Pattern.compile(".*\\.labels\\.(helm\\.sh/chart|app\\.kubernetes\\.io/version)");

    /// Rights that Karpenter's chart grants and that we do not use, at all or while a gate is off:
    /// `LeastPrivilege`.
    private static final Pattern UNUSED =
            Pattern.compile(
                    ".*\\.rules\\[((update|get) .*|(list|watch) (events\\.|.*/status\\.).*|watch leases\\..*|(create|delete) .*/status\\..*"
                            + "|(list|watch) (nodeoverlays|capacitybuffers|podtemplates|replicationcontrollers|deployments|replicasets|statefulsets)\\..*"
                            + "|patch (nodeoverlays|capacitybuffers)/status\\..*)]");

    /// Rights that API servers ask for of whoever makes an owner's deletion wait, where they check
    /// that.
    private static final Pattern CHECKED =
            Pattern.compile(".*\\.rules\\[update (nodepools|nodeclaims)/finalizers\\..*]");

    private static final String POD = "Deployment karpenter.spec.template.spec";
    private static final String CONTAINER = POD + ".containers[controller]";

    private static final List<String> DIFFERENCES =
            List.of(
                    CONTAINER + ".args",
                    CONTAINER + ".env[AWS_FEATURE_GATES]",
                    CONTAINER + ".image",
                    CONTAINER + ".volumeMounts[millwright-tmp]",
                    POD + ".volumes[millwright-tmp]",
                    "NetworkPolicy karpenter",
                    "Pod karpenter-doctor");

    /// Values that name no resources get some: Karpenter's chart leaves the pod without.
    private static final String RESOURCES = CONTAINER + ".resources.";

    /// Paths of what differs, those below one that is named being one with it.
    private static List<String> differences(String values, List<String> named) {
        var file = Charts.fixture("values/" + values);
        var theirs = fields(HELM.template(Helm.karpentersChart(), "-f", file));
        var ours = fields(HELM.template(Charts.MAIN, "-f", file));
        var all = new TreeSet<>(theirs.keySet());
        all.addAll(ours.keySet());
        var found = new TreeSet<String>();
        for (var path : all) {
            var pair = "%s: %s, ours %s".formatted(path, theirs.get(path), ours.get(path));
            var isUnused = ours.get(path) == null && UNUSED.matcher(path).matches();
            var isFilledIn = theirs.get(path) == null && path.startsWith(RESOURCES);
            if (!isUnused
                    && !CHECKED.matcher(path).matches()
                    && !isFilledIn
                    && !ORIGIN.matcher(path).matches()
                    && !Objects.equals(theirs.get(path), ours.get(path))) {
                found.add(named.stream().filter(path::startsWith).findFirst().orElse(pair));
            }
        }
        return List.copyOf(found);
    }

    private static SequencedMap<String, String> fields(Rendered rendered) {
        var fields = new TreeMap<String, String>();
        for (var object : rendered.objects()) {
            var name = Rendered.text(object, "metadata", "name");
            put("%s %s".formatted(object.text("kind"), name), object, fields);
        }
        return fields;
    }

    private static void put(String path, Value value, SequencedMap<String, String> fields) {
        switch (value) {
            case Value.Mapping(_, var members) ->
                    members.forEach((name, each) -> put(path + "." + name, each, fields));
            case Value.Sequence(_, var elements) when path.endsWith(".rules") ->
                    elements.forEach(rule -> rights(path, (Value.Mapping) rule, fields));
            case Value.Sequence(_, var elements) -> {
                for (var i = 0; i < elements.size(); i++) {
                    var each = elements.get(i);
                    var name = each instanceof Value.Mapping named ? named.text("name") : null;
                    put("%s[%s]".formatted(path, name == null ? i : name), each, fields);
                }
            }
            case Value.Text _, Value.Numeral _, Value.Flag _ ->
                    fields.put(path, JsonWriter.text(value));
            case Value.Nothing _ -> {
                // To the API server a field that is null is none.
            }
        }
    }

    /// Rules may be grouped otherwise and allow the same.
    private static void rights(
            String path, Value.Mapping rule, SequencedMap<String, String> fields) {
        var names = texts(rule, "resourceNames");
        for (var group : texts(rule, "apiGroups")) {
            for (var resource : texts(rule, "resources")) {
                for (var name : names.isEmpty() ? List.of("*") : names) {
                    for (var verb : texts(rule, "verbs")) {
                        var right = "%s %s.%s %s".formatted(verb, resource, group, name);
                        fields.put("%s[%s]".formatted(path, right), "yes");
                    }
                }
            }
        }
    }

    private static List<String> texts(Value.Mapping object, String field) {
        var texts = new ArrayList<String>();
        if (object.fields().get(field) instanceof Value.Sequence(_, var elements)) {
            for (var element : elements) {
                if (element instanceof Value.Text(_, var text)) {
                    texts.add(text);
                }
            }
        }
        return texts;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "batch-window.yaml",
                "large-cluster.yaml",
                "metrics.yaml",
                "karpenter-1.14.yaml"
            })
    void theSameValuesGiveTheSameObjects(String values) {
        assertThat(differences(values, DIFFERENCES)).containsExactlyElementsOf(DIFFERENCES);
    }

    @ParameterizedTest
    @CsvSource({
        "system-nodes.yaml, .nodeSelector.workload-type",
        "debug-by-variable.yaml, .containers[controller].env[LOG_LEVEL]",
        "debug-by-log-config.yaml, .containers[controller].env[LOG_LEVEL]",
    })
    void whatGuidesSayIsHeededWhereKarpenterOverlooksIt(String values, String path) {
        var expected = new TreeSet<>(DIFFERENCES);
        expected.add(POD + path);

        assertThat(differences(values, List.copyOf(expected))).containsExactlyElementsOf(expected);
    }
}
