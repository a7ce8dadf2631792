package dev.millwright.controllers.nodeclaim;

import java.util.ArrayList;
import java.util.List;

/// A Node in the making, as its kubelet brings it: with the unregistered taint, not ready, and with
/// nothing to allocate. The uid follows from the name.
record NodeText(
        String name,
        String providerId,
        List<String> metadata,
        List<String> labels,
        List<String> taints) {

    static final String UNREGISTERED = "{key: karpenter.sh/unregistered, effect: NoExecute}";

    static NodeText node(String name, String providerId) {
        return new NodeText(name, providerId, List.of(), List.of(), List.of(UNREGISTERED));
    }

    /// A node that registered long ago.
    static NodeText settled(String name, String providerId) {
        return new NodeText(name, providerId, List.of(), List.of(), List.of());
    }

    NodeText metadata(String line) {
        return new NodeText(name, providerId, plus(metadata, line), labels, taints);
    }

    NodeText label(String key, String value) {
        return new NodeText(
                name,
                providerId,
                metadata,
                plus(labels, "%s: \"%s\"".formatted(key, value)),
                taints);
    }

    NodeText tainted(String... others) {
        return new NodeText(name, providerId, metadata, labels, List.of(others));
    }

    private static List<String> plus(List<String> lines, String line) {
        var all = new ArrayList<>(lines);
        all.add(line);
        return all;
    }

    String yaml() {
        return """
        apiVersion: v1
        kind: Node
        metadata:
          name: %s
          uid: %s-uid
          labels: {%s}
        %sspec:
          providerID: %s
          taints: [%s]
        """
                .formatted(
                        name,
                        name,
                        String.join(", ", labels),
                        String.join("", metadata.stream().map(line -> "  " + line + "\n").toList()),
                        providerId,
                        String.join(", ", taints));
    }
}
