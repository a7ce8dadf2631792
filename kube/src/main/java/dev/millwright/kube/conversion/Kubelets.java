package dev.millwright.kube.conversion;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Set;

/// Settings of kubelets, which pools had and node classes have, and the annotation that keeps them
/// between the two.
final class Kubelets {

    private static final Set<String> RESERVATIONS = Set.of("systemReserved", "kubeReserved");

    private Kubelets() {}

    /// Quantities that were int-or-string are texts now.
    static Value plain(String name, Value value) {
        if (!RESERVATIONS.contains(name)
                || !(value instanceof Value.Mapping(var at, var amounts))) {
            return value;
        }
        var texts = new LinkedHashMap<String, Value>();
        amounts.forEach(
                (resource, amount) ->
                        texts.put(
                                resource,
                                amount instanceof Value.Numeral(_, var digits)
                                        ? Tree.text(digits)
                                        : amount));
        return new Value.Mapping(at, texts);
    }

    static Value.Mapping stored(Value.Mapping object, Value kubelet) {
        return Nested.withAnnotation(object, OldKeys.KUBELET, JsonWriter.text(kubelet));
    }

    /// What the annotation keeps; null when there is none, or it is no longer JSON.
    static Value.@Nullable Mapping kept(Value.Mapping object) {
        return json(Nested.text(object, "metadata", "annotations", OldKeys.KUBELET));
    }

    static Value.@Nullable Mapping json(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return JsonReader.object(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException | DocumentException broken) {
            return null;
        }
    }
}
