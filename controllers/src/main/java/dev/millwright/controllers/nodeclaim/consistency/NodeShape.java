package dev.millwright.controllers.nodeclaim.consistency;

import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;

import java.util.ArrayList;
import java.util.List;

/// Compares a node with the machine that was promised.
final class NodeShape {

    /// Kernel and firmware take something of every machine; more than a tenth is a mistake.
    private static final double LEAST_PART = 0.9;

    private NodeShape() {}

    /// What is wrong, one sentence a resource. Only what the claim asked for counts.
    static List<String> issues(ClaimObject claim, NodeObject node) {
        var issues = new ArrayList<String>();
        var found = node.node().capacity();
        claim.spec()
                .requests()
                .amounts()
                .forEach(
                        (name, request) -> {
                            var expected = claim.status().capacity().amount(name);
                            if (!request.isZero()
                                    && !expected.isZero()
                                    && found.amount(name).toDouble()
                                            < LEAST_PART * expected.toDouble()) {
                                issues.add(
                                        "Node %s has %s of %s; its machine was to have %s"
                                                .formatted(
                                                        node.name().name(),
                                                        Resources.render(name, found.amount(name)),
                                                        name,
                                                        Resources.render(name, expected)));
                            }
                        });
        return issues;
    }
}
