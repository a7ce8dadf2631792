package dev.millwright.addons.helm;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Takes secrets out of what Helm says: its messages quote what they complain about.
final class Masking {

    /// Shorter texts are words that occur anyway.
    private static final int LENGTH_MIN = 4;

    private static final int TEXTS_MAX = 1_000;
    private static final String MASK = "(hidden)";

    private final List<String> secrets;

    private Masking(List<String> secrets) {
        this.secrets =
                secrets.stream()
                        .filter(secret -> secret.length() >= LENGTH_MIN)
                        .distinct()
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .limit(TEXTS_MAX)
                        .toList();
    }

    static final Masking NOTHING = new Masking(List.of());

    /// Every text and number of a tree.
    static Masking of(List<? extends Value> trees) {
        var found = new ArrayList<String>();
        trees.forEach(tree -> collect(tree, found));
        return new Masking(found);
    }

    /// Every text and number of YAML; each line of what is none.
    static Masking ofText(String yaml) {
        try {
            return of(DocumentReader.readAll(Source.text("values", yaml)));
        } catch (DocumentException notYaml) {
            return new Masking(yaml.lines().map(String::strip).toList());
        }
    }

    private static void collect(Value value, List<String> found) {
        switch (value) {
            case Value.Text(_, var text) -> {
                found.add(text);
                text.lines().forEach(found::add);
            }
            case Value.Numeral(_, var text) -> found.add(text);
            case Value.Flag(_, _), Value.Nothing(_) -> {}
            case Value.Sequence(_, var elements) -> elements.forEach(each -> collect(each, found));
            case Value.Mapping(_, var fields) ->
                    fields.values().forEach(each -> collect(each, found));
        }
    }

    String of(String message) {
        var masked = message;
        for (var secret : secrets) {
            masked = masked.replace(secret, MASK);
        }
        return masked;
    }
}
