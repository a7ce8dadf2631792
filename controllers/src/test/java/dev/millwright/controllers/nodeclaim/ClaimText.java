package dev.millwright.controllers.nodeclaim;

import java.util.ArrayList;
import java.util.List;

/// A NodeClaim in the making, as a person would write it: of the pool `default`, which owns it, and
/// the class `default`. The uid follows from the name.
record ClaimText(
        String name,
        List<String> metadata,
        List<String> labels,
        List<String> annotations,
        List<String> spec,
        List<String> status,
        String classKind) {

    static ClaimText claim(String name) {
        return new ClaimText(
                name,
                List.of(ownedBy(PoolText.UID)),
                List.of("karpenter.sh/nodepool: default"),
                List.of(),
                List.of(),
                List.of(),
                "TestNodeClass");
    }

    private static String ownedBy(String uid) {
        return "ownerReferences: [{apiVersion: karpenter.sh/v1, kind: NodePool, name: default, uid: %s, blockOwnerDeletion: true}]"
                .formatted(uid);
    }

    /// Of a class that another provider understands.
    ClaimText unmanaged() {
        return new ClaimText(
                name, metadata, labels, annotations, spec, status, "SomebodyElsesNodeClass");
    }

    ClaimText ownedByPool(String uid) {
        return new ClaimText(
                name, List.of(ownedBy(uid)), labels, annotations, spec, status, classKind);
    }

    ClaimText withoutPool() {
        return new ClaimText(name, List.of(), List.of(), annotations, spec, status, classKind);
    }

    /// A line of the metadata, such as `finalizers: [a]`.
    ClaimText metadata(String line) {
        return new ClaimText(
                name, plus(metadata, line), labels, annotations, spec, status, classKind);
    }

    ClaimText label(String key, String value) {
        return new ClaimText(
                name,
                metadata,
                plus(labels, "%s: \"%s\"".formatted(key, value)),
                annotations,
                spec,
                status,
                classKind);
    }

    ClaimText annotation(String key, String value) {
        return new ClaimText(
                name,
                metadata,
                labels,
                plus(annotations, "%s: \"%s\"".formatted(key, value)),
                spec,
                status,
                classKind);
    }

    /// A line of the spec, such as `expireAfter: 1h`.
    ClaimText spec(String line) {
        return new ClaimText(
                name, metadata, labels, annotations, plus(spec, line), status, classKind);
    }

    ClaimText status(String line) {
        return new ClaimText(
                name, metadata, labels, annotations, spec, plus(status, line), classKind);
    }

    /// Conditions as pairs such as `Launched=True`, all since noon.
    ClaimText conditions(String... typesAndStatuses) {
        var conditions = new ArrayList<String>();
        for (var pair : typesAndStatuses) {
            var parts = pair.split("=", 2);
            conditions.add(
                    "{type: %s, status: \"%s\", reason: %s, message: \"\", lastTransitionTime: \"2026-01-01T12:00:00Z\", observedGeneration: 1}"
                            .formatted(parts[0], parts[1], parts[0]));
        }
        return status("conditions: [%s]".formatted(String.join(", ", conditions)));
    }

    /// Launched, registered and initialised at noon, with the provider id `fake:///<name>`.
    ClaimText ready() {
        return status("providerID: fake:///" + name)
                .conditions("Launched=True", "Registered=True", "Initialized=True", "Ready=True");
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
        apiVersion: karpenter.sh/v1
        kind: NodeClaim
        metadata:
          name: %s
          uid: %s-uid
          labels: {%s}
          annotations: {%s}
        %sspec:
          nodeClassRef: {group: karpenter.test.sh, kind: %s, name: default}
        %sstatus:
          imageID: ""
        %s"""
                .formatted(
                        name,
                        name,
                        String.join(", ", labels),
                        String.join(", ", annotations),
                        indented(metadata),
                        classKind,
                        indented(spec),
                        indented(status));
    }
}
