package dev.millwright.capi.apply;

import dev.millwright.capi.object.Reference;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.TreeMap;

/// The spec of a Workspace, made of a template and an apply, and the hash that tells one rendering
/// from another.
///
/// @param placeholder a variable whose placeholder stands in the module, where values never go;
///   null when there is none
record Rendering(Value.Mapping spec, String hash, @Nullable String placeholder) {

    private static final String SECRET = "writeConnectionSecretToRef";

    /// Enough that no two meet, short enough to be read out.
    private static final int HASH_BYTES = 16;

    /// Longest value of a variable: more than any addon's configuration, less than an object.
    private static final int VALUE_LENGTH_MAX = 1 << 20;

    static Rendering of(RawObject apply, Value.Mapping template, String workspaceName) {
        var substitution =
                new Substitution(
                        apply.spec().at("variables").texts(VALUE_LENGTH_MAX), workspaceName);
        var fields = new LinkedHashMap<>(substitution.in(template).fields());
        var secret = secret(apply);
        if (secret != null) {
            fields.put(SECRET, secret);
        }
        var spec = new Value.Mapping(Position.NOWHERE, fields);
        return new Rendering(spec, hash(spec), substitution.placeholderIn(module(spec)));
    }

    private static String module(Value.Mapping spec) {
        var text =
                spec.fields().get("forProvider") instanceof Value.Mapping provider
                        ? provider.text("module")
                        : null;
        return text == null ? "" : text;
    }

    /// Why an apply's variables cannot be used; null when they can.
    static @Nullable String refusal(RawObject apply) {
        for (var key : apply.spec().at("variables").entries().keySet()) {
            if (!Substitution.KEY.matcher(key).matches()) {
                return "spec.variables has the key \"%s\"; wanted a lower-case letter, then lower-case letters, digits and _"
                        .formatted(WorkspaceState.shortened(key));
            }
        }
        return null;
    }

    /// The apply's own wins over the template's.
    private static Value.@Nullable Mapping secret(RawObject apply) {
        var reference = Reference.of(apply.spec().at(SECRET));
        if (reference == null) {
            return null;
        }
        var name = reference.in(apply.name().namespace());
        return Tree.of("name", name.name()).put("namespace", name.namespace()).mapping();
    }

    private static String hash(Value spec) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(JsonWriter.text(sorted(spec)).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /// A server may give back fields in another order.
    private static Value sorted(Value value) {
        return switch (value) {
            case Value.Mapping(var position, var fields) -> {
                var inOrder = new TreeMap<String, Value>();
                fields.forEach((name, child) -> inOrder.put(name, sorted(child)));
                yield new Value.Mapping(position, inOrder);
            }
            case Value.Sequence(var position, var elements) ->
                    new Value.Sequence(position, elements.stream().map(Rendering::sorted).toList());
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ -> value;
        };
    }
}
