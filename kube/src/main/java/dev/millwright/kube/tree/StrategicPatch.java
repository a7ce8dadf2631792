package dev.millwright.kube.tree;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The merge that knows lists of built-in kinds: their elements are merged by a key, or as a set.
/// Lists it does not know are replaced, as are taints and tolerations.
public final class StrategicPatch {

    private static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList/";
    private static final String ELEMENT_ORDER = "$setElementOrder/";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DIRECTIVE = "$patch";

    /// By which field the elements of a list are told apart. A name means the same in all kinds but
    /// for `ports`, see [#key].
    private static final Map<String, String> KEYS =
            Map.ofEntries(
                    Map.entry("containers", "name"),
                    Map.entry("initContainers", "name"),
                    Map.entry("ephemeralContainers", "name"),
                    Map.entry("volumes", "name"),
                    Map.entry("volumeMounts", "mountPath"),
                    Map.entry("volumeDevices", "devicePath"),
                    Map.entry("env", "name"),
                    Map.entry("ports", "containerPort"),
                    Map.entry("imagePullSecrets", "name"),
                    Map.entry("hostAliases", "ip"),
                    Map.entry("resourceClaims", "name"),
                    Map.entry("schedulingGates", "name"),
                    Map.entry("topologySpreadConstraints", "topologyKey"),
                    Map.entry("conditions", "type"),
                    Map.entry("addresses", "type"),
                    Map.entry("podIPs", "ip"),
                    Map.entry("hostIPs", "ip"),
                    Map.entry("ownerReferences", "uid"));

    private static final Set<String> SETS = Set.of("finalizers", "podCIDRs");

    private StrategicPatch() {}

    /// The object itself where the patch changes nothing.
    public static Value.Mapping apply(Value.Mapping object, Value.Mapping patch) {
        var directive = patch.text(DIRECTIVE);
        if ("replace".equals(directive)) {
            return plain(Trees.without(patch, DIRECTIVE));
        }
        if ("delete".equals(directive)) {
            return Trees.EMPTY;
        }
        var fields = Trees.copy(object);
        for (var field : patch.fields().entrySet()) {
            change(fields, field.getKey(), field.getValue());
        }
        order(fields, patch);
        var changed = new Value.Mapping(Position.NOWHERE, fields);
        return changed.equals(object) ? object : changed;
    }

    private static void change(Map<String, Value> fields, String name, Value value) {
        if (name.startsWith(DELETE_FROM_LIST)) {
            take(fields, name.substring(DELETE_FROM_LIST.length()), value);
        } else if (name.equals(RETAIN_KEYS)) {
            var kept = value instanceof Value.Sequence(_, var keys) ? keys : List.<Value>of();
            fields.keySet().removeIf(key -> !kept.contains(Trees.text(key)));
        } else if (!name.startsWith("$")) {
            var after = merged(name, fields.get(name), value);
            if (after == null) {
                fields.remove(name);
            } else {
                fields.put(name, after);
            }
        }
    }

    private static @Nullable Value merged(String name, @Nullable Value before, Value patch) {
        return switch (patch) {
            case Value.Nothing(_) -> null;
            case Value.Mapping mapping ->
                    apply(before instanceof Value.Mapping was ? was : Trees.EMPTY, mapping);
            case Value.Sequence(_, var elements) -> {
                var was = before instanceof Value.Sequence(_, var old) ? old : List.<Value>of();
                yield new Value.Sequence(Position.NOWHERE, mergedList(name, was, elements));
            }
            case Value other -> other;
        };
    }

    private static List<Value> mergedList(String name, List<Value> before, List<Value> patch) {
        if (SETS.contains(name)) {
            return woven(before, patch, null);
        }
        var key = key(name, patch.isEmpty() ? before : patch);
        if (key == null) {
            return patch.stream().map(StrategicPatch::plainValue).toList();
        }
        if (patch.stream().anyMatch(each -> isDirective(each, "replace") && !has(each, key))) {
            return patch.stream()
                    .filter(each -> !isDirective(each, "replace"))
                    .map(StrategicPatch::plainValue)
                    .toList();
        }
        var merged = new ArrayList<>(before);
        for (var element : patch) {
            if (element instanceof Value.Mapping mapping) {
                mergeElement(merged, key, mapping);
            }
        }
        var named =
                patch.stream()
                        .map(each -> find(merged, identity(each, key), key))
                        .filter(Objects::nonNull)
                        .toList();
        return woven(before, merged, named, key);
    }

