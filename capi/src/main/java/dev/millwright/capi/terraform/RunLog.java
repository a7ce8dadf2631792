package dev.millwright.capi.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonReader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/// What one command told with `-json`, line by line: how far it is, and what went wrong.
final class RunLog {

    private static final int ERRORS_KEPT_MAX = 20;
    private static final int DRIFTED_KEPT_MAX = 100;

    private static final String ERROR = "Error: ";
    private static final String HEADING = "Terraform encountered problems";

    private record Under(Instant since, String action) {}

    private final LinkedHashMap<String, Under> under = new LinkedHashMap<>();
    private final List<String> errors = new ArrayList<>();
    private final TreeSet<String> drifted = new TreeSet<>();
    private int errorCount;
    private int done;
    private int total;
    private String summary = "";

    void take(String line) {
        if (!line.startsWith("{")) {
            return;
        }
        Field message;
        try {
            message = Field.root("line", JsonReader.object(line.getBytes(UTF_8)), new Faults());
        } catch (IOException torn) {
            return; // The last line of a process that was killed.
        }
        switch (message.at("type").text("")) {
            case "change_summary" -> summary(message);
            case "resource_drift" -> {
                if (drifted.size() < DRIFTED_KEPT_MAX) {
                    drifted.add(message.at("change").at("resource").at("addr").text(""));
                }
            }
            case "apply_start" -> {
                var hook = message.at("hook");
                var at = message.at("@timestamp").instant();
                under.put(
                        hook.at("resource").at("addr").text(""),
                        new Under(at == null ? Instant.EPOCH : at, hook.at("action").text("")));
            }
            case "apply_complete" -> {
                done++;
                under.remove(message.at("hook").at("resource").at("addr").text(""));
            }
            case "apply_errored" ->
                    under.remove(message.at("hook").at("resource").at("addr").text(""));
            case "diagnostic" -> diagnostic(message.at("diagnostic"));
            default -> {
                // Nothing that is shown.
            }
        }
    }

    private void summary(Field message) {
        var changes = message.at("changes");
        if (changes.at("operation").text("").equals("plan")) {
            total =
                    changes.at("add").whole(0, Integer.MAX_VALUE, 0)
                            + changes.at("change").whole(0, Integer.MAX_VALUE, 0)
                            + changes.at("remove").whole(0, Integer.MAX_VALUE, 0);
        } else {
            summary = message.at("@message").text("");
        }
    }

    private void diagnostic(Field diagnostic) {
        if (!diagnostic.at("severity").text("").equals("error")) {
            return;
        }
        errorCount++;
        if (errors.size() < ERRORS_KEPT_MAX) {
            var detail = diagnostic.at("detail").text("");
            var address = diagnostic.at("address").text("");
            errors.add(
                    diagnostic.at("summary").text("")
                            + (detail.isEmpty() ? "" : ": " + detail)
                            + (address.isEmpty() ? "" : " (%s)".formatted(address)));
        }
    }

    /// Whole lines of text too, for commands that know no `-json`.
    static String plainError(String text) {
        var plain = text.replaceAll("\u001b\\[[0-9;]*m", "").replaceAll("[╷│╵]", " ");
        var begin = plain.indexOf(ERROR);
        var next = begin < 0 ? -1 : plain.indexOf(ERROR, begin + 1);
        if (next >= 0 && plain.startsWith(HEADING, begin + ERROR.length())) {
            begin = next; // What comes first says only that something comes.
        }
        return (begin < 0 ? plain : plain.substring(begin + ERROR.length()))
                .replaceAll("\\s+", " ")
                .strip();
    }

    /// The first error and how many more; null without any.
    @Nullable String error() {
        if (errors.isEmpty()) {
            return null;
        }
        var first = errors.getFirst().replaceAll("\\s+", " ").strip();
        return errorCount == 1 ? first : "%s; and %d more".formatted(first, errorCount - 1);
    }

    /// All of them, to look for one of a kind.
    List<String> errors() {
        return List.copyOf(errors);
    }

    List<String> drifted() {
        return List.copyOf(drifted);
    }

    String summary() {
        return summary;
    }

    /// What was being created: it may be there, though the command died before it knew.
    List<String> creating() {
        return under.entrySet().stream()
                .filter(entry -> entry.getValue().action().equals("create"))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /// For example `apply: 7 of 23 resources, aws_eks_cluster.this for 2m10s`.
    String progress(String verb, Instant now) {
        var text = new StringBuilder(verb);
        if (total > 0) {
            text.append(": %d of %d resources".formatted(done, total));
        }
        var longest = under.entrySet().iterator();
        if (longest.hasNext()) {
            var entry = longest.next();
            var age = Duration.between(entry.getValue().since(), now);
            text.append(", ").append(entry.getKey()).append(" for ").append(words(age));
        }
        return text.toString();
    }

    private static String words(Duration age) {
        var seconds = Math.max(0, age.toSeconds());
        return seconds < 60
                ? seconds + "s"
                : String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60);
    }
}
