package dev.millwright.providers.aws.controllers.capacityreservation;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.ec2.Ec2Labels;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Calls claims and nodes on-demand once their instance is: a reservation that ends leaves its
/// instances running at the price of any other.
public final class CapacityTypeController implements Singleton {

    private static final Duration PERIOD = Duration.ofMinutes(1);

    /// Claims that are written at the same time.
    private static final int WRITES_AT_ONCE = 20;

    private static final List<String> RESERVATION_LABELS =
            List.of(
                    Ec2Labels.RESERVATION_ID,
                    Ec2Labels.RESERVATION_TYPE,
                    Ec2Labels.RESERVATION_INTERRUPTIBLE);

    @Override
    public String name() {
        return "capacityreservation.capacitytype";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        if (view.claims().stream().noneMatch(claim -> isReserved(claim.meta()))) {
            return Step.again(PERIOD);
        }
        return Step.of(
                new AutoscalerEffect.ListMachines(
                        answer ->
                                switch (answer) {
                                    case ListAnswer.Failed(var message) ->
                                            Step.failed("machines cannot be listed: " + message);
                                    case ListAnswer.Machines(var machines) ->
                                            demoted(view, onDemand(machines));
                                }));
    }

    private static Set<String> onDemand(List<Machine> machines) {
        var ids = new TreeSet<String>();
        for (var machine : machines) {
            if (LabelKeys.CAPACITY_TYPE_ON_DEMAND.equals(
                    machine.labels().get(LabelKeys.CAPACITY_TYPE))) {
                ids.add(machine.providerId());
            }
        }
        return ids;
    }

    private static Step demoted(View view, Set<String> onDemand) {
        var steps = new ArrayList<Step>();
        for (var claim : view.claims()) {
            if (!claim.isDeleting()
                    && onDemand.contains(claim.providerId())
                    && view.isManaged(claim.spec().nodeClassRef())) {
                var effects = demotions(view, claim);
                if (!effects.isEmpty()) {
                    steps.add(Step.of(effects));
                }
            }
        }
        return steps.isEmpty()
                ? Step.again(PERIOD)
                : Step.of(new Effect.Together(steps, WRITES_AT_ONCE)).thenAgain(PERIOD);
    }

    /// The node first: a claim that still says reserved is looked at again.
    private static List<Effect> demotions(View view, ClaimObject claim) {
        var effects = new ArrayList<Effect>();
        for (var node : view.nodesOf(claim.providerId())) {
            if (isRegistered(node) && isReserved(node.meta())) {
                effects.add(new Effect.Write(demotion(ResourceType.NODE, node.meta())));
            }
        }
        if (isReserved(claim.meta())) {
            effects.add(new Effect.Write(demotion(ResourceType.NODE_CLAIM, claim.meta())));
            effects.add(
                    new Effect.Say(
                            LogLevel.INFO,
                            "reservation of a node ended, it is on-demand now",
                            "NodeClaim",
                            claim.name().name(),
                            "reservation",
                            claim.meta().label(Ec2Labels.RESERVATION_ID)));
        }
        return effects;
    }

    private static boolean isReserved(Meta meta) {
        return meta.label(LabelKeys.CAPACITY_TYPE).equals(LabelKeys.CAPACITY_TYPE_RESERVED);
    }

    private static boolean isRegistered(NodeObject node) {
        return node.meta().label(LabelKeys.REGISTERED).equals("true");
    }

    private static ApiWrite demotion(ResourceType type, Meta meta) {
        var labels = Tree.of(LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_ON_DEMAND);
        for (var key : RESERVATION_LABELS) {
            if (meta.labels().containsKey(key)) {
                labels.putNothing(key);
            }
        }
        return new ApiWrite.Patch(
                type,
                meta.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", Tree.of("labels", labels)).mapping());
    }
}
