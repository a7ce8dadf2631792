package dev.millwright.world.scheduler;

import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.Reading;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One alternative of a node selector: all its expressions and fields hold together. One that says
/// nothing matches no node.
record NodeTerm(List<Expression> expressions, List<Expression> fields) {

    private static final String NAME = "metadata.name";

    record Expression(String key, String operator, List<String> values) {

        static Expression of(Value value) {
            return new Expression(
                    Reading.text(value, "key"),
                    Reading.text(value, "operator"),
                    Reading.textList(value, "values"));
        }

        boolean matches(@Nullable String found) {
            return switch (operator) {
                case "In" -> found != null && values.contains(found);
                case "NotIn" -> found == null || !values.contains(found);
                case "Exists" -> found != null;
                case "DoesNotExist" -> found == null;
                case "Gt" -> compares(found, 1);
                case "Lt" -> compares(found, -1);
                default -> false;
            };
        }

        private boolean compares(@Nullable String found, int sign) {
            if (found == null || values.size() != 1) {
                return false;
            }
            try {
                return Long.compare(Long.parseLong(found), Long.parseLong(values.getFirst()))
                        == sign;
            } catch (NumberFormatException notANumber) {
                return false;
            }
        }
    }

    static NodeTerm of(Value value) {
        return new NodeTerm(
                Reading.list(value, "matchExpressions").stream().map(Expression::of).toList(),
                Reading.list(value, "matchFields").stream().map(Expression::of).toList());
    }

    static List<NodeTerm> list(Value.@Nullable Mapping selector) {
        var terms = new ArrayList<NodeTerm>();
        for (var term : Reading.list(selector, "nodeSelectorTerms")) {
            terms.add(of(term));
        }
        return terms;
    }

    boolean matches(String name, Map<String, String> labels) {
        if (expressions.isEmpty() && fields.isEmpty()) {
            return false;
        }
        for (var expression : expressions) {
            if (!expression.matches(labels.get(expression.key()))) {
                return false;
            }
        }
        for (var field : fields) {
            if (!field.key().equals(NAME) || !field.matches(name)) {
                return false;
            }
        }
        return true;
    }

    static boolean anyMatches(List<NodeTerm> terms, String name, Map<String, String> labels) {
        for (var term : terms) {
            if (term.matches(name, labels)) {
                return true;
            }
        }
        return false;
    }

    /// The only nodes it can match, or null when it does not say.
    @Nullable List<String> names() {
        for (var field : fields) {
            if (field.key().equals(NAME) && field.operator().equals("In")) {
                return field.values();
            }
        }
        return null;
    }
}
