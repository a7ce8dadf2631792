package dev.millwright.providers.aws.bootstrap;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.providers.aws.nodeclass.AmiFamily;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The labels and taints a node registers itself with.
public final class NodeMarks {

    /// A kubelet that names a label of these domains is refused by the API server.
    private static final List<String> FORBIDDEN_DOMAINS =
            List.of("node-restriction.kubernetes.io", "kubernetes.io", "k8s.io");

    private NodeMarks() {}

    /// The labels of a claim that its kubelet may set.
    ///
    /// A node of a family whose taints we write ourselves says so: they are not synced again.
    public static SequencedMap<String, String> labels(
            Map<String, String> ofClaim, String capacityType, AmiFamily family) {
        var labels = new TreeMap<>(ofClaim);
        labels.put(LabelKeys.CAPACITY_TYPE, capacityType);
        if (family != AmiFamily.CUSTOM) {
            labels.put(LabelKeys.DO_NOT_SYNC_TAINTS, "true");
        }
        labels.keySet().removeIf(NodeMarks::isForbidden);
        return labels;
    }

    private static boolean isForbidden(String key) {
        var slash = key.indexOf('/');
        var domain = slash < 0 ? "" : key.substring(0, slash);
        return FORBIDDEN_DOMAINS.stream()
                .anyMatch(each -> domain.equals(each) || domain.endsWith("." + each));
    }

    /// A claim's taints and the one that keeps pods off until the node has registered.
    public static List<Taint> taints(List<Taint> taints, List<Taint> startupTaints) {
        var all = new ArrayList<>(taints);
        all.addAll(startupTaints);
        if (all.stream().noneMatch(Taint.UNREGISTERED::matches)) {
            all.add(Taint.UNREGISTERED);
        }
        return all;
    }
}
