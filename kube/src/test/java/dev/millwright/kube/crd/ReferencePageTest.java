package dev.millwright.kube.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Field;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `docs/reference/crds.md` says what the definitions say. With `-Dmillwright.docs=write` it is
/// written, else it is compared.
class ReferencePageTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "crds.md");
    private static final String BEGIN = "<!-- made from code: begin -->\n";
    private static final String END = "<!-- made from code: end -->\n";

    /// What people call the patterns.
    private static final Map<String, String> GRAMMARS =
            Map.ofEntries(
                    Map.entry("^([0-9]+(s|m|h))+$", "duration"),
                    Map.entry("^(([0-9]+(s|m|h))+|Never)$", "duration or `Never`"),
                    Map.entry("^([0-9]+h|[0-9]+m|[0-9]+h[0-9]+m)(0s)?$", "hours and minutes"),
                    Map.entry("^((100|[0-9]{1,2})%|[0-9]+)$", "number or percentage"),
                    Map.entry("^[^/]*$", "no `/`"),
                    Map.entry("^[0-9]+(\\.[0-9]+)?$", "decimal without sign"),
                    Map.entry(
                            "^([+-][0-9]*\\.?[0-9]+|\\+[0-9]*\\.?[0-9]+%|-[0-9]{1,2}(\\.[0-9]+)?%|-100%)$",
                            "decimal or percentage with sign"),
                    Map.entry(
                            "^@(annually|yearly|monthly|weekly|daily|midnight|hourly)|.+\\s.+\\s.+\\s.+\\s.+$",
                            "five fields or a macro"),
                    Map.entry("^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$", "label value"),
                    Map.entry(
                            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$",
                            "qualified name"),
                    Map.entry("subnet-[0-9a-z]+", "an id of a subnet in it"),
                    Map.entry("sg-[0-9a-z]+", "an id of a group in it"),
                    Map.entry("ami-[0-9a-z]+", "an id of an image in it"),
                    Map.entry("^cr-[0-9a-z]+$", "id of a reservation"),
                    Map.entry("^pg-[0-9a-z]+$", "id of a placement group"),
                    Map.entry("^[0-9]{12}$", "twelve digits"),
                    Map.entry(
                            "^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|5[0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-3][0-9]{3}|64000)G|(?:[1-9]|[1-5][0-7]|58)?Ti|(?:[1-9]|[1-5][0-9]|6[0-4])?T)$",
                            "whole number of `Gi`, `G`, `Ti` or `T`, up to `64T`"),
                    Map.entry(
                            "^((\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%|(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?)?$",
                            "quantity or percentage"),
                    Map.entry(
                            "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
                            "quantity"));

    @Test
    void thePageSaysWhatTheDefinitionsSay() throws IOException {
        var lines = new ArrayList<String>();
        var resources = CustomResources.core();
        for (var name : resources.names()) {
            lines.addAll(section(Definition.of(resources.definition(name))));
        }
        var kwok = CustomResources.kwok().definition(CustomResources.KWOK_NODE_CLASSES);
        lines.addAll(section(Definition.of(kwok)));
        var ec2 = CustomResources.aws().definition(CustomResources.EC2_NODE_CLASSES);
        lines.addAll(section(Definition.of(ec2)));
        var wanted = String.join("\n", lines) + "\n";

        var text = Files.readString(PAGE);
        var begin = text.indexOf(BEGIN) + BEGIN.length();
        var end = text.indexOf(END);
        if (System.getProperty("millwright.docs", "").equals("write")) {
            Files.writeString(PAGE, text.substring(0, begin) + wanted + text.substring(end));
        } else {
            assertThat(text.substring(begin, end))
                    .as("%s; -Dmillwright.docs=write on this test mends it", PAGE)
                    .isEqualTo(wanted);
        }
    }

    private static List<String> section(Definition definition) {
        var lines = new ArrayList<String>();
        var group = definition.root().at("spec").at("group").text();
        lines.add("## %s".formatted(definition.names().at("kind").text()));
        lines.add("");
        lines.add(
                "`%s/%s`, %s, `%s`. %s"
                        .formatted(
                                group,
                                definition.version().at("name").text(),
                                "Cluster".equals(definition.root().at("spec").at("scope").text())
                                        ? "cluster-wide"
                                        : "in a namespace",
                                String.join("`, `", names(definition)),
                                definition.schema().at("description").text()));
        lines.add("");
        lines.add("| field | type | default | wanted | meaning |");
        lines.add("|---|---|---|---|---|");
        var properties = definition.properties(definition.schema());
        properties.forEach(
                (path, property) -> {
                    if (path.contains(".") && !path.contains("conditions[]")) {
                        lines.add(row(path, property, isRequired(definition, path)));
                    }
                });
        lines.add("");
        properties.forEach(
                (path, property) ->
                        property.at("x-kubernetes-validations")
                                .elements()
                                .forEach(
                                        rule ->
                                                lines.add(
                                                        "- `%s`: %s."
                                                                .formatted(
                                                                        path,
                                                                        rule.at("message")
                                                                                .text()))));
        if (!lines.getLast().isEmpty()) {
            lines.add("");
        }
        return lines;
    }

    private static List<String> names(Definition definition) {
        var names = new ArrayList<String>();
        names.add(definition.names().at("plural").text(""));
        names.addAll(definition.names().at("shortNames").textList());
        return names;
    }

    private static boolean isRequired(Definition definition, String path) {
        var dot = path.lastIndexOf('.');
        var above = path.substring(0, dot);
        var isElement = above.endsWith("[]");
        var parent =
                definition
                        .properties(definition.schema())
                        .get(isElement ? above.substring(0, above.length() - 2) : above);
        return (isElement ? parent.at("items") : parent)
                .at("required")
                .textList()
                .contains(path.substring(dot + 1));
    }

    private static String row(String path, Field property, boolean isRequired) {
        return "| `%s` | %s | %s | %s | %s |"
                .formatted(
                        path,
                        type(property),
                        property.at("default").isPresent() ? defaultOf(property) : "–",
                        wanted(property, isRequired),
                        property.at("description").text());
    }

    private static String type(Field schema) {
        var type = schema.at("type").text("quantity");
        return switch (type) {
            case "array" ->
                    "object".equals(schema.at("items").at("type").text())
                            ? "list"
                            : "list of " + type(schema.at("items"));
            case "object" ->
                    schema.at("additionalProperties").isPresent()
                            ? "map of " + type(schema.at("additionalProperties"))
                            : type;
            case "integer" -> schema.at("format").text("integer");
            default -> schema.at("format").text(type);
        };
    }

    private static String defaultOf(Field property) {
        return switch (property.at("type").text("")) {
            case "object", "array" -> "see above";
            default -> "`%s`".formatted(property.at("default").textOrNumber());
        };
    }

    private static String wanted(Field schema, boolean isRequired) {
        var words = new ArrayList<String>();
        if (isRequired) {
            words.add("required");
        }
        var isList = schema.at("items").isPresent();
        var each = isList ? schema.at("items") : schema;
        if (!each.at("enum").textList().isEmpty()) {
            words.add("`%s`".formatted(String.join("`, `", each.at("enum").textList())));
        }
        if (schema.at("pattern").isPresent()) {
            words.add(grammar(schema));
        }
        if (schema.at("additionalProperties").at("pattern").isPresent()) {
            words.add("values: " + grammar(schema.at("additionalProperties")));
        }
        if (schema.at("minimum").isPresent()) {
            var least = schema.at("minimum").textOrNumber();
            words.add(
                    schema.at("maximum").isPresent()
                            ? "%s to %s".formatted(least, schema.at("maximum").textOrNumber())
                            : least + " or more");
        }
        for (var bound : List.of("maxItems", "maxProperties", "maxLength")) {
            if (schema.at(bound).isPresent()) {
                words.add(
                        "%s %s at most"
                                .formatted(
                                        schema.at(bound).textOrNumber(),
                                        bound.equals("maxLength") ? "characters" : "entries"));
            }
        }
        if (schema.at("minLength").isPresent()) {
            words.add("not empty");
        }
        return words.isEmpty() ? "–" : String.join("; ", words);
    }

    private static String grammar(Field schema) {
        var pattern = schema.at("pattern").text("");
        var name = GRAMMARS.get(pattern);
        assertThat(name).as("a name for the pattern %s", pattern).isNotNull();
        return name;
    }
}
