package dev.millwright.cli.addons;

import dev.millwright.cli.capi.TreeText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Shows what the add-ons have done and would do: as lines for people, or as maps and lists to be
/// written.
public final class AddonsText {

    /// Values of one change that are shown; the rest is counted.
    private static final int VALUES_SHOWN_MAX = 20;

    private static final int GREEN = 32;
    private static final int YELLOW = 33;
    private static final int RED = 31;

    private AddonsText() {}

    /// What the other end can show.
    public record Look(boolean isWide, boolean isUnicode, boolean isColoured) {

        private String coloured(int colour, String text) {
            return isColoured ? "\u001b[%dm%s\u001b[0m".formatted(colour, text) : text;
        }

        private String arrow() {
            return isUnicode ? " → " : " -> ";
        }
    }

    public static List<String> lines(AddonsPreview.Outcome outcome, Look look) {
        var lines = new ArrayList<String>();
        for (var change : outcome.changes()) {
            lines.add(line(change, look));
            if (!change.why().isEmpty()) {
                lines.add("    " + TreeText.oneLine(change.why()));
            }
            lines.addAll(values(change, look));
        }
        for (var held : outcome.held()) {
            var where = held.cluster().isEmpty() ? "" : " on " + held.cluster();
            lines.add(
                    look.coloured(
                            RED,
                            "! %s%s: %s"
                                    .formatted(
                                            held.proxy(),
                                            where,
                                            TreeText.oneLine(
                                                    held.reason() + ": " + held.message()))));
        }
        if (lines.isEmpty()) {
            lines.add("nothing would change");
        }
        return lines;
    }

    private static String line(AddonsChange change, Look look) {
        var versions =
                switch (change.action()) {
                    case INSTALL -> change.versionAfter();
                    case UPGRADE ->
                            change.versionBefore().equals(change.versionAfter())
                                    ? change.versionAfter()
                                    : change.versionBefore() + look.arrow() + change.versionAfter();
                    case GIVE_UP, UNINSTALL -> change.versionBefore();
                };
        var text =
                "%s %s on %s: release %s, chart %s %s"
                        .formatted(
                                change.action().word(),
                                change.proxy(),
                                change.cluster(),
                                change.release(),
                                change.chart(),
                                versions);
        return switch (change.action()) {
            case INSTALL -> look.coloured(GREEN, "+ " + text);
            case UPGRADE, GIVE_UP -> look.coloured(YELLOW, "~ " + text);
            case UNINSTALL -> look.coloured(RED, "- " + text);
        };
    }

    private static List<String> values(AddonsChange change, Look look) {
        var lines = new ArrayList<String>();
        var shown =
                look.isWide()
                        ? change.values()
                        : change.values()
                                .subList(0, Math.min(VALUES_SHOWN_MAX, change.values().size()));
        for (var value : shown) {
            if (value.before() != null) {
                lines.add(
                        look.coloured(RED, "    - %s: %s".formatted(value.path(), value.before())));
            }
            if (value.after() != null) {
                lines.add(
                        look.coloured(
                                GREEN, "    + %s: %s".formatted(value.path(), value.after())));
            }
        }
        var left = change.values().size() - shown.size();
        if (left > 0) {
            lines.add("    %d more values; -o wide shows them".formatted(left));
        }
        return lines;
    }

    public static Map<String, @Nullable Object> result(AddonsPreview.Outcome outcome) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("changes", outcome.changes().stream().map(AddonsText::result).toList());
        result.put("held", outcome.held().stream().map(AddonsText::result).toList());
        return result;
    }

    private static Map<String, @Nullable Object> result(AddonsChange change) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("action", change.action().word());
        result.put("proxy", change.proxy());
        result.put("cluster", change.cluster());
        result.put("release", change.release().name());
        result.put("releaseNamespace", change.release().namespace());
        result.put("chart", change.chart());
        put(result, "versionBefore", change.versionBefore());
        put(result, "versionAfter", change.versionAfter());
        put(result, "why", change.why());
        var values = new ArrayList<Map<String, @Nullable Object>>();
        for (var each : change.values()) {
            var line = new LinkedHashMap<String, @Nullable Object>();
            line.put("path", each.path());
            line.put("before", each.before());
            line.put("after", each.after());
            values.add(line);
        }
        result.put("values", values);
        return result;
    }

    private static Map<String, @Nullable Object> result(AddonsChange.Held held) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("proxy", held.proxy());
        put(result, "cluster", held.cluster());
        put(result, "reason", held.reason());
        put(result, "message", held.message());
        return result;
    }

    public static Map<String, @Nullable Object> result(List<AddonsStatus> releases) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("releases", releases.stream().map(AddonsText::result).toList());
        return result;
    }

    private static Map<String, @Nullable Object> result(AddonsStatus status) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("namespace", status.namespace());
        result.put("proxy", status.proxy());
        result.put("cluster", status.cluster());
        put(result, "release", status.release().name());
        result.put("releaseNamespace", status.release().namespace());
        result.put("chart", status.chart());
        put(result, "versionWanted", status.wanted());
        if (status.deployed() != null) {
            result.put("versionDeployed", status.deployed());
        }
        result.put("revision", status.revision());
        put(result, "status", status.helmStatus());
        result.put("ready", status.isReady());
        put(result, "reason", status.reason());
        put(result, "message", status.message());
        if (status.createdAt() != null) {
            result.put("createdAt", status.createdAt().toString());
        }
        return result;
    }

    private static void put(Map<String, @Nullable Object> result, String key, String text) {
        if (!text.isEmpty()) {
            result.put(key, text);
        }
    }
}
