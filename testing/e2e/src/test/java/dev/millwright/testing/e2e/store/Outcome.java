package dev.millwright.testing.e2e.store;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.TreeMap;

/// What two servers must agree in: all but uids, versions and times, what a real server mounts into
/// pods so that they can speak to it, and the empty parts of a node's status.
final class Outcome {

    private static final Set<String> APART =
            Set.of(
                    "uid",
                    "resourceVersion",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "lastTransitionTime",
                    "lastProbeTime",
                    "volumes",
                    "volumeMounts",
                    "details",
                    "disruptedPods",
                    "daemonEndpoints",
                    "nodeInfo");

    private Outcome() {}

    static String of(ApiAnswer answer) {
        return switch (answer) {
            case ApiAnswer.Done(var object) -> "done " + JsonWriter.text(comparable(object));
            case ApiAnswer.Refused(var code, var reason, _) ->
                    "refused %d %s".formatted(code, reason);
            case ApiAnswer.Unreachable(var message) -> "unreachable " + message;
        };
    }

    private static Value comparable(Value value) {
        return switch (value) {
            case Value.Mapping(_, var fields) -> {
                var kept = new LinkedHashMap<String, Value>();
                new TreeMap<>(fields)
                        .forEach(
                                (name, field) -> {
                                    if (!APART.contains(name)) {
                                        kept.put(name, comparable(field));
                                    }
                                });
                yield new Value.Mapping(Position.NOWHERE, kept);
            }
            case Value.Sequence(_, var elements) -> {
                var kept = new ArrayList<Value>();
                elements.forEach(element -> kept.add(comparable(element)));
                yield new Value.Sequence(Position.NOWHERE, kept);
            }
            case Value other -> other;
        };
    }
}
