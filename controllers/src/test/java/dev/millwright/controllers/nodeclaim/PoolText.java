package dev.millwright.controllers.nodeclaim;

import java.util.ArrayList;
import java.util.List;

/// The NodePool `default` in the making, as a person would write it.
record PoolText(
        String uid,
        int generation,
        List<String> annotations,
        List<String> spec,
        List<String> templateMetadata,
        List<String> templateSpec,
        String className) {

    static final String UID = "pool-uid";

    static PoolText pool() {
        return new PoolText(UID, 1, List.of(), List.of(), List.of(), List.of(), "default");
    }

    PoolText generation(int other) {
        return new PoolText(
                uid, other, annotations, spec, templateMetadata, templateSpec, className);
    }

    PoolText annotation(String key, String value) {
        return new PoolText(
                uid,
                generation,
                plus(annotations, "%s: \"%s\"".formatted(key, value)),
                spec,
                templateMetadata,
                templateSpec,
                className);
    }

    /// A line of the spec, such as `weight: 1`.
    PoolText spec(String line) {
        return new PoolText(
                uid,
                generation,
                annotations,
                plus(spec, line),
                templateMetadata,
                templateSpec,
                className);
    }

    /// A line of the template's metadata, such as `labels: {a: b}`.
    PoolText metadata(String line) {
        return new PoolText(
                uid,
                generation,
                annotations,
                spec,
                plus(templateMetadata, line),
                templateSpec,
                className);
    }

    /// A line of the template's spec, such as `expireAfter: 1h`.
    PoolText template(String line) {
        return new PoolText(
                uid,
                generation,
                annotations,
                spec,
                templateMetadata,
                plus(templateSpec, line),
                className);
    }

    PoolText className(String name) {
        return new PoolText(
                uid, generation, annotations, spec, templateMetadata, templateSpec, name);
    }

    private static List<String> plus(List<String> lines, String line) {
        var all = new ArrayList<>(lines);
        all.add(line);
        return all;
    }

    private static String indented(String indent, List<String> lines) {
        return String.join("", lines.stream().map(line -> indent + line + "\n").toList());
    }

    String yaml() {
        return """
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata:
          name: default
          uid: %s
          generation: %d
          annotations: {%s}
        spec:
        %s  template:
            metadata:
              creationTimestamp: null
        %s    spec:
              nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: %s}
        %s"""
                .formatted(
                        uid,
                        generation,
                        String.join(", ", annotations),
                        indented("  ", spec),
                        indented("      ", templateMetadata),
                        className,
                        indented("      ", templateSpec));
    }
}
