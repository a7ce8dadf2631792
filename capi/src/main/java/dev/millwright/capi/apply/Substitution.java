package dev.millwright.capi.apply;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Puts values in the place of `${key}` in a template's spec, in few places: values of variables
/// and of the environment, and names of Secrets and ConfigMaps. Modules, configuration, arguments
/// and names of fields are code, and a value must never become code.
///
/// One pass: a value that holds `${…}` itself stays as it is, and so does every `${…}` that is no
/// variable, which is Terraform's own. Working on texts and not on their JSON, no quote in a value
/// breaks anything.
final class Substitution {

    /// Names of variables: what Terraform takes, and never an expression such as `var.region`.
    static final Pattern KEY = Pattern.compile("[a-z][a-z0-9_]*");

    private static final String OPENING = "${";

    /// Paths of texts that may hold a placeholder, without the indices of lists.
    private static final Pattern PLACES =
            Pattern.compile(
                    "writeConnectionSecretToRef\\.(name|namespace)"
                            + "|forProvider\\.(vars|env)\\.value"
                            + "|forProvider\\.varmap(\\..*)?"
                            + "|forProvider\\.(varFiles|env)"
                            + "\\.(secretKeyRef|configMapKeyRef)\\.(name|namespace|key)",
                    Pattern.DOTALL);

    private final SequencedMap<String, String> values;

    /// @param variables those whose key is no name of a variable are left out
    /// @param workspaceName for `${WORKSPACE_NAME}`, which nobody else sets
    Substitution(Map<String, String> variables, String workspaceName) {
        values = new TreeMap<>(variables);
        values.keySet().removeIf(key -> !KEY.matcher(key).matches());
        values.put("WORKSPACE_NAME", workspaceName);
    }

    Value.Mapping in(Value.Mapping template) {
        return in(template, "");
    }

    private Value.Mapping in(Value.Mapping template, String path) {
        var fields = new LinkedHashMap<String, Value>();
        template.fields()
                .forEach(
                        (name, value) ->
                                fields.put(
                                        name,
                                        in(value, path.isEmpty() ? name : path + "." + name)));
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    private Value in(Value value, String path) {
        return switch (value) {
            case Value.Text(_, var text) ->
                    new Value.Text(
                            Position.NOWHERE, PLACES.matcher(path).matches() ? in(text) : text);
            case Value.Sequence(_, var elements) ->
                    new Value.Sequence(
                            Position.NOWHERE,
                            elements.stream().map(each -> in(each, path)).toList());
            case Value.Mapping mapping -> in(mapping, path);
            case Value.Numeral(_, var text) -> new Value.Numeral(Position.NOWHERE, text);
            case Value.Flag(_, var isTrue) -> new Value.Flag(Position.NOWHERE, isTrue);
            case Value.Nothing(_) -> new Value.Nothing(Position.NOWHERE);
        };
    }

    private String in(String text) {
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

    /// The first placeholder for a variable that stands in code, where it is not replaced; null
    /// when there is none.
    @Nullable String placeholderIn(String code) {
        for (var key : values.keySet()) {
            if (code.contains(OPENING + key + "}")) {
                return key;
            }
        }
        return null;
    }
}
