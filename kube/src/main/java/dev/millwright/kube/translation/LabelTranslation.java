package dev.millwright.kube.translation;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Requirements, selectors, taints and tolerations. Keys of requirements are brought to today's
/// spelling.
public record LabelTranslation(LabelVocabulary vocabulary) {

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[-+]?[0-9]{1,18}");

    /// All that can be read of a list of expressions.
    public List<Requirement> requirements(Field expressions) {
        var requirements = new ArrayList<Requirement>();
        for (var expression : expressions.elements()) {
            var requirement = requirement(expression, null);
            if (requirement != null) {
                requirements.add(requirement);
            }
        }
        return requirements;
    }

    public @Nullable Requirement requirement(Field expression, @Nullable Integer minValues) {
        var key = expression.at("key").requiredText("a label key");
        var operator = operator(expression.at("operator"));
        var values = expression.at("values").textList();
        if (key.isEmpty() || operator == null || !isMet(operator, values, expression)) {
            return null;
        }
        return vocabulary.requirement(key, operator, minValues, values);
    }

    private static boolean isMet(Operator operator, List<String> values, Field expression) {
        if (operator == Operator.IN && values.isEmpty()) {
            expression.at("values").fault("operator In has no values; wanted at least one");
            return false;
        }
        if (operator.isNumeric()
                && (values.size() != 1 || !WHOLE_NUMBER.matcher(values.getFirst()).matches())) {
            expression
                    .at("values")
                    .fault(
                            "operator %s has values %s; wanted exactly one whole number"
                                    .formatted(operator.text(), Shortened.of(values.toString())));
            return false;
        }
        return true;
    }

    private static @Nullable Operator operator(Field field) {
        var text = field.requiredText("an operator such as In");
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Operator.parse(text);
        } catch (IllegalArgumentException unknown) {
            field.fault(
                    "operator \"%s\" is unknown; wanted one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte"
                            .formatted(Shortened.of(text)));
            return null;
        }
    }

    /// A label selector; null when absent, which selects nothing.
    public @Nullable Selector selector(Field field) {
        if (!field.isPresent()) {
            return null;
        }
        var expressions = new ArrayList<Selector.Expression>();
        for (var expression : field.at("matchExpressions").elements()) {
            var key = expression.at("key").requiredText("a label key");
            var operator = operator(expression.at("operator"));
            var values = expression.at("values").textList();
            if (operator != null && operator.isNumeric()) {
                expression
                        .at("operator")
                        .fault(
                                "operator %s is not for selectors; wanted In, NotIn, Exists or DoesNotExist"
                                        .formatted(operator.text()));
            } else if (operator != null && isMet(operator, values, expression)) {
                expressions.add(new Selector.Expression(key, operator, values));
            }
        }
        return new Selector(
                field.at("matchLabels").texts(ObjectMeta.LABEL_LENGTH_MAX), expressions);
    }

    public List<Taint> taints(Field field) {
        var taints = new ArrayList<Taint>();
        for (var element : field.elements()) {
            var key = element.at("key").requiredText("a taint's key");
            var effect = effect(element.at("effect"), true);
            if (effect != null && !key.isEmpty()) {
                taints.add(new Taint(key, element.at("value").text(""), effect));
            }
        }
        return taints;
    }

    private static @Nullable Effect effect(Field field, boolean isRequired) {
        var text = isRequired ? field.requiredText("an effect such as NoSchedule") : field.text("");
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Effect.parse(text);
        } catch (IllegalArgumentException unknown) {
            field.fault(
                    "effect \"%s\" is unknown; wanted NoSchedule, PreferNoSchedule or NoExecute"
                            .formatted(Shortened.of(text)));
            return null;
        }
    }

    public List<Toleration> tolerations(Field field) {
        var tolerations = new ArrayList<Toleration>();
        for (var element : field.elements()) {
            var match = match(element.at("operator"));
            var key = element.at("key").text("");
            if (match == null) {
                continue;
            }
            if (key.isEmpty() && match != Toleration.Match.EXISTS) {
                element.at("key").missing("a taint's key, or the operator Exists for all keys");
                continue;
            }
            tolerations.add(
                    new Toleration(
                            key,
                            match,
                            element.at("value").text(""),
                            effect(element.at("effect"), false)));
        }
        return tolerations;
    }

    private static Toleration.@Nullable Match match(Field field) {
        var text = field.text("");
        return switch (text) {
            case "", "Equal" -> Toleration.Match.EQUAL;
            case "Exists" -> Toleration.Match.EXISTS;
            case "Lt" -> Toleration.Match.LESS_THAN;
            case "Gt" -> Toleration.Match.GREATER_THAN;
            default -> {
                field.fault(
                        "operator \"%s\" is unknown; wanted Equal, Exists, Lt or Gt"
                                .formatted(Shortened.of(text)));
                yield null;
            }
        };
    }
}
