package dev.millwright.controllers.machine.garbagecollection;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.TerminateAnswer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Ends machines that run for nobody: the cloud started one too many, or the claim was taken away
/// by force. They would cost money for ever.
///
/// A machine is spared while a claim that is older than it has not been told of its own: it may be
/// that one, and its launch is timed out otherwise. A node that was drained by us before is drained
/// first.
public final class MachineCollectionController implements Singleton {

    static final Duration PERIOD = Duration.ofMinutes(2);

    /// At first it looks often: what a process before this one left behind costs money.
    static final Duration PERIOD_AT_FIRST = Duration.ofSeconds(10);

    static final int LOOKS_AT_FIRST = 20;

    /// Claims are compared as the caches have them, which may be a moment late.
    private static final Duration YOUNG = Duration.ofSeconds(30);

    private static final int ENDED_AT_ONCE = 20;

    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public String name() {
        return "instance.garbagecollection";
    }

    /// Machines are listed before claims are looked at: a claim that came meanwhile is seen.
    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var isBeginning = looks.get() < LOOKS_AT_FIRST;
        return Step.of(
                        new AutoscalerEffect.ListMachines(answer -> compared(view, answer, now)),
                        new Effect.Remember("a look at all machines", looks::incrementAndGet))
                .thenAgain(isBeginning ? PERIOD_AT_FIRST : PERIOD);
    }

    private static Step compared(View view, ListAnswer answer, Instant now) {
        return switch (answer) {
            case ListAnswer.Failed(var message) ->
                    Step.failed("machines cannot be listed, " + message);
            case ListAnswer.Machines(var machines) -> {
                var ends =
                        machines.stream()
                                .filter(machine -> isUnclaimed(view, machine, now))
                                .map(machine -> end(view, machine))
                                .toList();
                yield ends.isEmpty()
                        ? Step.DONE
                        : Step.of(new Effect.Together(ends, ENDED_AT_ONCE));
            }
        };
    }

    private static boolean isUnclaimed(View view, Machine machine, Instant now) {
        return !machine.isTerminating()
                && machine.launchedAt().plus(YOUNG).isBefore(now)
                && view.claimsOf(machine.providerId()).isEmpty()
                && view.claims().stream().noneMatch(claim -> mayBeOf(view, claim, machine));
    }

    /// Creation is told in whole seconds.
    private static boolean mayBeOf(View view, ClaimObject claim, Machine machine) {
        return claim.providerId().isEmpty()
                && view.isManaged(claim.spec().nodeClassRef())
                && !claim.meta().createdAt().isAfter(machine.launchedAt());
    }

    private static Step end(View view, Machine machine) {
        var nodes = view.nodesOf(machine.providerId());
        var isHeld =
                nodes.stream()
                        .anyMatch(
                                node -> node.meta().hasFinalizer(LabelKeys.TERMINATION_FINALIZER));
        return isHeld ? Step.of(deletions(nodes)) : Step.of(termination(machine, nodes));
    }

    private static List<Effect> deletions(List<NodeObject> nodes) {
        return nodes.stream()
                .filter(node -> !node.isDeleting())
                .map(MachineCollectionController::deletion)
                .toList();
    }

    private static Effect deletion(NodeObject node) {
        return new Effect.Write(
                new ApiWrite.Delete(ResourceType.NODE, node.name(), node.meta().uid(), null),
                Answers::deleted);
    }

    private static Effect termination(Machine machine, List<NodeObject> nodes) {
        return new AutoscalerEffect.Terminate(
                claim(machine),
                answer ->
                        switch (answer) {
                            case TerminateAnswer.Started() ->
                                    Step.of(told(machine)).followedBy(Step.of(deletions(nodes)));
                            case TerminateAnswer.Gone() -> Step.of(deletions(nodes));
                            case TerminateAnswer.Failed(var message) ->
                                    Step.failed(
                                            "machine %s, which no claim stands for, cannot be terminated, %s"
                                                    .formatted(machine.providerId(), message));
                        });
    }

    private static Effect told(Machine machine) {
        return new Effect.Say(
                LogLevel.INFO,
                "ended a machine that no claim stands for",
                "provider-id",
                machine.providerId(),
                "launched-at",
                machine.launchedAt().toString());
    }

    /// A cloud finds a machine by its id; nobody wished for it.
    private static MachineClaim claim(Machine machine) {
        return new MachineClaim(
                "",
                "",
                machine.launchedAt(),
                machine.labels(),
                machine.annotations(),
                List.of(),
                List.of(),
                List.of(),
                Resources.NONE,
                new NodeClassRef("", "", ""),
                machine.providerId(),
                machine.imageId());
    }
}
