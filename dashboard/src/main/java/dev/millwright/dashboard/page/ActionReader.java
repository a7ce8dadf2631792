package dev.millwright.dashboard.page;

import java.util.Map;
import java.util.Set;

/// A visitor's JSON to an [Action]; all that is wrong with it is an [IllegalArgumentException]
/// whose message is fit for the visitor.
final class ActionReader {

    private final Map<String, Object> fields;

    private ActionReader(Map<String, Object> fields) {
        this.fields = fields;
    }

    static Action read(String body) {
        return new ActionReader(FlatJson.read(body)).action();
    }

    private Action action() {
        var kind = text("action");
        return switch (kind) {
            case "addPods" -> {
                only("count", "cpuMillis", "memoryMebibytes");
                yield new Action.AddPods(
                        whole("count"), whole("cpuMillis"), whole("memoryMebibytes"));
            }
            case "scale" -> {
                only("deployment", "replicas");
                yield new Action.Scale(text("deployment"), whole("replicas"));
            }
            case "interrupt" -> {
                only("node");
                yield new Action.Interrupt(text("node"));
            }
            case "freeze" -> {
                only("isFrozen");
                yield new Action.Freeze(flag("isFrozen"));
            }
            case "pause" -> {
                only("isPaused");
                yield new Action.Pause(flag("isPaused"));
            }
            case "speed" -> {
                only("speed");
                yield new Action.Speed(number("speed"));
            }
            default ->
                    throw new IllegalArgumentException(
                            "action: found \"%s\"; wanted addPods, scale, interrupt, freeze, pause or speed"
                                    .formatted(kind));
        };
    }

    /// A field that is not understood would be a wish that is not heard.
    private void only(String... known) {
        var names = Set.of(known);
        for (var name : fields.keySet()) {
            if (!name.equals("action") && !names.contains(name)) {
                throw new IllegalArgumentException(
                        "%s: is no field of this action; wanted %s"
                                .formatted(name, String.join(", ", known)));
            }
        }
    }

    private String text(String field) {
        if (fields.get(field) instanceof String text) {
            return text;
        }
        throw wrong(field, "a text");
    }

    private boolean flag(String field) {
        if (fields.get(field) instanceof Boolean flag) {
            return flag;
        }
        throw wrong(field, "true or false");
    }

    private double number(String field) {
        if (fields.get(field) instanceof Double number) {
            return number;
        }
        throw wrong(field, "a number");
    }

    private int whole(String field) {
        var number = number(field);
        if (number != Math.rint(number) || Math.abs(number) > Integer.MAX_VALUE) {
            throw wrong(field, "a whole number");
        }
        return (int) number;
    }

    private IllegalArgumentException wrong(String field, String wanted) {
        var found = fields.get(field);
        return new IllegalArgumentException(
                "%s: found %s; wanted %s"
                        .formatted(field, found == null ? "nothing" : found, wanted));
    }
}
