package dev.millwright.testing.e2e.crd;

import java.util.List;
import java.util.stream.Stream;

/// Values of the grammars that several fields share, right and wrong ones.
final class Grammar {

    static final List<String> DURATIONS =
            List.of("0s", "30s", "5m", "720h", "1h30m", "1h30m5s", "5m5m", "30s1h");

    static final List<String> DURATIONS_OR_NEVER = and(DURATIONS, "Never");

    static final List<String> NOT_DURATIONS_OR_NEVER =
            List.of(
                    "",
                    "30",
                    "h",
                    "-1s",
                    "+1s",
                    "1.5h",
                    "1hr",
                    "1d",
                    "100ms",
                    "100us",
                    "1h-1m",
                    " 1h",
                    "1h ",
                    "1H",
                    "never",
                    "FooNever",
                    "NeverFoo",
                    "1hNever");

    static final List<String> NOT_DURATIONS = and(NOT_DURATIONS_OR_NEVER, "Never");

    static final List<String> QUALIFIED_NAMES =
            List.of("a", "A", "7", "a-b_c.d", "example.com/a", "sub.example.com/A-1", "a/b");

    static final List<String> NOT_QUALIFIED_NAMES =
            List.of(
                    "",
                    "???",
                    "a b",
                    "-a",
                    "a-",
                    ".a",
                    "a_",
                    "/a",
                    "a/",
                    "a/b/c",
                    "A.com/a",
                    "-a.com/a",
                    "a..com/a",
                    "a_b.com/a");

    /// Keys that the controller keeps for itself; the match is by the text's end.
    static final List<String> RESERVED_KEYS =
            List.of(
                    "karpenter.sh/anything",
                    "karpenter.sh/initialized",
                    "karpenter.sh/capacity-types",
                    "sub.karpenter.sh/anything",
                    "notkarpenter.sh/anything",
                    "karpenter.sh");

    static final List<String> KUBERNETES_KEYS =
            List.of(
                    "kubernetes.io/anything",
                    "k8s.io/anything",
                    "node.kubernetes.io/anything",
                    "node-restriction.kubernetes.io/anything",
                    "sub.kubernetes.io/anything",
                    "sub.k8s.io/anything",
                    "kops.k8s.io/instancegroup",
                    "kops.k8s.io/gpu",
                    "beta.kubernetes.io/instance-type",
                    "failure-domain.beta.kubernetes.io/zone");

    static final List<String> WELL_KNOWN_KEYS =
            List.of(
                    "karpenter.sh/capacity-type",
                    "topology.kubernetes.io/zone",
                    "topology.kubernetes.io/region",
                    "node.kubernetes.io/instance-type",
                    "kubernetes.io/arch",
                    "kubernetes.io/os",
                    "node.kubernetes.io/windows-build");

    static final List<String> FREE_KEYS =
            List.of(
                    "anything",
                    "example.com/anything",
                    "karpenter.sh.example.com/anything",
                    "example.com/karpenter.sh");

    static final List<String> NOT_OPERATORS =
            List.of("", "in", "IN", "unknown", "Equal", "GreaterThan", "Ge");

    static final List<String> QUANTITIES =
            List.of("1", "100m", "1.5", ".5", "5.", "1Gi", "1e3", "1E-3", "-1", "+1k", "10n", "3u");

    static final List<String> NOT_QUANTITIES =
            List.of("", "x", "1x", "1gi", "1 Gi", "1K", "--1", "1.5.5", "1e", "0x10");

    private Grammar() {}

    private static List<String> and(List<String> values, String more) {
        return Stream.concat(values.stream(), Stream.of(more)).toList();
    }
}
