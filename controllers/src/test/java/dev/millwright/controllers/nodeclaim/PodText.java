package dev.millwright.controllers.nodeclaim;

import java.util.ArrayList;
import java.util.List;

/// A running pod in the making. The uid follows from the name.
record PodText(String name, List<String> metadata, List<String> spec, List<String> status) {

    static PodText pod(String name, String node) {
        return new PodText(
                name,
                List.of(),
                node.isEmpty() ? List.of() : List.of("nodeName: " + node),
                List.of("phase: Running"));
    }

    PodText ofDaemonSet() {
        return metadata(
                "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d-uid, controller: true}]");
    }

    PodText metadata(String line) {
        return new PodText(name, plus(metadata, line), spec, status);
    }

    PodText status(String line) {
        return new PodText(name, metadata, spec, plus(status, line));
    }

    PodText phase(String phase) {
        return new PodText(name, metadata, spec, List.of("phase: " + phase));
    }

    private static List<String> plus(List<String> lines, String line) {
        var all = new ArrayList<>(lines);
        all.add(line);
        return all;
    }

    private static String indented(List<String> lines) {
        return String.join("", lines.stream().map(line -> "  " + line + "\n").toList());
    }

    String yaml() {
        return """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: default
          uid: %s-uid
        %sspec:
          containers: [{name: main, image: some}]
        %sstatus:
        %s"""
                .formatted(name, name, indented(metadata), indented(spec), indented(status));
    }
}
