package dev.millwright.testing.kit;

import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.policy.NodePool.Template;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;

/// A NodePool in the making: ready, without limits and without any requirement of its own.
public record NodePoolBuilder(NodePool nodePool) implements ClusterPart {

    static NodePoolBuilder named(String name) {
        return new NodePoolBuilder(
                new NodePool(
                        name,
                        0,
                        Resources.NONE,
                        new Template(
                                new TreeMap<>(),
                                new TreeMap<>(),
                                List.of(),
                                List.of(),
                                List.of(),
                                new NodeClassRef("karpenter.test.sh", "TestNodeClass", "default")),
                        null,
                        true,
                        false));
    }

    public NodePoolBuilder weight(int weight) {
        return with(weight, nodePool.limits(), nodePool.replicas());
    }

    public NodePoolBuilder limit(String resource, String quantity) {
        return with(
                nodePool.weight(),
                nodePool.limits().with(resource, Quantity.parse(quantity)),
                nodePool.replicas());
    }

    /// Keeps this many nodes and buys none for pods.
    public NodePoolBuilder replicas(long replicas) {
        return with(nodePool.weight(), nodePool.limits(), replicas);
    }

    public NodePoolBuilder notReady() {
        return with(false, nodePool.isDeleting());
    }

    public NodePoolBuilder deleting() {
        return with(nodePool.isReady(), true);
    }

    public NodePoolBuilder requirement(Requirement requirement) {
        var template = nodePool.template();
        return template(
                new Template(
                        template.labels(),
                        template.annotations(),
                        PodBuilder.plus(template.requirements(), requirement),
                        template.taints(),
                        template.startupTaints(),
                        template.nodeClassRef()));
    }

    /// So many distinct values of the key, whatever they are.
    public NodePoolBuilder minValues(String key, int count) {
        return requirement(Requirement.of(key, Operator.EXISTS, count, List.of()));
    }

    public NodePoolBuilder label(String key, String value) {
        var template = nodePool.template();
        return template(
                new Template(
                        PodBuilder.plus(template.labels(), key, value),
                        template.annotations(),
                        template.requirements(),
                        template.taints(),
                        template.startupTaints(),
                        template.nodeClassRef()));
    }

    public NodePoolBuilder annotation(String key, String value) {
        var template = nodePool.template();
        return template(
                new Template(
                        template.labels(),
                        PodBuilder.plus(template.annotations(), key, value),
                        template.requirements(),
                        template.taints(),
                        template.startupTaints(),
                        template.nodeClassRef()));
    }

    public NodePoolBuilder taint(Taint taint) {
        var template = nodePool.template();
        return template(
                new Template(
                        template.labels(),
                        template.annotations(),
                        template.requirements(),
                        PodBuilder.plus(template.taints(), taint),
                        template.startupTaints(),
                        template.nodeClassRef()));
    }

    public NodePoolBuilder startupTaint(Taint taint) {
        var template = nodePool.template();
        return template(
                new Template(
                        template.labels(),
                        template.annotations(),
                        template.requirements(),
                        template.taints(),
                        PodBuilder.plus(template.startupTaints(), taint),
                        template.nodeClassRef()));
    }

    private NodePoolBuilder template(Template template) {
        return new NodePoolBuilder(
                new NodePool(
                        nodePool.name(),
                        nodePool.weight(),
                        nodePool.limits(),
                        template,
                        nodePool.replicas(),
                        nodePool.isReady(),
                        nodePool.isDeleting(),
                        nodePool.nodeFeePerHour()));
    }

    private NodePoolBuilder with(int weight, Resources limits, @Nullable Long replicas) {
        return new NodePoolBuilder(
                new NodePool(
                        nodePool.name(),
                        weight,
                        limits,
                        nodePool.template(),
                        replicas,
                        nodePool.isReady(),
                        nodePool.isDeleting(),
                        nodePool.nodeFeePerHour()));
    }

    private NodePoolBuilder with(boolean isReady, boolean isDeleting) {
        return new NodePoolBuilder(
                new NodePool(
                        nodePool.name(),
                        nodePool.weight(),
                        nodePool.limits(),
                        nodePool.template(),
                        nodePool.replicas(),
                        isReady,
                        isDeleting));
    }

    public NodePoolBuilder nodeFee(double perHour) {
        return new NodePoolBuilder(nodePool.withNodeFee(perHour));
    }
}
