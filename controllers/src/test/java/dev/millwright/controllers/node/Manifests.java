package dev.millwright.controllers.node;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Objects beside nodes and pods.
final class Manifests {

    private Manifests() {}

    static String attachment(String name, String node, @Nullable String volume) {
        return """
        apiVersion: storage.k8s.io/v1
        kind: VolumeAttachment
        metadata: {name: %s}
        spec:
          attacher: fake.csi.provider
          nodeName: %s
          source: {%s}
        """
                .formatted(name, node, volume == null ? "" : "persistentVolumeName: " + volume);
    }

    /// `va-1`, `va-2` and so on.
    static String attachments(int count, String node) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(index -> attachment("va-" + index, node, "pv-" + index))
                .collect(Collectors.joining("---\n"));
    }

    static String volumeClaim(String name, String volume) {
        return """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: %s, namespace: default}
        spec: {volumeName: %s}
        """
                .formatted(name, volume);
    }

    /// A merge patch of a node's taints, each written `key=value:Effect`.
    static Value.Mapping taints(String... taints) {
        var values = new ArrayList<Value>();
        for (var text : taints) {
            var key = text.substring(0, text.indexOf('='));
            var value = text.substring(text.indexOf('=') + 1, text.indexOf(':'));
            var effect = text.substring(text.indexOf(':') + 1);
            values.add(
                    Tree.of("key", key)
                            .putUnlessEmpty("value", value)
                            .put("effect", effect)
                            .mapping());
        }
        return Tree.of("spec", Tree.of().putList("taints", values)).mapping();
    }
}
