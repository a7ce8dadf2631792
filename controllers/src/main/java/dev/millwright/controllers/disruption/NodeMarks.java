package dev.millwright.controllers.disruption;

import dev.millwright.controllers.node.NodeTaints;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What a disruption leaves on objects while it lasts: a taint on the node, so that no pod comes
/// any more, and on the claim a condition that says why.
final class NodeMarks {

    private NodeMarks() {}

    /// Marks both; ends otherwise than well when one of them did not take it.
    static Step put(View view, ClaimObject claim, NodeObject node, Reason reason, Instant now) {
        var said =
                claim.conditions()
                        .with(
                                ClaimObject.DISRUPTION_REASON,
                                Status.TRUE,
                                reason.text(),
                                reason.text(),
                                now);
        var effects = new ArrayList<Effect>();
        if (!isTainted(node)) {
            effects.add(
                    new Effect.Write(
                            NodeTaints.with(node, Taint.DISRUPTED), NodeMarks::mustBeThere));
        }
        effects.addAll(ClaimChange.of(claim).conditions(said).writes(view));
        return Step.of(effects);
    }

    /// A node that went meanwhile cannot be disrupted; whoever began must know.
    private static Step mustBeThere(ApiAnswer answer) {
        return answer.isNotFound() ? Step.failed(answer.explain()) : Answers.usual(answer);
    }

    /// Takes back what is there of both. A terminating node keeps its taint: its drain needs it.
    static List<Effect> take(View view, ClaimObject claim, @Nullable NodeObject node) {
        var effects = new ArrayList<Effect>();
        if (node != null && isTainted(node) && !node.isDeleting()) {
            effects.add(
                    new Effect.Write(NodeTaints.without(node, Taint.DISRUPTED), Answers::deleted));
        }
        effects.addAll(
                ClaimChange.of(claim)
                        .conditions(claim.conditions().without(ClaimObject.DISRUPTION_REASON))
                        .writes(view));
        return effects;
    }

    private static boolean isTainted(NodeObject node) {
        return node.node().taints().stream().anyMatch(Taint.DISRUPTED::matches);
    }
}
