package dev.millwright.world.store;

import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Which objects a list or a watch asks for.
final class Selection {

    static final Selection EVERYTHING = new Selection("", Selector.EVERYTHING, List.of());

    /// A field and what it must be, or must not be.
    private record Term(String field, String value, boolean isEqual) {}

    /// Fields that may be asked for besides name and namespace.
    private static final Map<String, Set<String>> FIELDS =
            Map.of(
                    "Pod",
                    Set.of(
                            "spec.nodeName",
                            "spec.restartPolicy",
                            "spec.schedulerName",
                            "spec.serviceAccountName",
                            "status.phase",
                            "status.podIP",
                            "status.nominatedNodeName"),
                    "Node",
                    Set.of("spec.unschedulable"),
                    "Namespace",
                    Set.of("status.phase"),
                    "Event",
                    Set.of(
                            "involvedObject.kind",
                            "involvedObject.namespace",
                            "involvedObject.name",
                            "involvedObject.uid",
                            "involvedObject.apiVersion",
                            "involvedObject.resourceVersion",
                            "involvedObject.fieldPath",
                            "reason",
                            "reportingComponent",
                            "source",
                            "type"));

    private static final Pattern SET =
            Pattern.compile("\\s*(\\S+)\\s+(in|notin)\\s*\\(([^)]*)\\)\\s*");

    private final String namespace;
    private final Selector labels;
    private final List<Term> fields;

    private Selection(String namespace, Selector labels, List<Term> fields) {
        this.namespace = namespace;
        this.labels = labels;
        this.fields = List.copyOf(fields);
    }

    /// @throws IllegalArgumentException when a selector cannot be read, or asks for a field that
    ///   the type is not selected by
    static Selection of(
            ResourceType type, String namespace, String labelSelector, String fieldSelector) {
        if (namespace.isEmpty() && labelSelector.isEmpty() && fieldSelector.isEmpty()) {
            return EVERYTHING;
        }
        return new Selection(namespace, labels(labelSelector), fields(type, fieldSelector));
    }

    boolean isEverything() {
        return namespace.isEmpty() && labels.isEmpty() && fields.isEmpty();
    }

    String namespace() {
        return namespace;
    }

    /// The node whose pods alone are asked for; null where it is not that.
    @Nullable String nodeName() {
        for (var term : fields) {
            if (term.field().equals("spec.nodeName") && term.isEqual()) {
                return term.value();
            }
        }
        return null;
    }

    boolean matches(Value.Mapping object) {
        return (namespace.isEmpty() || namespace.equals(Trees.meta(object, "namespace")))
                && (labels.isEmpty() || labels.matches(labelsOf(object)))
                && fields.stream().allMatch(term -> matches(term, object));
    }

    static Map<String, String> labelsOf(Value.Mapping object) {
        var labels = new TreeMap<String, String>();
        Trees.mapping(object, "metadata", "labels")
                .fields()
                .forEach(
                        (key, value) -> {
                            if (value instanceof Value.Text(_, var text)) {
                                labels.put(key, text);
                            }
                        });
        return labels;
    }

    private static boolean matches(Term term, Value.Mapping object) {
        var found = Trees.at(object, term.field().split("\\.", -1));
        var text =
                switch (found) {
                    case Value.Text(_, var words) -> words;
                    case Value.Flag(_, var isTrue) -> Boolean.toString(isTrue);
                    case null, default -> term.field().equals("spec.unschedulable") ? "false" : "";
                };
        return text.equals(term.value()) == term.isEqual();
    }

    private static List<Term> fields(ResourceType type, String text) {
        var terms = new ArrayList<Term>();
        for (var part : text.split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            var isEqual = !part.contains("!=");
            var sides = part.split("!=|==|=", 2);
            if (sides.length < 2) {
                throw new IllegalArgumentException(
                        "invalid selector: '%s'; can't understand '%s'".formatted(text, part));
            }
            var field = sides[0].strip();
            var isCommon = field.equals("metadata.name") || field.equals("metadata.namespace");
            if (!isCommon && !FIELDS.getOrDefault(type.kind(), Set.of()).contains(field)) {
                throw new IllegalArgumentException("field label not supported: " + field);
            }
            terms.add(new Term(field, sides[1].strip(), isEqual));
        }
        return terms;
    }

    /// As kubectl takes it: `a=b,c!=d,e in (f,g),h notin (i),j,!k`.
    static Selector labels(String text) {
        var expressions = new ArrayList<Selector.Expression>();
        for (var part : parts(text)) {
            if (!part.isBlank()) {
                expressions.add(expression(part));
            }
        }
        return new Selector(new TreeMap<>(), expressions);
    }

    /// At the commas outside of brackets.
    private static List<String> parts(String text) {
        var parts = new ArrayList<String>();
        var depth = 0;
        var start = 0;
        for (var i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '(' -> depth++;
                case ')' -> depth--;
                case ',' -> {
                    if (depth == 0) {
                        parts.add(text.substring(start, i));
                        start = i + 1;
                    }
                }
                default -> {}
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static Selector.Expression expression(String part) {
        var set = SET.matcher(part);
        if (set.matches()) {
            var values = Arrays.stream(set.group(3).split(",", -1)).map(String::strip).toList();
            var operator = set.group(2).equals("in") ? Operator.IN : Operator.NOT_IN;
            return new Selector.Expression(set.group(1), operator, values);
        }
        var sides = part.split("!=|==|=", 2);
        if (sides.length == 2) {
            var operator = part.contains("!=") ? Operator.NOT_IN : Operator.IN;
            return new Selector.Expression(sides[0].strip(), operator, List.of(sides[1].strip()));
        }
        var key = part.strip();
        if (key.contains(" ") || key.contains("(")) {
            throw new IllegalArgumentException("unable to parse requirement: " + key);
        }
        return key.startsWith("!")
                ? new Selector.Expression(
                        key.substring(1).strip(), Operator.DOES_NOT_EXIST, List.of())
                : new Selector.Expression(key, Operator.EXISTS, List.of());
    }
}
