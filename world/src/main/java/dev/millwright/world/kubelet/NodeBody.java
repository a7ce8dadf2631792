package dev.millwright.world.kubelet;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.world.cluster.Reading;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What a kubelet writes when it joins.
final class NodeBody {

    static final Taint NOT_READY =
            new Taint("node.kubernetes.io/not-ready", "", Effect.NO_SCHEDULE);

    private NodeBody() {}

    /// The last part of the provider id, which the cloud gives once.
    static String name(Machine machine) {
        var id = machine.providerId();
        return id.substring(id.lastIndexOf('/') + 1);
    }

    static Tree of(Machine machine, MachineClaim claim, Instant now) {
        var name = name(machine);
        var labels = new TreeMap<>(machine.labels());
        labels.put(LabelKeys.HOSTNAME, name);
        labels.putIfAbsent(LabelKeys.OS, "linux");
        labels.putIfAbsent(LabelKeys.ARCH, "amd64");
        var taints = new ArrayList<Taint>();
        taints.addAll(claim.taints());
        taints.addAll(claim.startupTaints());
        taints.add(Taint.UNREGISTERED);
        taints.add(NOT_READY);
        return Tree.of("apiVersion", "v1")
                .put("kind", ResourceType.NODE.kind())
                .put("metadata", Tree.of("name", name).putTexts("labels", labels))
                .put(
                        "spec",
                        Tree.of("providerID", machine.providerId())
                                .putList("taints", taints.stream().map(NodeBody::taint).toList()))
                .put(
                        "status",
                        Tree.of()
                                .put("capacity", Reading.amounts(early(machine.capacity())))
                                .put("allocatable", Reading.amounts(early(machine.allocatable())))
                                .putList(
                                        "conditions",
                                        List.of(ready(false, "KubeletNotReady", now).mapping())));
    }

    static Value taint(Taint taint) {
        return Tree.of("key", taint.key())
                .putUnlessEmpty("value", taint.value())
                .put("effect", taint.effect().text())
                .mapping();
    }

    static Tree ready(boolean isReady, String reason, Instant now) {
        return condition("Ready", isReady ? "True" : "False", reason, now);
    }

    static Tree condition(String type, String status, String reason, Instant now) {
        return Tree.of("type", type)
                .put("status", status)
                .put("reason", reason)
                .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    static boolean isOfDevice(String resource) {
        return resource.indexOf('/') >= 0;
    }

    /// Until a device plugin has told of its devices there are none.
    private static Resources early(Resources resources) {
        var amounts = new TreeMap<String, Quantity>();
        resources
                .amounts()
                .forEach(
                        (key, amount) ->
                                amounts.put(key, isOfDevice(key) ? Quantity.ZERO : amount));
        return new Resources(amounts);
    }

    static Tree csiNode(Value.Mapping node, SequencedMap<String, Integer> limits) {
        var name = Reading.text(node, "metadata", "name");
        var drivers = new ArrayList<Value>();
        limits.forEach(
                (driver, count) ->
                        drivers.add(
                                Tree.of("name", driver)
                                        .put("nodeID", name)
                                        .putTextList("topologyKeys", List.of(LabelKeys.ZONE))
                                        .put("allocatable", Tree.of().put("count", count))
                                        .mapping()));
        var owner =
                Tree.of("apiVersion", "v1")
                        .put("kind", "Node")
                        .put("name", name)
                        .put("uid", Reading.text(node, "metadata", "uid"));
        return Tree.of("apiVersion", ResourceType.CSI_NODE.apiVersion())
                .put("kind", ResourceType.CSI_NODE.kind())
                .put(
                        "metadata",
                        Tree.of("name", name).putList("ownerReferences", List.of(owner.mapping())))
                .put("spec", Tree.of().putList("drivers", drivers));
    }
}
