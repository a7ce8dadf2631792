package dev.millwright.addons.object;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/// Values in one spelling, so that equal ones are equal texts: fields in the order of their names,
/// numbers without needless digits, nothing where there is null.
public final class Canonical {

    /// As many as fit a label.
    private static final int DIGEST_LENGTH = 40;

    private Canonical() {}

    public static String json(Value value) {
        return JsonWriter.text(ordered(value));
    }

    private static Value ordered(Value value) {
        return switch (value) {
            case Value.Text _, Value.Flag _, Value.Nothing _ -> value;
            case Value.Numeral(_, var text) -> new Value.Numeral(Position.NOWHERE, number(text));
            case Value.Sequence(_, var elements) ->
                    new Value.Sequence(
                            Position.NOWHERE, elements.stream().map(Canonical::ordered).toList());
            case Value.Mapping(_, var fields) -> {
                var sorted = new TreeMap<String, Value>();
                fields.forEach(
                        (name, field) -> {
                            if (!(field instanceof Value.Nothing)) {
                                sorted.put(name, ordered(field));
                            }
                        });
                yield new Value.Mapping(Position.NOWHERE, sorted);
            }
        };
    }

    private static String number(String text) {
        try {
            return new BigDecimal(text).stripTrailingZeros().toPlainString();
        } catch (NumberFormatException notDecimal) {
            return text;
        }
    }

    /// A word that two different lists of texts do not share.
    public static String digest(String... texts) {
        try {
            var sum = MessageDigest.getInstance("SHA-256");
            for (var text : texts) {
                sum.update(Integer.toString(text.length()).getBytes(StandardCharsets.UTF_8));
                sum.update((byte) ':');
                sum.update(text.getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(sum.digest()).substring(0, DIGEST_LENGTH);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
