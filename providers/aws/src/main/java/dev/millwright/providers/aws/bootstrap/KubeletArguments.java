package dev.millwright.providers.aws.bootstrap;

import dev.millwright.core.quantity.GoDuration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The command line of a kubelet, for families that have no file for it.
final class KubeletArguments {

    private KubeletArguments() {}

    static String of(BootstrapInput input) {
        var kubelet = input.kubelet();
        var arguments = new ArrayList<String>();
        if (!input.labels().isEmpty()) {
            arguments.add(nodeLabels(input));
        }
        arguments.add(
                "--register-with-taints="
                        + quoted(
                                input.taints().stream()
                                        .map(Object::toString)
                                        .collect(Collectors.joining(","))));
        add(arguments, "--max-pods", kubelet.maxPods());
        add(arguments, "--pods-per-core", kubelet.podsPerCore());
        add(arguments, "--system-reserved", kubelet.systemReserved(), "=");
        add(arguments, "--kube-reserved", kubelet.kubeReserved(), "=");
        add(arguments, "--eviction-hard", kubelet.evictionHard(), "<");
        add(arguments, "--eviction-soft", kubelet.evictionSoft(), "<");
        add(arguments, "--eviction-soft-grace-period", gracePeriods(input), "=");
        add(arguments, "--eviction-max-pod-grace-period", kubelet.evictionMaxPodGracePeriod());
        add(arguments, "--image-gc-high-threshold", kubelet.imageGcHighThresholdPercent());
        add(arguments, "--image-gc-low-threshold", kubelet.imageGcLowThresholdPercent());
        add(arguments, "--cpu-cfs-quota", kubelet.isCpuCfsQuotaOn());
        return String.join(" ", arguments);
    }

    static String nodeLabels(BootstrapInput input) {
        return "--node-labels=" + quoted(joined(input.labels(), "="));
    }

    /// How long a signal of soft eviction must last, by signal.
    static Map<String, String> gracePeriods(BootstrapInput input) {
        var texts = new TreeMap<String, String>();
        input.kubelet()
                .evictionSoftGracePeriod()
                .forEach((signal, period) -> texts.put(signal, GoDuration.format(period)));
        return texts;
    }

    private static void add(List<String> arguments, String name, @Nullable Object value) {
        if (value != null) {
            arguments.add(name + "=" + value);
        }
    }

    private static void add(
            List<String> arguments, String name, Map<String, String> values, String separator) {
        if (!values.isEmpty()) {
            arguments.add(name + "=" + quoted(joined(values, separator)));
        }
    }

    private static String joined(Map<String, String> values, String separator) {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + separator + entry.getValue())
                .collect(Collectors.joining(","));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
