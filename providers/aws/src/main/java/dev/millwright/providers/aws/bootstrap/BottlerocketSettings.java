package dev.millwright.providers.aws.bootstrap;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.bootstrap.toml.TomlException;
import dev.millwright.providers.aws.bootstrap.toml.TomlReader;
import dev.millwright.providers.aws.bootstrap.toml.TomlText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Bottlerocket: settings in TOML. Those of the class stay, but for what joins the cluster.
final class BottlerocketSettings {

    private static final String SETTINGS = "settings";
    private static final String KUBERNETES = "kubernetes";
    private static final String COMMANDS = "bootstrap-commands";

    /// Runs before all others that are named the usual way.
    private static final String MOUNT = "000-mount-instance-storage";

    private BottlerocketSettings() {}

    static UserData userData(BootstrapInput input) {
        Value.Mapping custom;
        try {
            custom = TomlReader.read(input.customText());
        } catch (TomlException failure) {
            return new UserData.Invalid("userData is no TOML: " + failure.getMessage());
        }
        var problems = new ArrayList<String>();
        var notes = new ArrayList<String>();
        var settings = table(custom.fields().get(SETTINGS), SETTINGS, problems);
        var stated = table(settings.get(KUBERNETES), SETTINGS + "." + KUBERNETES, problems);
        var kubernetes = KubernetesSetting.known(stated, problems, notes);
        var commands = table(settings.get(COMMANDS), SETTINGS + "." + COMMANDS, problems);
        if (!problems.isEmpty()) {
            return new UserData.Invalid("userData: " + String.join("; ", problems));
        }
        join(input, kubernetes);
        limit(input, kubernetes);
        settings.put(KUBERNETES, mapping(kubernetes));
        if (input.isRaid0()) {
            commands.put(MOUNT, mount(input.amiVersion()));
            settings.put(COMMANDS, mapping(commands));
        }
        var text = TomlText.of(Tree.of().put(SETTINGS, mapping(settings)).mapping());
        return new UserData.Written(text, notes);
    }

    private static Map<String, Value> table(
            @Nullable Value value, String name, List<String> problems) {
        if (value instanceof Value.Mapping(_, var fields)) {
            return new LinkedHashMap<>(fields);
        }
        if (value != null) {
            problems.add(
                    "line %d: %s is %s; wanted a table"
                            .formatted(value.position().line(), name, value.describe()));
        }
        return new LinkedHashMap<>();
    }

    private static Value.Mapping mapping(Map<String, Value> fields) {
        return new Value.Mapping(Position.NOWHERE, new LinkedHashMap<>(fields));
    }

    /// How the node finds its cluster, and what it registers with.
    private static void join(BootstrapInput input, Map<String, Value> kubernetes) {
        var cluster = input.cluster();
        kubernetes.put("api-server", Tree.text(cluster.endpoint()));
        kubernetes.put("cluster-name", Tree.text(cluster.name()));
        kubernetes.remove("cluster-certificate");
        if (cluster.caBundle() != null) {
            kubernetes.put("cluster-certificate", Tree.text(cluster.caBundle()));
        }
        var labels = new TreeMap<String, Value>();
        if (kubernetes.get("node-labels") instanceof Value.Mapping(_, var theirs)) {
            labels.putAll(theirs);
        }
        input.labels().forEach((key, value) -> labels.put(key, Tree.text(value)));
        kubernetes.put("node-labels", mapping(labels));
        var taints = new TreeMap<String, List<Value>>();
        for (var taint : input.taints()) {
            taints.computeIfAbsent(taint.key(), _ -> new ArrayList<>())
                    .add(Tree.text(taint.value() + ":" + taint.effect().text()));
        }
        var listed = new TreeMap<String, Value>();
        taints.forEach((key, values) -> listed.put(key, Tree.list(values)));
        kubernetes.put("node-taints", mapping(listed));
    }

    /// What the class's own field for the kubelet says wins over its user data.
    private static void limit(BootstrapInput input, Map<String, Value> kubernetes) {
        var kubelet = input.kubelet();
        put(kubernetes, "max-pods", kubelet.maxPods());
        if (!kubelet.clusterDns().isEmpty()) {
            kubernetes.put("cluster-dns-ip", Tree.text(kubelet.clusterDns().getFirst()));
        }
        put(kubernetes, "system-reserved", kubelet.systemReserved());
        put(kubernetes, "kube-reserved", kubelet.kubeReserved());
        put(kubernetes, "eviction-hard", kubelet.evictionHard());
        put(kubernetes, "eviction-soft", kubelet.evictionSoft());
        put(kubernetes, "eviction-soft-grace-period", KubeletArguments.gracePeriods(input));
        put(kubernetes, "eviction-max-pod-grace-period", kubelet.evictionMaxPodGracePeriod());
        putText(
                kubernetes,
                "image-gc-high-threshold-percent",
                kubelet.imageGcHighThresholdPercent());
        putText(kubernetes, "image-gc-low-threshold-percent", kubelet.imageGcLowThresholdPercent());
        if (kubelet.isCpuCfsQuotaOn() != null) {
            kubernetes.put(
                    "cpu-cfs-quota-enforced",
                    new Value.Flag(Position.NOWHERE, kubelet.isCpuCfsQuotaOn()));
        }
    }

    private static void put(Map<String, Value> fields, String name, @Nullable Integer number) {
        if (number != null) {
            fields.put(name, new Value.Numeral(Position.NOWHERE, number.toString()));
        }
    }

    private static void putText(Map<String, Value> fields, String name, @Nullable Integer number) {
        if (number != null) {
            fields.put(name, Tree.text(number.toString()));
        }
    }

    private static void put(Map<String, Value> fields, String name, Map<String, String> texts) {
        if (!texts.isEmpty()) {
            fields.put(name, Tree.texts(texts));
        }
    }

    /// Makes one disk of the instance store and moves the pods' files there.
    private static Value mount(@Nullable String amiVersion) {
        var bind = new ArrayList<>(List.of("apiclient", "ephemeral-storage", "bind"));
        if (!BottlerocketVersion.isKnowingItsDirectories(amiVersion)) {
            bind.addAll(
                    List.of("--dirs", "/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods"));
        }
        return Tree.of()
                .putList(
                        "commands",
                        List.of(
                                words(List.of("apiclient", "ephemeral-storage", "init")),
                                words(bind)))
                .put("essential", true)
                .put("mode", "always")
                .mapping();
    }

    private static Value words(List<String> words) {
        return Tree.list(words.stream().map(Tree::text).toList());
    }
}
