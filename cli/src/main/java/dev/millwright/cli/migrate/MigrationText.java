package dev.millwright.cli.migrate;

import dev.millwright.kube.conversion.GlobalSettings;
import dev.millwright.kube.conversion.Migration;
import dev.millwright.kube.conversion.Note;
import dev.millwright.kube.conversion.Turned;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.document.YamlWriter;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A conversion as it is shown: documents for kubectl, JSON for programs, a diff for people.
public final class MigrationText {

    private MigrationText() {}

    /// Settings, which are no object of the cluster, stand before the objects as a comment.
    public static String yaml(Migration.Result result) {
        var text = new StringBuilder();
        var settings = result.settings();
        if (settings != null) {
            text.append("# values of the Helm chart, from karpenter-global-settings:\n");
            YamlWriter.text(settings.values())
                    .lines()
                    .forEach(line -> text.append("#   ").append(line).append('\n'));
        }
        for (var object : result.objects()) {
            text.append(text.isEmpty() ? "" : "---\n").append(YamlWriter.text(object));
        }
        return text.toString();
    }

    public static Map<String, Object> json(Migration.Result result) {
        var json = new LinkedHashMap<String, Object>();
        var objects = result.objects().stream().map(MigrationText::plainMap).toList();
        json.put("apiVersion", "v1");
        json.put("kind", "List"); // So that kubectl applies it as it is.
        json.put("items", objects);
        json.put("objects", objects);
        json.put("warnings", warnings(result.notes()));
        var settings = result.settings();
        if (settings != null) {
            json.put("settings", settings(settings));
        }
        json.put("errors", result.faults().stream().map(Fault::toString).toList());
        return json;
    }

    public static Map<String, Object> json(
            List<Deed> deeds, List<Note> notes, List<String> commands) {
        var json = new LinkedHashMap<String, Object>();
        json.put("deeds", deeds.stream().map(MigrationText::deed).toList());
        json.put("warnings", warnings(notes));
        json.put("commands", commands);
        return json;
    }

    private static Map<String, Object> deed(Deed deed) {
        var map = new LinkedHashMap<String, Object>();
        map.put("object", deed.object());
        map.put("deed", deed.verb());
        map.put("words", deed.words());
        return map;
    }

    private static Map<String, Object> settings(GlobalSettings.Settings settings) {
        var map = new LinkedHashMap<String, Object>();
        map.put("values", plainMap(settings.values()));
        map.put("environment", settings.environment());
        return map;
    }

    public static List<Map<String, Object>> warnings(List<Note> notes) {
        return notes.stream().map(MigrationText::warning).toList();
    }

    private static Map<String, Object> warning(Note note) {
        var map = new LinkedHashMap<String, Object>();
        map.put("kind", note.kind().name().toLowerCase(Locale.ROOT));
        map.put("object", note.object());
        map.put("path", note.path());
        map.put("found", note.found());
        map.put("became", note.became());
        map.put("advice", note.advice());
        map.put("message", note.toString());
        return map;
    }

    public static String diff(Migration.Result result) {
        var text = new StringBuilder();
        for (var turned : result.turned()) {
            if (!turned.isSame()) {
                diff(turned, text);
            }
        }
        return text.toString();
    }

    private static void diff(Turned turned, StringBuilder text) {
        text.append("--- ").append(turned.origin()).append(' ').append(version(turned.before()));
        text.append('\n');
        text.append("+++ ");
        text.append(
                String.join(
                        ", ",
                        turned.after().stream()
                                .map(object -> words(object) + " " + version(object))
                                .toList()));
        text.append('\n');
        var after = new ArrayList<String>();
        for (var object : turned.after()) {
            if (!after.isEmpty()) {
                after.add("---");
            }
            YamlWriter.text(object).lines().forEach(after::add);
        }
        var before = YamlWriter.text(turned.before()).lines().toList();
        LineDiff.of(before, after).forEach(line -> text.append(line).append('\n'));
    }

    private static String version(Value.Mapping object) {
        return "(" + object.text("apiVersion") + ")";
    }

    static String words(Value.Mapping object) {
        var name =
                object.fields().get("metadata") instanceof Value.Mapping metadata
                        ? metadata.text("name")
                        : "";
        return object.text("kind") + " " + name;
    }

    /// As maps, lists, texts and numbers.
    public static @Nullable Object plain(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> text;
            case Value.Numeral(_, var text) -> number(text);
            case Value.Flag(_, var isTrue) -> isTrue;
            case Value.Nothing _ -> null;
            case Value.Sequence(_, var elements) -> {
                var list = new ArrayList<@Nullable Object>();
                elements.forEach(element -> list.add(plain(element)));
                yield list;
            }
            case Value.Mapping mapping -> plainMap(mapping);
        };
    }

    /// An object as maps, lists, texts and numbers.
    public static Map<String, @Nullable Object> plainMap(Value.Mapping mapping) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        mapping.fields().forEach((name, field) -> map.put(name, plain(field)));
        return map;
    }

    private static Object number(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException notDecimal) {
            return text;
        }
    }
}
