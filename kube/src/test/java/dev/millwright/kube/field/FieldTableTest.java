package dev.millwright.kube.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

class FieldTableTest {

    private static final FieldTable TABLE = FieldTable.ofApi();

    private static Field root(String yaml) {
        var source = Source.bytes("file", yaml.getBytes(StandardCharsets.UTF_8));
        return Field.root("object", DocumentReader.readAll(source).getFirst(), new Faults());
    }

    private static List<String> unknown(String kind, String yaml) {
        var fields = new UnknownFields(TABLE);
        fields.check(root(yaml), kind);
        return fields.found().stream().map(each -> each.fault().toString()).toList();
    }

    /// The definitions are the truth: who changes one makes the table again.
    @ParameterizedTest
    @ValueSource(
            strings = {
                CustomResources.NODE_POOLS,
                CustomResources.NODE_CLAIMS,
                CustomResources.NODE_OVERLAYS,
                CustomResources.EC2_NODE_CLASSES,
                CustomResources.KWOK_NODE_CLASSES
            })
    void karpentersKindsHaveTheFieldsOfTheirDefinitions(String name) {
        var definitions = new TreeMap<>(CustomResources.kwok().definitions());
        definitions.putAll(CustomResources.aws().definitions());
        var definition = root(definitions.getOrDefault(name, "")).at("spec");
        var kind = definition.at("names").at("kind").text("");
        var schema =
                definition.at("versions").elements().getFirst().at("schema").at("openAPIV3Schema");
        var missing = new ArrayList<String>();

        compare(kind, schema.at("properties"), missing);

        assertThat(missing).isEmpty();
    }

    private static void compare(String shape, Field properties, List<String> wrong) {
        var table = TABLE.shapes().get(shape);
        var defined = new TreeSet<>(properties.entries().keySet());
        if (table == null || !table.keySet().equals(defined)) {
            wrong.add("%s: %s instead of %s".formatted(shape, table, defined));
            return;
        }
        properties
                .entries()
                .forEach(
                        (name, schema) -> {
                            var below =
                                    schema.at("items").isPresent()
                                            ? schema.at("items").at("properties")
                                            : schema.at("properties");
                            if (below.isPresent() && !name.equals("metadata")) {
                                compare(shape + "." + name, below, wrong);
                            }
                        });
    }

    @ParameterizedTest
    @CsvSource({
        "'spec: {containers: [{livenessProbe: {httpGet: {prt: 1}}}]}', port",
        "'spec: {affinity: {nodeAffinty: {}}}', nodeAffinity",
        "'spec: {topologySpreadConstraints: [{maxSkw: 1}]}', maxSkew",
        "'spec: {tolerations: [{kee: a}]}', key"
    })
    void aTypingErrorAnywhereInAPodIsFound(String yaml, String meant) {
        assertThat(unknown("Pod", yaml)).singleElement().asString().contains('"' + meant + '"');
    }

    @Test
    void keysOfAnybodysChoiceAreNoFields() {
        assertThat(
                        unknown(
                                "Pod",
                                "{metadata: {labels: {a: b}, annotations: {c: d}}, spec: {nodeSelector: {e: f}, containers: [{resources: {requests: {example.com/gpu: 1}}}]}}"))
                .isEmpty();
    }

    @Test
    void ofAnUnknownKindNothingIsSaid() {
        assertThat(unknown("Secret", "{anything: 1}")).isEmpty();
    }
}