    private static List<Value> woven(List<Value> before, List<Value> patch, @Nullable String key) {
        return woven(before, before, patch, key);
    }

    /// What the patch names, in its order, among what it does not, in the order of before. What is
    /// new comes as early as it can.
    private static List<Value> woven(
            List<Value> before, List<Value> merged, List<Value> named, @Nullable String key) {
        var order = before.stream().map(each -> identity(each, key)).toList();
        var names = named.stream().map(each -> identity(each, key)).toList();
        var others = merged.stream().filter(each -> !names.contains(identity(each, key))).toList();
        var woven = new ArrayList<Value>(others.size() + named.size());
        var next = 0;
        for (var each : named.stream().distinct().toList()) {
            var place = order.indexOf(identity(each, key));
            while (next < others.size() && order.indexOf(identity(others.get(next), key)) < place) {
                woven.add(others.get(next++));
            }
            woven.add(each);
        }
        woven.addAll(others.subList(next, others.size()));
        return woven;
    }

    private static @Nullable Value find(List<Value> among, Value identity, String key) {
        for (var each : among) {
            if (identity(each, key).equals(identity)) {
                return each;
            }
        }
        return null;
    }

    private static void mergeElement(List<Value> into, String key, Value.Mapping element) {
        var wanted = element.fields().get(key);
        for (var i = 0; i < into.size(); i++) {
            if (into.get(i) instanceof Value.Mapping old
                    && wanted != null
                    && wanted.equals(old.fields().get(key))) {
                if (isDirective(element, "delete")) {
                    into.remove(i);
                } else {
                    into.set(i, apply(old, element));
                }
                return;
            }
        }
        if (!isDirective(element, "delete")) {
            into.add(plain(element));
        }
    }

    /// A service's ports go by `port`, a container's by `containerPort`.
    private static @Nullable String key(String name, List<Value> elements) {
        if (name.equals("ports")
                && !elements.isEmpty()
                && elements.getFirst() instanceof Value.Mapping first
                && first.fields().containsKey("port")) {
            return "port";
        }
        return KEYS.get(name);
    }

    private static boolean has(Value element, String key) {
        return element instanceof Value.Mapping mapping && mapping.fields().containsKey(key);
    }

    private static boolean isDirective(Value element, String wanted) {
        return element instanceof Value.Mapping mapping && wanted.equals(mapping.text(DIRECTIVE));
    }

    private static void take(Map<String, Value> fields, String name, Value values) {
        var gone = values instanceof Value.Sequence(_, var elements) ? elements : List.<Value>of();
        if (fields.get(name) instanceof Value.Sequence(_, var before)) {
            var left = before.stream().filter(each -> !gone.contains(each)).toList();
            fields.put(name, new Value.Sequence(Position.NOWHERE, left));
        }
    }

    /// Puts the elements that the patch names an order for in that order, the others after them.
    private static void order(Map<String, Value> fields, Value.Mapping patch) {
        for (var field : patch.fields().entrySet()) {
            if (field.getKey().startsWith(ELEMENT_ORDER)
                    && field.getValue() instanceof Value.Sequence(_, var order)) {
                var name = field.getKey().substring(ELEMENT_ORDER.length());
                if (fields.get(name) instanceof Value.Sequence(_, var elements)) {
                    var sorted = sorted(elements, order, key(name, elements));
                    fields.put(name, new Value.Sequence(Position.NOWHERE, sorted));
                }
            }
        }
    }

    private static List<Value> sorted(
            List<Value> elements, List<Value> order, @Nullable String key) {
        var left = new ArrayList<>(elements);
        var sorted = new ArrayList<Value>();
        for (var wanted : order) {
            var next =
                    left.stream()
                            .filter(each -> identity(each, key).equals(identity(wanted, key)))
                            .findFirst();
            next.ifPresent(sorted::add);
            next.ifPresent(left::remove);
        }
        sorted.addAll(left);
        return sorted;
    }

    private static Value identity(Value element, @Nullable String key) {
        if (key != null && element instanceof Value.Mapping mapping) {
            var value = mapping.fields().get(key);
            return value == null ? element : value;
        }
        return element;
    }

    /// What a patch says where there was nothing before: without its orders and its nulls.
    private static Value.Mapping plain(Value.Mapping patch) {
        return apply(Trees.EMPTY, patch);
    }

    private static Value plainValue(Value value) {
        return value instanceof Value.Mapping mapping ? plain(mapping) : value;
    }
}
