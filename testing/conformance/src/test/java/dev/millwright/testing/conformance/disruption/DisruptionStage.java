package dev.millwright.testing.conformance.disruption;

import dev.millwright.controllers.capacitybuffer.Buffers;
import dev.millwright.controllers.disruption.CommandStart;
import dev.millwright.controllers.disruption.DisruptionController;
import dev.millwright.controllers.disruption.DisruptionQueue;
import dev.millwright.controllers.disruption.QueueController;
import dev.millwright.controllers.disruption.Survey;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.controllers.step.Step.Ending;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A rig with the pass and the queue of disruption, and shorthands for a fleet.
final class DisruptionStage {

    static final Duration WAIT = Duration.ofSeconds(15);

    /// Passes that may follow each other at once; more would be a loop without end.
    private static final int PASSES_MAX = 20;

    final Rig rig = new Rig();
    final Marks marks = new Marks();
    final NodeReservations reservations = new NodeReservations();
    final DisruptionQueue queue = new DisruptionQueue();
    final DisruptionController controller;
    final QueueController queueController = new QueueController(queue, marks, 1);

    DisruptionStage() {
        this(SchedulingPolicy.DEFAULT, false);
    }

    DisruptionStage(SchedulingPolicy policy, boolean isSpotToSpot) {
        var traits = rig.cloud().traits();
        controller =
                new DisruptionController(
                        new Survey(
                                marks,
                                queue,
                                rig.cloud()::catalog,
                                Buffers::all,
                                policy.withVocabulary(traits.vocabulary()),
                                isSpotToSpot),
                        new CommandStart(
                                queue, marks, reservations, traits, Duration.ofSeconds(20)),
                        queue,
                        marks,
                        reservations);
    }

    /// A pool with such a `disruption` block, in YAML's flow style.
    static Manifest pool(String name, Value disruption) {
        return Manifest.pool(name).spec("disruption", disruption);
    }

    /// Consolidates at once, within such a budget.
    static Tree disruption(String nodes) {
        return Tree.of("consolidateAfter", "0s")
                .put("consolidationPolicy", "WhenEmptyOrUnderutilized")
                .putList("budgets", List.of(Tree.of("nodes", nodes).mapping()));
    }

    DisruptionStage pool(String budget) {
        rig.apply(pool("default", disruption(budget).mapping()));
        return this;
    }

    DisruptionStage add(FleetNode... nodes) {
        for (var node : nodes) {
            rig.apply(node.claim(), node.node());
        }
        return this;
    }

    /// A pod of a ReplicaSet that runs on the node.
    static Manifest pod(String name, String node) {
        return Manifest.pod(name)
                .owner("apps/v1", "ReplicaSet", "web")
                .requests("cpu", "1")
                .on(node);
    }

    /// One pass and what follows it at once; ends with how long the controller wants to rest.
    Ending pass() {
        for (var count = 0; count < PASSES_MAX; count++) {
            var ending = rig.run(controller);
            if (!(ending instanceof Ending.Again(var after)) || !after.isZero()) {
                return ending;
            }
        }
        throw new IllegalStateException("the pass follows itself without end");
    }

    /// A choice, the wait, and the deed.
    void passes() {
        pass();
        rig.advance(WAIT);
        pass();
    }

    /// Lets the queue look at every command.
    void work() {
        queue.entries().forEach(entry -> rig.run(queueController, new ObjectName("", entry.id())));
    }

    /// Lets the cloud answer for every claim that has no machine, without a node.
    List<ClaimObject> launched() {
        var made =
                rig.view().claims().stream().filter(claim -> claim.providerId().isEmpty()).toList();
        made.forEach(claim -> launched(claim.name().name()));
        return made;
    }

    void launched(String claim) {
        patchStatus(claim, false);
    }

    void initialized(String claim) {
        patchStatus(claim, true);
    }

    private void patchStatus(String name, boolean isInitialized) {
        var before = rig.claim(name);
        var node =
                new FleetNode(name)
                        .pool(before.nodePool())
                        .uid(before.meta().uid())
                        .consolidatable(false)
                        .initialized(isInitialized);
        if (isInitialized) {
            add(node);
        } else {
            rig.apply(node.claim());
        }
    }

    boolean isGoing(String claim) {
        return rig.claim(claim).isDeleting();
    }

    boolean isTainted(String node) {
        return rig.node(node).node().taints().stream().anyMatch(Taint.DISRUPTED::matches);
    }

    boolean saysWhy(String claim) {
        return rig.claim(claim).conditions().isTrue(ClaimObject.DISRUPTION_REASON);
    }

    boolean isMarked(String claim) {
        return marks.isMarked(rig.claim(claim).providerId());
    }

    /// Claims that were made since, by their names.
    List<String> made(String... known) {
        var old = List.of(known);
        return rig.view().claims().stream()
                .map(claim -> claim.name().name())
                .filter(name -> !old.contains(name))
                .toList();
    }

    /// The messages of this reason about the node or claim.
    List<String> told(String reason, String name) {
        return rig.events().stream()
                .filter(event -> event.reason().equals(reason))
                .filter(event -> event.subject().name().name().equals(name))
                .map(event -> event.message())
                .toList();
    }

    Instant now() {
        return rig.now();
    }
}
