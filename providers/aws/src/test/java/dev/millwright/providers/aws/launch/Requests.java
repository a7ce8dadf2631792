package dev.millwright.providers.aws.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.Value;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Looks into requests as AWS got them.
final class Requests {

    private Requests() {}

    /// What is at a path of field names and places in lists, e.g. `Placement.Tenancy` or
    /// `NetworkInterfaces.0.Groups`; empty when there is nothing.
    static String text(Value.Mapping request, String path) {
        Value found = request;
        for (var step : path.split("\\.", -1)) {
            found =
                    switch (found) {
                        case Value.Mapping mapping -> mapping.fields().get(step);
                        case Value.Sequence(_, var elements) ->
                                Integer.parseInt(step) < elements.size()
                                        ? elements.get(Integer.parseInt(step))
                                        : null;
                        default -> null;
                    };
            if (found == null) {
                return "";
            }
        }
        return shown(found);
    }

    private static String shown(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> text;
            case Value.Numeral(_, var text) -> new BigDecimal(text).toPlainString();
            case Value.Flag(_, var isTrue) -> Boolean.toString(isTrue);
            case Value.Nothing _ -> "";
            case Value.Sequence(_, var elements) ->
                    String.join(" ", elements.stream().map(Requests::shown).toList());
            case Value.Mapping mapping -> mapping.fields().keySet().toString();
        };
    }

    static List<Value.Mapping> list(Value.Mapping mapping, String field) {
        return mapping.fields().get(field) instanceof Value.Sequence(_, var elements)
                ? elements.stream()
                        .filter(Value.Mapping.class::isInstance)
                        .map(Value.Mapping.class::cast)
                        .toList()
                : List.of();
    }

    /// The tags of one kind of resource.
    static SequencedMap<String, String> tags(Value.Mapping request, String field, String resource) {
        var tags = new TreeMap<String, String>();
        for (var specification : list(request, field)) {
            if (text(specification, "ResourceType").equals(resource)) {
                for (var tag : list(specification, "Tags")) {
                    tags.put(text(tag, "Key"), text(tag, "Value"));
                }
            }
        }
        return tags;
    }

    static String userData(Value.Mapping template) {
        var encoded = text(template, "LaunchTemplateData.UserData");
        return new String(Base64.getDecoder().decode(encoded), UTF_8);
    }

    /// Every value of a request on a line of its own after its path, for comparison with a file.
    static String lines(Value.Mapping request) {
        var lines = new ArrayList<String>();
        add(lines, "", request);
        return String.join("\n", lines) + "\n";
    }

    private static void add(List<String> lines, String path, Value value) {
        switch (value) {
            case Value.Mapping mapping ->
                    new TreeMap<>(mapping.fields())
                            .forEach((name, each) -> addField(lines, path, name, each));
            case Value.Sequence(_, var elements) -> {
                for (var index = 0; index < elements.size(); index++) {
                    add(lines, path + "[" + index + "]", elements.get(index));
                }
            }
            default -> lines.add("%s = %s".formatted(path, shown(value)));
        }
    }

    private static void addField(List<String> lines, String path, String name, Value value) {
        var longer = path.isEmpty() ? name : path + "." + name;
        switch (name) {
            case "ClientToken" -> {} // Different each time.
            case "UserData" -> {
                lines.add(longer + ":");
                var text = new String(Base64.getDecoder().decode(shown(value)), UTF_8);
                text.lines()
                        .map(line -> "  | " + line)
                        .map(String::stripTrailing)
                        .forEach(lines::add);
            }
            default -> add(lines, longer, value);
        }
    }
}
