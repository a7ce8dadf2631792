package dev.millwright.controllers.node;

import dev.millwright.controllers.node.eviction.EvictionController;
import dev.millwright.controllers.node.eviction.EvictionQueue;
import dev.millwright.controllers.node.termination.TerminationController;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.Machine;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// A cluster of nodes with claims and machines, and the two controllers that take them away.
final class Stage {

    static final String ANNOTATION = "karpenter.sh/nodeclaim-termination-timestamp";

    final Rig rig;
    final EvictionQueue queue = new EvictionQueue();
    final TerminationController termination = new TerminationController(queue, 1);
    final EvictionController eviction = new EvictionController(queue, 1);
    private int rungBefore;

    Stage() {
        this(new Rig());
    }

    /// Controllers that have forgotten everything, in a cluster that has not.
    Stage(Rig rig) {
        this.rig = rig;
        rungBefore = rig.rings().size();
    }

    static String providerId(String node) {
        return "fake:///zone-1/" + node;
    }

    /// A ready node `name` with a claim `name-claim` and a machine.
    Stage node(String name) {
        return machine(name).claim(name).bareNode(name, "True");
    }

    Stage notReadyNode(String name) {
        return machine(name).claim(name).bareNode(name, "False");
    }

    Stage machine(String name) {
        rig.cloud()
                .put(
                        new Machine(
                                providerId(name),
                                "image-1",
                                new TreeMap<>(),
                                new TreeMap<>(),
                                Resources.NONE,
                                Resources.NONE,
                                rig.now(),
                                false));
        return this;
    }

    Stage claim(String node) {
        return claim(node, node + "-claim");
    }

