package dev.millwright.testing.bench.differential;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// What the peer said, in all the ways it said it. Pods that it ignores because they are invalid
/// count as waiting, as they do with us.
record PeerAnswer(
        @Nullable String failure,
        List<List<String>> waiting,
        List<Map<String, List<String>>> existing,
        List<List<PlannedNode>> nodes,
        double priceMin,
        double priceMax,
        Map<String, Object> raw) {

    /// The reason of pods that wait for something else than a node.
    private static final String NOT_OURS = "not provisionable";

    static PeerAnswer failed(String failure) {
        return new PeerAnswer(
                failure, List.of(), List.of(), List.of(), 0, 0, Map.of("error", failure));
    }

    static PeerAnswer of(Map<String, Object> answer) {
        if (answer.get("error") instanceof String failure) {
            return failed(failure);
        }
        var ignored =
                list(answer.get("ignored"), Function.identity()).stream()
                        .filter(each -> !text(each, "reason").equals(NOT_OURS))
                        .map(each -> text(each, "pod"))
                        .toList();
        return new PeerAnswer(
                null,
                list(answer.get("waitingVariants"), each -> waiting(each, ignored)),
                list(answer.get("existingVariants"), PeerAnswer::existing),
                list(answer.get("nodeVariants"), PeerAnswer::nodes),
                number(answer.get("priceMin")),
                number(answer.get("priceMax")),
                answer);
    }

    /// Whether it gave the same answer each time.
    boolean isSteady() {
        return nodes.size() == 1 && existing.size() == 1 && waiting.size() == 1;
    }

    /// Whether in one of its answers it buys a node without this label for this pod.
    boolean buysWithout(String label, String pod) {
        return list(raw.get("nodeVariants"), variant -> list(variant, Function.identity())).stream()
                .flatMap(List::stream)
                .anyMatch(
                        node ->
                                texts(node, "pods").contains(pod)
                                        && texts(node, "requirements")
                                                .contains(label + " DoesNotExist"));
    }

    private static List<String> waiting(Object variant, List<String> ignored) {
        var all = new TreeSet<>(ignored);
        all.addAll(list(variant, Object::toString));
        return List.copyOf(all);
    }

    private static Map<String, List<String>> existing(Object variant) {
        var byNode = new TreeMap<String, List<String>>();
        for (var place : list(variant, Function.identity())) {
            byNode.put(text(place, "node"), texts(place, "pods"));
        }
        return byNode;
    }

    private static List<PlannedNode> nodes(Object variant) {
        return list(
                        variant,
                        node ->
                                new PlannedNode(
                                        text(node, "nodePool"),
                                        texts(node, "pods"),
                                        texts(node, "types")))
                .stream()
                .sorted()
                .toList();
    }

    private static <T> List<T> list(@Nullable Object value, Function<Object, T> read) {
        var elements = new ArrayList<T>();
        if (value instanceof List<?> list) {
            list.forEach(element -> elements.add(read.apply(element)));
        }
        return elements;
    }

    private static List<String> texts(Object value, String field) {
        return value instanceof Map<?, ?> map
                ? list(map.get(field), Object::toString).stream().sorted().toList()
                : List.of();
    }

    private static String text(Object value, String field) {
        return value instanceof Map<?, ?> map && map.get(field) instanceof String text ? text : "";
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }
}
