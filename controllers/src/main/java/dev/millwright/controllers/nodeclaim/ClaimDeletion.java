package dev.millwright.controllers.nodeclaim;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.util.ArrayList;
import java.util.List;

/// The deletion of a claim that nobody asked for but us, and how it is counted.
///
/// Deleting waits for no budget and makes no replacement; what the node runs is drained as ever.
public final class ClaimDeletion {

    private ClaimDeletion() {}

    /// Deletes the claim, then carries out `counted`, but not when the claim had gone already.
    public static Effect of(ClaimObject claim, List<Effect> counted) {
        return new Effect.Write(
                new ApiWrite.Delete(
                        ResourceType.NODE_CLAIM, claim.name(), claim.meta().uid(), null),
                answer -> answer.isDone() ? Step.of(counted) : Answers.usual(answer));
    }

    /// Deletes the claim and counts it. `reason` is the metric's word, in snake case.
    public static Effect because(String reason, ClaimObject claim) {
        return of(claim, List.of(count(reason, claim)));
    }

    /// As [#because], and counts the pods that will have to move.
    public static Effect withPods(String reason, ClaimObject claim, View view) {
        var counted = new ArrayList<Effect>();
        counted.add(count(reason, claim));
        var pods = reschedulablePods(claim, view);
        if (pods > 0) {
            counted.add(
                    new Effect.Count(
                            Families.PODS_DISRUPTION_INITIATED, pods, labels(reason, claim)));
        }
        return of(claim, counted);
    }

    /// Counts a claim that was deleted, for who deletes it in a way of its own.
    public static Effect count(String reason, ClaimObject claim) {
        return new Effect.Count(Families.NODECLAIMS_DISRUPTED, 1, labels(reason, claim));
    }

    /// Nobody chose these deletions by a consolidation policy.
    private static List<String> labels(String reason, ClaimObject claim) {
        return List.of(
                reason,
                claim.nodePool(),
                claim.meta().label(LabelKeys.CAPACITY_TYPE),
                "",
                terminationMode(claim));
    }

    /// How hard pods are pressed to leave, as metrics tell it.
    public static String terminationMode(ClaimObject claim) {
        var grace = claim.spec().terminationGracePeriod();
        if (grace == null) {
            return "graceful";
        }
        return grace.isZero() ? "forceful" : "eventual";
    }

    private static long reschedulablePods(ClaimObject claim, View view) {
        return view.nodesOf(claim.providerId()).stream()
                .flatMap(node -> view.podsOn(node.meta().name().name()).stream())
                .filter(pod -> pod.pod().state().isReschedulable())
                .count();
    }
}
