package dev.millwright.kube.translation;

import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.NodeClaim;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.document.Field;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Machines: their Nodes, their NodeClaims, and what they can attach.
public record NodeTranslation(LabelTranslation labels) {

    private static final Taint UNSCHEDULABLE =
            new Taint("node.kubernetes.io/unschedulable", "", Effect.NO_SCHEDULE);

    /// A claim, and the node it says it became.
    public record ClaimedNode(NodeClaim claim, String nodeName) {}

    public Node node(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        var status = object.at("status");
        return new Node(
                meta.name().name(),
                spec.at("providerID").text(""),
                meta.labels(),
                meta.annotations(),
                taints(spec),
                status.at("capacity").resources(),
                status.at("allocatable").resources(),
                new TreeMap<>(),
                meta.isTerminating());
    }

    /// A cordoned node soon has the taint; a file may show the moment before.
    private List<Taint> taints(Field spec) {
        var taints = new ArrayList<>(labels.taints(spec.at("taints")));
        if (spec.at("unschedulable").isTrue()
                && taints.stream().noneMatch(UNSCHEDULABLE::matches)) {
            taints.add(UNSCHEDULABLE);
        }
        return taints;
    }

    public ClaimedNode claim(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        var status = object.at("status");
        var claim =
                new NodeClaim(
                        meta.name().name(),
                        status.at("providerID").text(""),
                        meta.labels(),
                        meta.annotations(),
                        labels.taints(spec.at("taints")),
                        labels.taints(spec.at("startupTaints")),
                        status.at("capacity").resources(),
                        status.at("allocatable").resources(),
                        meta.isTerminating());
        return new ClaimedNode(claim, status.at("nodeName").text(""));
    }

    /// Attachment limits by driver. A driver without a count is unlimited, as Kubernetes has it.
    public SequencedMap<String, Integer> volumeLimits(Field csiNode) {
        var limits = new TreeMap<String, Integer>();
        for (var driver : csiNode.at("spec").at("drivers").elements()) {
            var count = driver.at("allocatable").at("count");
            if (count.isPresent()) {
                limits.put(
                        driver.at("name").requiredText("the driver's name"),
                        count.whole(0, Integer.MAX_VALUE, 0));
            }
        }
        return limits;
    }

    public static Node withVolumeLimits(Node node, SequencedMap<String, Integer> limits) {
        return new Node(
                node.name(),
                node.providerId(),
                node.labels(),
                node.annotations(),
                node.taints(),
                node.capacity(),
                node.allocatable(),
                limits,
                node.isTerminating());
    }
}
