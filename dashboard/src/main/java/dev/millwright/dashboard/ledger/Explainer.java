package dev.millwright.dashboard.ledger;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.explain.NodeExplainer;
import dev.millwright.core.explain.NodeExplanation;
import dev.millwright.core.explain.PodExplainer;
import dev.millwright.core.explain.PodExplanation;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.WaitReason;
import dev.millwright.dashboard.picture.Answer;
import dev.millwright.dashboard.picture.Answers.Reply;
import dev.millwright.dashboard.picture.Answers.Subject;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/// Says why a pod waits or a node stays, and the smallest change that would flip it, from what the
/// last decision was made from. The searches are bounded by the explainers of `core`.
///
/// A pure function of its two problems. It belongs to one thread.
final class Explainer {

    private final @Nullable SchedulingProblem scheduling;
    private final @Nullable DisruptionProblem standing;

    /// @param standing may belong to another thread; what that has worked out is not looked at
    Explainer(@Nullable SchedulingProblem scheduling, @Nullable DisruptionProblem standing) {
        this.scheduling = scheduling;
        this.standing = standing == null ? null : standing.withPast(standing.past());
    }

    Reply explain(Subject subject) {
        return switch (subject.kind()) {
            case POD -> pod(subject.name());
            case NODE -> node(subject.name());
        };
    }

    private Reply pod(String text) {
        var problem = scheduling;
        if (problem == null) {
            return new Reply.Unknown("nothing was decided yet");
        }
        var slash = text.indexOf('/');
        var name =
                slash < 0
                        ? new ObjectName("default", text)
                        : new ObjectName(text.substring(0, slash), text.substring(slash + 1));
        var pod =
                problem.snapshot().pods().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElse(null);
        var explanation = pod == null ? null : new PodExplainer(problem).explain(name);
        return pod == null || explanation == null
                ? new Reply.Unknown(
                        "there is no pod %s any more, or it came after the last decision"
                                .formatted(name))
                : new Reply.Known(answer(pod, explanation));
    }

    private static Answer answer(Pod pod, PodExplanation explanation) {
        var verdict = explanation.verdict();
        var reasons =
                verdict instanceof PodExplanation.Verdict.Waits(var reason)
                        ? reasons(reason)
                        : List.<String>of();
        return switch (explanation.fix()) {
            case null -> Answer.of("Pod " + pod.name(), sentence(verdict), reasons);
            case PodExplanation.Fix.None(var why) ->
                    new Answer(
                            "Pod " + pod.name(),
                            sentence(verdict),
                            reasons,
                            List.of(),
                            "No change was found: " + why);
            case PodExplanation.Fix.Found found ->
                    new Answer(
                            "Pod " + pod.name(),
                            sentence(verdict),
                            reasons,
                            changes(found.first(), pod),
                            "It was planned again with this, and the pod had a place."
                                    + found.others().stream()
                                            .map(
                                                    way ->
                                                            " Or instead: %s."
                                                                    .formatted(
                                                                            String.join(
                                                                                    " and ",
                                                                                    changes(
                                                                                            way,
                                                                                            pod))))
                                            .collect(Collectors.joining()));
        };
    }

    private static List<String> changes(PodExplanation.Way way, Pod pod) {
        return way.changes().stream()
                .map(each -> each.object(pod) + ": " + each.describe())
                .toList();
    }

    private static String sentence(PodExplanation.Verdict verdict) {
        return switch (verdict) {
            case PodExplanation.Verdict.Settled(var node) -> "It is on node %s.".formatted(node);
            case PodExplanation.Verdict.Fits(var node) -> "It fits node %s.".formatted(node);
            case PodExplanation.Verdict.GetsNode(var pool, var type, var zone, var price) ->
                    "It gets a new node of NodePool %s: %s in %s for %s an hour."
                            .formatted(pool, type, zone, Telling.dollars(price));
            case PodExplanation.Verdict.Waits _ ->
                    "It waits: no node has room for it, and none can be launched.";
            case PodExplanation.Verdict.NotOurs(var why) -> "It is not planned for: " + why;
        };
    }

    private static List<String> reasons(WaitReason reason) {
        return switch (reason) {
            case WaitReason.Refused(var pools) ->
                    pools.stream()
                            .map(
                                    pool ->
                                            "NodePool %s: %s"
                                                    .formatted(
                                                            pool.nodePool(),
                                                            pool.refusal().explain()))
                            .toList();
            case WaitReason.NoNodePools _,
                    WaitReason.NodePoolsWithoutTypes _,
                    WaitReason.ReservationPending _,
                    WaitReason.ResourceClaimsUnsupported _,
                    WaitReason.Invalid _,
                    WaitReason.OptedOut _,
                    WaitReason.MinValuesLost _ ->
                    List.of(reason.explain());
        };
    }

    private Reply node(String name) {
        var problem = standing;
        if (problem == null) {
            return new Reply.Unknown("whether nodes may go was not decided yet");
        }
        var machine =
                problem.machines().stream()
                        .filter(each -> isNamed(each, name))
                        .findFirst()
                        .orElse(null);
        var explanation =
                machine == null ? null : new NodeExplainer(problem).explain(machine.name());
        return explanation == null
                ? new Reply.Unknown(
                        "there is no node %s any more, or it came after the last decision"
                                .formatted(name))
                : new Reply.Known(answer(explanation));
    }

    /// By the name of its node or of its claim: a page may know either.
    private static boolean isNamed(Machine machine, String name) {
        var claim = machine.node().claim();
        return machine.name().equals(name) || (claim != null && claim.name().equals(name));
    }

    private static Answer answer(NodeExplanation explanation) {
        var subject = "Node " + explanation.node();
        var reasons =
                switch (explanation.verdict()) {
                    case NodeExplanation.Verdict.Goes _ -> List.<String>of();
                    case NodeExplanation.Verdict.Kept(var said) ->
                            said.stream()
                                    .map(
                                            each ->
                                                    "%s: %s"
                                                            .formatted(
                                                                    each.method().reason().text(),
                                                                    each.reason().explain()))
                                    .toList();
                };
        var verdict =
                switch (explanation.verdict()) {
                    case NodeExplanation.Verdict.Goes(var command) ->
                            "It may go now: %s. Others may come first."
                                    .formatted(UpcomingCommands.words(command));
                    case NodeExplanation.Verdict.Kept _ -> "It stays.";
                };
        return switch (explanation.fix()) {
            case null -> Answer.of(subject, verdict, reasons);
            case NodeExplanation.Fix.None(var why) ->
                    new Answer(
                            subject, verdict, reasons, List.of(), "No change lets it go: " + why);
            case NodeExplanation.Fix.Found(var changes, var command) ->
                    new Answer(
                            subject,
                            verdict,
                            reasons,
                            changes.stream()
                                    .map(each -> each.object() + ": " + each.describe())
                                    .toList(),
                            "It was decided again with this, and the node went: %s."
                                    .formatted(UpcomingCommands.words(command)));
        };
    }
}