    Stage claim(String node, String name) {
        rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodeClaim
                metadata:
                  name: %s
                  finalizers: [karpenter.sh/termination]
                  labels:
                    karpenter.sh/nodepool: default
                    karpenter.sh/capacity-type: spot
                spec:
                  nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
                  requirements: []
                status:
                  providerID: %s
                  nodeName: %s
                  imageID: image-1
                """
                        .formatted(name, providerId(node), node));
        return this;
    }

    /// A node and claim of another pool; of none when its name is empty.
    Stage labelledNode(String name, String pool) {
        node(name);
        var labels = Tree.of();
        if (pool.isEmpty()) {
            labels.putNothing("karpenter.sh/nodepool");
        } else {
            labels.put("karpenter.sh/nodepool", pool);
        }
        var metadata = Tree.of("metadata", Tree.of("labels", labels));
        patch(ResourceType.NODE, name, ApiWrite.Subresource.NONE, metadata);
        patch(ResourceType.NODE_CLAIM, name + "-claim", ApiWrite.Subresource.NONE, metadata);
        return this;
    }

    private void patch(
            ResourceType type, String name, ApiWrite.Subresource subresource, Tree body) {
        rig.api()
                .write(
                        new ApiWrite.Patch(
                                type,
                                new ObjectName("", name),
                                ApiWrite.PatchKind.MERGE,
                                subresource,
                                body.mapping()));
        rig.api().forgetWrites();
    }

    /// The node's kubelet, or whoever watches it, says so since then.
    Stage condition(String node, String type, String status, Instant since) {
        var conditions = new ArrayList<Value>();
        for (var condition : rig.node(node).conditions()) {
            if (!condition.type().equals(type)) {
                conditions.add(condition.value());
            }
        }
        conditions.add(
                Tree.of("type", type)
                        .put("status", status)
                        .put("lastTransitionTime", since.toString())
                        .mapping());
        patch(
                ResourceType.NODE,
                node,
                ApiWrite.Subresource.STATUS,
                Tree.of("status", Tree.of().putList("conditions", conditions)));
        return this;
    }

    Stage bareNode(String name, String ready) {
        rig.apply(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %s
                  finalizers: [karpenter.sh/termination]
                  labels:
                    karpenter.test.sh/testnodeclass: default
                    karpenter.sh/nodepool: default
                    karpenter.sh/registered: "true"
                    karpenter.sh/initialized: "true"
                    topology.kubernetes.io/zone: zone-1
                spec:
                  providerID: %s
                status:
                  conditions:
                  - {type: Ready, status: "%s", lastTransitionTime: "2026-01-01T00:00:00Z"}
                """
                        .formatted(name, providerId(name), ready));
        return this;
    }

    Stage pods(PodDraft... pods) {
        for (var pod : pods) {
            rig.apply(pod.document());
        }
        return this;
    }

    /// A node whose deletion was asked for.
    Stage goingNode(String name) {
        return node(name).deleteNode(name);
    }

    Stage deleteNode(String name) {
        delete(ResourceType.NODE, name);
        return this;
    }

    Stage deleteClaim(String name) {
        delete(ResourceType.NODE_CLAIM, name);
        return this;
    }

    private void delete(ResourceType type, String name) {
        rig.api().write(new ApiWrite.Delete(type, new ObjectName("", name), null, null));
        rig.api().forgetWrites();
    }

    /// By when the node's claim says that it must be empty.
    Stage deadline(String node, Instant at) {
        return annotate(node, at.toString());
    }

    Stage annotate(String node, String deadline) {
        var metadata = Tree.of("annotations", Tree.of(ANNOTATION, deadline));
        patch(
                ResourceType.NODE_CLAIM,
                node + "-claim",
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", metadata));
        return this;
    }

    Stage addFinalizer(String node, String finalizer) {
        var finalizers = List.of("karpenter.sh/termination", finalizer);
        patch(
                ResourceType.NODE,
                node,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", Tree.of().putTextList("finalizers", finalizers)));
        return this;
    }

    /// A disruption of ours has chosen the node.
    Stage disruptedBecause(String node, String reason) {
        var claim = rig.claim(node + "-claim");
        var conditions =
                claim.conditions()
                        .with(
                                ClaimObject.DISRUPTION_REASON,
                                Condition.Status.TRUE,
                                reason,
                                reason,
                                rig.now());
        var status = Tree.of().put("conditions", conditions.value());
        patch(
                ResourceType.NODE_CLAIM,
                claim.name().name(),
                ApiWrite.Subresource.STATUS,
                Tree.of("status", status));
        return this;
    }

    Ending terminate(String node) {
        return rig.run(termination, node);
    }

    /// Goes on until the node is gone or nothing but time is missing.
    void terminateFor(String node, int steps) {
        for (var step = 0; step < steps; step++) {
            terminate(node);
            rig.advance(Duration.ofSeconds(5));
        }
    }

    Ending evict(String pod) {
        return rig.run(eviction, name(pod));
    }

    /// Looks at every pod the drain has called for since the last time.
    void evictAllRung() {
        var rings = rig.rings();
        for (var ring : rings.subList(rungBefore, rings.size())) {
            rig.run(eviction, ring.key());
        }
        rungBefore = rings.size();
    }

    /// A pass of the drain and what it calls for.
    Ending drain(String node) {
        var ending = terminate(node);
        evictAllRung();
        return ending;
    }

    /// The kubelet has stopped the pod.
    Stage vanish(String pod) {
        rig.api().vanish(ResourceType.POD, name(pod));
        return this;
    }

    static ObjectName name(String pod) {
        return new ObjectName("default", pod);
    }

    boolean isThere(String node) {
        return rig.view().node(node) != null;
    }

    PodObject pod(String name) {
        return rig.pod("default", name);
    }

    @Nullable Instant end(String pod) {
        return pod(pod).meta().deletedAt();
    }

    List<String> leaving() {
        return rig.view().pods().stream()
                .filter(PodObject::isDeleting)
                .map(pod -> pod.name().name())
                .toList();
    }

    long evictions() {
        return rig.api().writes().stream().filter(ApiWrite.Evict.class::isInstance).count();
    }

    long podDeletions() {
        return rig.api().writes().stream()
                .filter(ApiWrite.Delete.class::isInstance)
                .filter(write -> write.type().equals(ResourceType.POD))
                .count();
    }
}
