package dev.millwright.controllers.state;

import dev.millwright.controllers.metrics.NodeFamilies;
import dev.millwright.controllers.metrics.node.NodeMetrics;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Plan.ExistingPlacement;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import java.util.List;
import java.util.TreeMap;

/// A cluster in memory, what we know of it, and which of its pods a plan puts on nodes that are
/// there.
final class ClusterStage {

    private final Rig rig = new Rig();
    private final Marks marks = new Marks();
    private final ClusterState state = new ClusterState(marks);

    Rig rig() {
        return rig;
    }

    Marks marks() {
        return marks;
    }

    ClusterState state() {
        return state;
    }

    ClusterStage with(Manifest... objects) {
        rig.apply(objects);
        return this;
    }

    ClusterStage with(String yaml) {
        rig.apply(yaml);
        return this;
    }

    void gone(ResourceType type, String name) {
        rig.api().vanish(type, new ObjectName(type.isNamespaced() ? "default" : "", name));
    }

    /// An initialised node of the pool `default` with four cores.
    static Manifest ours(String name) {
        return Manifest.node(name)
                .providerId("fake://" + name)
                .nodePool("default")
                .label(LabelKeys.INSTANCE_TYPE, "small")
                .label(LabelKeys.HOSTNAME, name)
                .initialized()
                .capacity("cpu", "4", "memory", "8Gi", "pods", "20")
                .allocatable("cpu", "4", "memory", "8Gi", "pods", "20");
    }

    /// The claim of such a node, by its machine.
    static Manifest claimOf(String node) {
        return Manifest.claim(node + "-claim")
                .providerId("fake://" + node)
                .label(LabelKeys.INSTANCE_TYPE, "small")
                .capacity("cpu", "4", "memory", "8Gi", "pods", "20")
                .allocatable("cpu", "4", "memory", "8Gi", "pods", "20");
    }

    /// A pod that kube-scheduler gave up on.
    static Manifest waiting(String name) {
        return Manifest.pod(name).unschedulable();
    }

    List<StateNode> nodes() {
        return state.nodes(rig.view());
    }

    List<String> names() {
        return nodes().stream().map(StateNode::name).toList();
    }

    StateNode node(String name) {
        return nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " is not known"));
    }

    boolean isSynced() {
        return ClusterState.isSynced(rig.view());
    }

    /// The node a plan puts the pod on, or "none".
    String placeOf(String pod) {
        var pool = Given.nodePool("default").nodePool();
        var types = new TreeMap<String, List<InstanceType>>();
        types.put("default", FakeCatalogue.standard());
        var problem =
                new SchedulingProblem(
                        state.snapshot(rig.view(), rig.now()),
                        List.of(pool),
                        types,
                        SchedulingPolicy.DEFAULT.withVocabulary(rig.cloud().traits().vocabulary()));
        return Planner.plan(problem).existing().stream()
                .filter(each -> each.pods().contains(new ObjectName("default", pod)))
                .map(ExistingPlacement::node)
                .findFirst()
                .orElse("none");
    }

    /// What the pods of a node request, in cores.
    double requested(String node) {
        return shown(true, node);
    }

    double requestedByDaemons(String node) {
        return shown(false, node);
    }

    private double shown(boolean isOfAllPods, String node) {
        var families = NodeFamilies.of(rig.cloud().traits().vocabulary());
        rig.run(new NodeMetrics(families, state));
        var family =
                isOfAllPods
                        ? families.resources().podRequests()
                        : families.resources().daemonRequests();
        return rig.gauges().stream()
                .filter(sample -> sample.family().equals(family))
                .filter(sample -> sample.labels().getFirst().equals(node))
                .filter(sample -> sample.labels().getLast().equals(Resources.CPU))
                .mapToDouble(GaugeSample::value)
                .sum();
    }
}
