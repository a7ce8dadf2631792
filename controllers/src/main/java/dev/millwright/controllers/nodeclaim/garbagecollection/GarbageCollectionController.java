package dev.millwright.controllers.nodeclaim.garbagecollection;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Compares claims with the cloud's machines now and then, for claims whose machines are gone.
public final class GarbageCollectionController implements Singleton {

    static final Duration PERIOD = Duration.ofMinutes(2);

    private static final int DELETED_AT_ONCE = 20;

    @Override
    public String name() {
        return "nodeclaim.garbagecollection";
    }

    /// Claims are chosen before machines are listed: the machine of a claim that registers
    /// meanwhile may be missing in the list.
    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var claims =
                view.claims().stream()
                        .filter(claim -> view.isManaged(claim.spec().nodeClassRef()))
                        .filter(claim -> !claim.isDeleting())
                        .filter(claim -> claim.conditions().isTrue(ClaimObject.REGISTERED))
                        .toList();
        return Step.of(new AutoscalerEffect.ListMachines(answer -> compared(view, claims, answer)))
                .thenAgain(PERIOD);
    }

    private static Step compared(View view, List<ClaimObject> claims, ListAnswer answer) {
        return switch (answer) {
            case ListAnswer.Failed(var message) ->
                    Step.failed("machines cannot be listed, " + message);
            case ListAnswer.Machines(var machines) -> {
                var running = running(machines);
                var deletions =
                        claims.stream()
                                .filter(claim -> !running.contains(claim.providerId()))
                                .filter(claim -> !hasReadyNode(view, claim))
                                .map(claim -> deletion(view, claim))
                                .toList();
                yield deletions.isEmpty()
                        ? Step.DONE
                        : Step.of(new Effect.Together(deletions, DELETED_AT_ONCE));
            }
        };
    }

    private static Set<String> running(List<Machine> machines) {
        return machines.stream()
                .filter(machine -> !machine.isTerminating())
                .map(Machine::providerId)
                .collect(Collectors.toSet());
    }

    /// A node whose kubelet still answers has a machine, whatever the list says.
    private static boolean hasReadyNode(View view, ClaimObject claim) {
        return view.nodesOf(claim.providerId()).stream().anyMatch(NodeObject::isReady);
    }

    private static Step deletion(View view, ClaimObject claim) {
        return Step.of(
                new Effect.Say(
                        LogLevel.INFO,
                        "deleting a claim whose machine is gone",
                        "NodeClaim",
                        claim.name().name(),
                        "Node",
                        claim.status().nodeName(),
                        "provider-id",
                        claim.providerId()),
                ClaimDeletion.withPods("garbage_collected", claim, view));
    }
}
