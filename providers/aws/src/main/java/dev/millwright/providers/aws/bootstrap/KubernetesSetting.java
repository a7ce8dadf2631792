package dev.millwright.providers.aws.bootstrap;

import dev.millwright.kube.document.Value;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The settings of Bottlerocket under `settings.kubernetes` that are passed on, and what kind of
/// value each takes. Others are left out with a note, as Karpenter does.
final class KubernetesSetting {

    private enum Kind {
        TEXT("text"),
        WHOLE("a whole number"),
        FLAG("true or false"),
        TEXTS("a list of texts"),
        TABLE("a table"),

        /// A table whose values are all texts.
        TEXT_TABLE("a table of texts"),

        /// A table of tables, each under a name of its own.
        NAMED_TABLES("a table of tables");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        boolean isMet(Value value) {
            return switch (this) {
                case TEXT -> value instanceof Value.Text;
                case WHOLE ->
                        value instanceof Value.Numeral(_, var text)
                                && text.matches("[+-]?[0-9_]+|0[xob][0-9A-Fa-f_]+");
                case FLAG -> value instanceof Value.Flag;
                case TEXTS ->
                        value instanceof Value.Sequence(_, var elements)
                                && elements.stream().allMatch(TEXT::isMet);
                case TABLE -> value instanceof Value.Mapping;
                case TEXT_TABLE ->
                        value instanceof Value.Mapping(_, var fields)
                                && fields.values().stream().allMatch(TEXT::isMet);
                case NAMED_TABLES ->
                        value instanceof Value.Mapping(_, var fields)
                                && fields.values().stream().allMatch(TABLE::isMet);
            };
        }
    }

    private static final Map<String, Kind> KINDS = kinds();

    private KubernetesSetting() {}

    private static Map<String, Kind> kinds() {
        var kinds = new TreeMap<String, Kind>();
        put(
                kinds,
                Kind.TEXT,
                List.of(
                        "api-server",
                        "cloud-provider",
                        "cluster-certificate",
                        "cluster-name",
                        "cluster-dns-ip",
                        "cluster-domain",
                        "container-log-max-size",
                        "container-log-monitor-interval",
                        "cpu-manager-policy",
                        "cpu-manager-reconcile-period",
                        "hostname-override-source",
                        "image-gc-high-threshold-percent",
                        "image-gc-low-threshold-percent",
                        "memory-manager-policy",
                        "shutdown-grace-period",
                        "shutdown-grace-period-for-critical-pods",
                        "topology-manager-policy",
                        "topology-manager-scope"));
        put(
                kinds,
                Kind.WHOLE,
                List.of(
                        "container-log-max-files",
                        "container-log-max-workers",
                        "event-burst",
                        "event-qps",
                        "eviction-max-pod-grace-period",
                        "ids-per-pod",
                        "kube-api-burst",
                        "kube-api-qps",
                        "log-level",
                        "max-pods",
                        "pod-pids-limit",
                        "registry-burst",
                        "registry-qps"));
        put(
                kinds,
                Kind.FLAG,
                List.of(
                        "cpu-cfs-quota-enforced",
                        "device-ownership-from-security-context",
                        "seccomp-default",
                        "server-tls-bootstrap",
                        "single-process-oom-kill"));
        put(kinds, Kind.TEXTS, List.of("allowed-unsafe-sysctls", "cpu-manager-policy-options"));
        put(
                kinds,
                Kind.TEXT_TABLE,
                List.of(
                        "eviction-hard",
                        "eviction-soft",
                        "eviction-soft-grace-period",
                        "kube-reserved",
                        "node-labels",
                        "system-reserved"));
        put(kinds, Kind.TABLE, List.of("node-taints", "topology-manager-policy-options"));
        put(
                kinds,
                Kind.NAMED_TABLES,
                List.of("credential-providers", "memory-manager-reserved-memory", "static-pods"));
        return kinds;
    }

    private static void put(Map<String, Kind> kinds, Kind kind, List<String> names) {
        names.forEach(name -> kinds.put(name, kind));
    }

    /// The settings that are known, with a problem for each of the wrong kind and a note for each
    /// that is left out.
    static Map<String, Value> known(
            Map<String, Value> stated, List<String> problems, List<String> notes) {
        var known = new LinkedHashMap<String, Value>();
        stated.forEach(
                (name, value) -> {
                    var kind = KINDS.get(name);
                    if (kind == null) {
                        notes.add(
                                "line %d: settings.kubernetes.%s is unknown and left out"
                                        .formatted(value.position().line(), name));
                    } else if (kind.isMet(value)) {
                        known.put(name, value);
                    } else {
                        problems.add(
                                "line %d: settings.kubernetes.%s is %s; wanted %s"
                                        .formatted(
                                                value.position().line(),
                                                name,
                                                value.describe(),
                                                kind.words));
                    }
                });
        return known;
    }
}
