package dev.millwright.controllers.nodeclaim;

import dev.millwright.controllers.nodeclaim.lifecycle.LaunchMemory;
import dev.millwright.controllers.nodeclaim.lifecycle.LifecycleController;
import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Controller.Watch;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A cluster with the pool `default` and the controller that brings claims to life.
final class ClaimStage {

    private final Rig rig = new Rig();
    private final LaunchMemory memory = new LaunchMemory();
    private final PoolHealth health = new PoolHealth();

    ClaimStage() {
        with(PoolText.pool());
    }

    Rig rig() {
        return rig;
    }

    PoolHealth health() {
        return health;
    }

    /// Made anew, as after a change of the cloud's traits.
    private LifecycleController lifecycle() {
        return new LifecycleController(rig.cloud().traits(), memory, health, 1);
    }

    ClaimStage with(ClaimText claim) {
        rig.apply(claim.yaml());
        return this;
    }

    ClaimStage with(PoolText pool) {
        rig.apply(pool.yaml());
        return this;
    }

    ClaimStage with(PodText pod) {
        rig.apply(pod.yaml());
        return this;
    }

    ClaimStage with(NodeText node) {
        rig.apply(node.yaml());
        return this;
    }

    Ending run(Controller controller, String key) {
        return rig.run(controller, key);
    }

    /// Steps for all keys that it is called to, in their order.
    void run(Controller controller, Collection<ObjectName> keys) {
        List.copyOf(keys).forEach(key -> rig.run(controller, key));
    }

    /// One step of the claim's life.
    Ending live(String claim) {
        return rig.run(lifecycle(), claim);
    }

    /// The keys a controller is called to from now on, as things change.
    Set<ObjectName> calls(Controller controller) {
        var keys = new TreeSet<ObjectName>();
        controller.watches().forEach(watch -> listen(watch, keys));
        keys.clear();
        return keys;
    }

    Set<ObjectName> callsOfLifecycle() {
        return calls(lifecycle());
    }

    private <T extends KubeObject> void listen(Watch<T> watch, Set<ObjectName> keys) {
        rig.view()
                .cache(watch.kind())
                .listen(change -> keys.addAll(watch.keys().of(rig.view(), change)));
    }

    /// A claim with a machine.
    ClaimStage launched(ClaimText claim) {
        with(claim);
        live(claim.name());
        return this;
    }

    /// A claim with a machine and a registered node, `<name>-node`, that is not ready.
    ClaimStage registered(ClaimText claim) {
        launched(claim);
        with(NodeText.node(nodeOf(claim), providerId(claim.name())));
        live(claim.name());
        return this;
    }

    ClaimStage initialized(ClaimText claim) {
        registered(claim);
        ready(nodeOf(claim));
        live(claim.name());
        return this;
    }

    private static String nodeOf(ClaimText claim) {
        return claim.name() + "-node";
    }

    ClaimObject claim(String name) {
        return rig.claim(name);
    }

    NodeObject node(String name) {
        return rig.node(name);
    }

    String providerId(String claim) {
        return claim(claim).providerId();
    }

    boolean hasClaim(String name) {
        return rig.view().claim(name) != null;
    }

    boolean hasNode(String name) {
        return rig.view().node(name) != null;
    }

    boolean isTrue(String claim, String type) {
        return claim(claim).conditions().isTrue(type);
    }

    boolean isUnknown(String claim, String type) {
        return claim(claim).conditions().isUnknown(type);
    }

    /// The reason of a condition that somebody has set.
    String reason(String claim, String type) {
        return condition(claim, type).reason();
    }

    Condition condition(String claim, String type) {
        var condition = claim(claim).conditions().find(type);
        if (condition == null) {
            throw new IllegalStateException("NodeClaim %s has no %s".formatted(claim, type));
        }
        return condition;
    }

    @Nullable Condition poolHealth() {
        return rig.pool("default").conditions().find("NodeRegistrationHealthy");
    }

    /// The kubelet says that the node is ready and has all of a machine to give.
    ClaimStage ready(String node) {
        return nodeStatus(
                node,
                Tree.of()
                        .putList("conditions", List.of(readyCondition("True")))
                        .put("capacity", amounts("10", "100Mi"))
                        .put("allocatable", amounts("8", "80Mi")));
    }

    ClaimStage notReady(String node) {
        return nodeStatus(node, Tree.of().putList("conditions", List.of(readyCondition("False"))));
    }

    ClaimStage allocatable(String node, String resource, String amount) {
        return nodeStatus(node, Tree.of("allocatable", Tree.of(resource, amount)));
    }

    private static Value.Mapping readyCondition(String status) {
        return Tree.of("type", "Ready").put("status", status).mapping();
    }

    private static Tree amounts(String cpu, String memory) {
        return Tree.of("cpu", cpu).put("memory", memory).put("pods", "110");
    }

    private ClaimStage nodeStatus(String node, Tree status) {
        return patch(ResourceType.NODE, node, Subresource.STATUS, Tree.of("status", status));
    }

    /// Leaves the node with these taints.
    ClaimStage taints(String node, Value.Mapping... taints) {
        return patch(
                ResourceType.NODE,
                node,
                Subresource.NONE,
                Tree.of("spec", Tree.of().putList("taints", List.of(taints))));
    }

    ClaimStage patch(ResourceType type, String name, Subresource subresource, Tree body) {
        var answer =
                rig.api()
                        .write(
                                new ApiWrite.Patch(
                                        type,
                                        new ObjectName("", name),
                                        PatchKind.MERGE,
                                        subresource,
                                        body.mapping()));
        if (!answer.isDone()) {
            throw new IllegalStateException(answer.explain());
        }
        return this;
    }

    /// Somebody deletes the object; finalizers hold it.
    ClaimStage delete(ResourceType type, String name) {
        rig.api().write(new ApiWrite.Delete(type, new ObjectName("", name), null, null));
        return this;
    }

    ClaimStage deleteClaim(String name) {
        return delete(ResourceType.NODE_CLAIM, name);
    }

    /// The node is drained and gone.
    ClaimStage nodeGoes(String name) {
        rig.api().vanish(ResourceType.NODE, new ObjectName("", name));
        return this;
    }
}
