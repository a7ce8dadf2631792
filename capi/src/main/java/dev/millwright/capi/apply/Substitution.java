package dev.millwright.capi.apply;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import java.util.LinkedHashMap;
import java.util.Map;

/// Puts values in the place of `${key}` in all texts and field names of a template.
///
/// One pass: a value that holds `${…}` itself stays as it is, and so does every `${…}` that is no
/// variable, which is Terraform's own. Working on texts and not on their JSON, no quote in a value
/// breaks anything.
final class Substitution {

    private static final String OPENING = "${";

    private final Map<String, String> values;

    Substitution(Map<String, String> values) {
        this.values = values;
    }

    Value.Mapping in(Value.Mapping template) {
        var fields = new LinkedHashMap<String, Value>();
        template.fields().forEach((name, value) -> fields.put(in(name), in(value)));
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    private Value in(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> new Value.Text(Position.NOWHERE, in(text));
            case Value.Sequence(_, var elements) ->
                    new Value.Sequence(
                            Position.NOWHERE, elements.stream().map(each -> in(each)).toList());
            case Value.Mapping mapping -> in(mapping);
            case Value.Numeral(_, var text) -> new Value.Numeral(Position.NOWHERE, text);
            case Value.Flag(_, var isTrue) -> new Value.Flag(Position.NOWHERE, isTrue);
            case Value.Nothing(_) -> new Value.Nothing(Position.NOWHERE);
        };
    }

    String in(String text) {
        var result = new StringBuilder();
        var at = 0;
        while (true) {
            var opening = text.indexOf(OPENING, at);
            var closing = opening < 0 ? -1 : text.indexOf('}', opening);
            if (closing < 0) {
                return result.append(text, at, text.length()).toString();
            }
            var value = values.get(text.substring(opening + OPENING.length(), closing));
            if (value == null) {
                // Another opening may come before this closing: go on right behind this one.
                result.append(text, at, opening + OPENING.length());
                at = opening + OPENING.length();
            } else {
                result.append(text, at, opening).append(value);
                at = closing + 1;
            }
        }
    }
}
