package dev.millwright.providers.aws.interruption;

import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.offering.UnavailableOfferings;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.ec2.Ec2Labels;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What is done for a claim whose machine will go, or is broken.
public final class Departures {

    private final UnavailableOfferings unavailable;
    private final CapacityReservations reservations;
    private final Rebalances rebalances;
    private final ClaimsByInstance claims = new ClaimsByInstance();

    public Departures(
            UnavailableOfferings unavailable,
            CapacityReservations reservations,
            Rebalances rebalances) {
        this.unavailable = unavailable;
        this.reservations = reservations;
        this.rebalances = rebalances;
    }

    /// The claims that we run on this instance.
    List<ClaimObject> claimsOn(View view, String instanceId) {
        return claims.of(view, instanceId);
    }

    /// All that follows for the claim. What is learned about capacity is learned even from a claim
    /// that is going already.
    ///
    /// @param leaving the claims that other messages of this round have go; the claim joins them
    List<Effect> of(Kind kind, ClaimObject claim, Set<ObjectName> leaving, View view, Instant now) {
        var effects = new ArrayList<Effect>();
        var nodes = view.nodesOf(claim.providerId());
        if (!kind.event().isEmpty()) {
            effects.addAll(told(kind, claim, nodes));
        }
        effects.addAll(learned(kind, claim, now));
        if (kind.answer() == Kind.Answer.NONE || claim.isDeleting() || !leaving.add(claim.name())) {
            return effects;
        }
        effects.add(
                new Effect.Say(
                        LogLevel.INFO,
                        "deleting a claim on interruption",
                        "NodeClaim",
                        claim.name().name(),
                        "message",
                        kind.text()));
        if (kind.answer() == Kind.Answer.LEAVE_NOW
                && claim.meta().annotation(AnnotationKeys.TERMINATION_TIMESTAMP) == null) {
            effects.add(deadline(claim, now));
        }
        effects.add(deletion(kind, claim, nodes));
        return effects;
    }

    private static List<Effect> told(Kind kind, ClaimObject claim, List<NodeObject> nodes) {
        var text = words(kind);
        var isNormal = kind == Kind.REBALANCE_RECOMMENDATION;
        var effects = new ArrayList<Effect>();
        for (var subject : subjects(claim, nodes)) {
            effects.add(
                    new Effect.Publish(
                            isNormal
                                    ? KubeEvent.normal(subject, kind.event(), text)
                                    : KubeEvent.warning(subject, kind.event(), text)));
        }
        return effects;
    }

    private static List<KubeEvent.Subject> subjects(ClaimObject claim, List<NodeObject> nodes) {
        var subjects = new ArrayList<KubeEvent.Subject>();
        subjects.add(KubeEvent.Subject.of(ResourceType.NODE_CLAIM, claim));
        nodes.forEach(node -> subjects.add(KubeEvent.Subject.of(ResourceType.NODE, node)));
        return subjects;
    }

    private static String words(Kind kind) {
        return switch (kind) {
            case SPOT_INTERRUPTED -> "EC2 takes this spot instance back in two minutes";
            case CAPACITY_RESERVATION_INTERRUPTED ->
                    "the owner of the capacity reservation takes this instance's place back";
            case SCHEDULED_CHANGE, EVENT_STATUS ->
                    "AWS has scheduled a change that this instance will not survive";
            case INSTANCE_STOPPED -> "the instance is being stopped";
            case INSTANCE_TERMINATED -> "the instance is being terminated";
            case INSTANCE_STATUS -> "the instance fails EC2's instance status check";
            case SYSTEM_STATUS -> "the instance's host fails EC2's system status check";
            case REBALANCE_RECOMMENDATION ->
                    "EC2 thinks it likely that it will take this spot instance back";
            case NO_OP -> "";
        };
    }

    private List<Effect> learned(Kind kind, ClaimObject claim, Instant now) {
        return switch (kind) {
            case SPOT_INTERRUPTED -> {
                var type = claim.meta().label(LabelKeys.INSTANCE_TYPE);
                var zone = claim.meta().label(LabelKeys.ZONE);
                yield type.isEmpty() || zone.isEmpty()
                        ? List.of()
                        : List.of(
                                new Effect.Remember(
                                        "spot is short",
                                        () ->
                                                unavailable.mark(
                                                        LabelKeys.CAPACITY_TYPE_SPOT,
                                                        type,
                                                        zone,
                                                        now)));
            }
            case CAPACITY_RESERVATION_INTERRUPTED -> {
                var id = claim.meta().label(Ec2Labels.RESERVATION_ID);
                yield id.isEmpty()
                        ? List.of()
                        : List.of(
                                new Effect.Remember(
                                        "the reservation is short",
                                        () -> reservations.exhausted(id)));
            }
            case REBALANCE_RECOMMENDATION ->
                    List.of(
                            new Effect.Remember(
                                    "a rebalance is recommended",
                                    () -> rebalances.recommended(claim.providerId(), now)));
            case SCHEDULED_CHANGE,
                    EVENT_STATUS,
                    INSTANCE_STOPPED,
                    INSTANCE_TERMINATED,
                    INSTANCE_STATUS,
                    SYSTEM_STATUS,
                    NO_OP ->
                    List.of();
        };
    }

    private static Effect deadline(ClaimObject claim, Instant now) {
        var annotation =
                Tree.of(
                        AnnotationKeys.TERMINATION_TIMESTAMP,
                        now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new Effect.Write(
                new ApiWrite.Patch(
                        ResourceType.NODE_CLAIM,
                        claim.name(),
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        Tree.of("metadata", Tree.of("annotations", annotation)).mapping()),
                answer -> answer.isNotFound() ? Step.DONE : Answers.usual(answer));
    }

    /// A claim that has gone meanwhile is as good as deleted by us.
    private static Effect deletion(Kind kind, ClaimObject claim, List<NodeObject> nodes) {
        var after = new ArrayList<Effect>();
        after.add(ClaimDeletion.count(kind.text(), claim));
        for (var subject : subjects(claim, nodes)) {
            after.add(
                    new Effect.Publish(
                            KubeEvent.warning(
                                    subject,
                                    "TerminatingOnInterruption",
                                    "the claim is deleted, so that its pods move in time")));
        }
        return new Effect.Write(
                new ApiWrite.Delete(
                        ResourceType.NODE_CLAIM, claim.name(), claim.meta().uid(), null),
                answer -> answer.isDone() ? Step.of(after) : Answers.deleted(answer));
    }
}
