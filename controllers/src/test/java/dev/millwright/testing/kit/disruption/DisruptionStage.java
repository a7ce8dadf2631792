package dev.millwright.testing.kit.disruption;

import dev.millwright.controllers.capacitybuffer.Buffers;
import dev.millwright.controllers.disruption.CommandStart;
import dev.millwright.controllers.disruption.DisruptionController;
import dev.millwright.controllers.disruption.DisruptionQueue;
import dev.millwright.controllers.disruption.PassQuestions;
import dev.millwright.controllers.disruption.QueueController;
import dev.millwright.controllers.disruption.Survey;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A rig with the pass and the queue of disruption, and shorthands for a fleet.
public final class DisruptionStage {

    public static final Duration WAIT = Duration.ofSeconds(15);

    /// Passes that may follow each other at once; more would be a loop without end.
    private static final int PASSES_MAX = 20;

    public final Rig rig;
    public final Marks marks = new Marks();
    public final NodeReservations reservations = new NodeReservations();
    public final DisruptionQueue queue = new DisruptionQueue();
    public final Survey survey;
    public final DisruptionController controller;
    public final QueueController queueController;

    public DisruptionStage() {
        this(new Rig());
    }

    /// Another process on the same cluster.
    public DisruptionStage(Rig rig) {
        this(rig, SchedulingPolicy.DEFAULT, false);
    }

    public DisruptionStage(SchedulingPolicy policy, boolean isSpotToSpot) {
        this(new Rig(), policy, isSpotToSpot);
    }

    public DisruptionStage(DisruptionOptions options) {
        this(new Rig(), SchedulingPolicy.DEFAULT, false, options);
    }

    public DisruptionStage(Settings.Consolidation consolidation) {
        this(new Rig(), SchedulingPolicy.DEFAULT, false, DisruptionOptions.NONE, consolidation);
    }

    /// On which nothing is changed.
    public static DisruptionStage dry() {
        return new DisruptionStage(
                new Rig(Rig.NODE_CLASS, Outside.Mode.DRY_RUN), SchedulingPolicy.DEFAULT, false);
    }

    private DisruptionStage(Rig rig, SchedulingPolicy policy, boolean isSpotToSpot) {
        this(rig, policy, isSpotToSpot, DisruptionOptions.NONE);
    }

    private DisruptionStage(
            Rig rig, SchedulingPolicy policy, boolean isSpotToSpot, DisruptionOptions options) {
        this(rig, policy, isSpotToSpot, options, Settings.Consolidation.KARPENTER);
    }

    private DisruptionStage(
            Rig rig,
            SchedulingPolicy policy,
            boolean isSpotToSpot,
            DisruptionOptions options,
            Settings.Consolidation consolidation) {
        this.rig = rig;
        queueController = new QueueController(queue, marks, rig.cloud()::catalog, 1);
        var traits = rig.cloud().traits();
        survey =
                new Survey(
                        marks,
                        queue,
                        rig.cloud()::catalog,
                        Buffers::all,
                        policy.withVocabulary(traits.vocabulary()),
                        isSpotToSpot,
                        consolidation);
        controller =
                new DisruptionController(
                        new PassQuestions(survey, marks, queue, reservations, options),
                        new CommandStart(
                                queue, marks, reservations, traits, Duration.ofSeconds(20)),
                        queue,
                        marks,
                        () -> 0);
    }

    /// A pool with such a `disruption` block, in YAML's flow style.
    public static Manifest pool(String name, Value disruption) {
        return Manifest.pool(name).spec("disruption", disruption);
    }

    /// Consolidates at once, within such a budget.
    public static Tree disruption(String nodes) {
        return Tree.of("consolidateAfter", "0s")
                .put("consolidationPolicy", "WhenEmptyOrUnderutilized")
                .putList("budgets", List.of(Tree.of("nodes", nodes).mapping()));
    }

    public DisruptionStage pool(String budget) {
        rig.apply(pool("default", disruption(budget).mapping()));
        return this;
    }

    public DisruptionStage add(FleetNode... nodes) {
        for (var node : nodes) {
            rig.apply(node.claim(), node.node());
        }
        return this;
    }

    /// A pod of a ReplicaSet that runs on the node.
    public static Manifest pod(String name, String node) {
        return Manifest.pod(name)
                .owner("apps/v1", "ReplicaSet", "web")
                .requests("cpu", "1")
                .on(node);
    }

    /// What a decision would be made from now.
    public DisruptionProblem problem() {
        return survey.of(rig.view(), rig.now());
    }

    /// A PodDisruptionBudget over pods of the label `app`.
    public DisruptionStage podBudget(String name, String app, int allowed) {
        return podBudget(name, app, Tree.of().put("maxUnavailable", 1), allowed);
    }

    public DisruptionStage podBudget(String name, String app, Tree bounds, int allowed) {
        bounds.put("selector", Tree.of("matchLabels", Tree.of("app", app)));
        rig.apply(
                Tree.of("apiVersion", "policy/v1")
                        .put("kind", "PodDisruptionBudget")
                        .put(
                                "metadata",
                                Tree.of("name", name)
                                        .put("namespace", "default")
                                        .put("uid", name + "-uid"))
                        .put("spec", bounds)
                        .put("status", Tree.of().put("disruptionsAllowed", allowed))
                        .mapping());
        return this;
    }

    /// One pass and what follows it at once; ends with how long the controller wants to rest.
    public Ending pass() {
        for (var count = 0; count < PASSES_MAX; count++) {
            var ending = rig.run(controller);
            if (!(ending instanceof Ending.Again(var after)) || !after.isZero()) {
                return ending;
            }
        }
        throw new IllegalStateException("the pass follows itself without end");
    }

    /// A choice, the wait, and the deed.
    public void passes() {
        pass();
        rig.advance(WAIT);
        pass();
    }

    /// Lets the queue look at every command.
    public void work() {
        queue.entries().forEach(entry -> rig.run(queueController, new ObjectName("", entry.id())));
    }

    /// Lets the cloud answer for every claim that has no machine, without a node.
    public List<ClaimObject> launched() {
        var made =
                rig.view().claims().stream().filter(claim -> claim.providerId().isEmpty()).toList();
        made.forEach(claim -> launched(claim.name().name()));
        return made;
    }

    public void launched(String claim) {
        patchStatus(claim, false);
    }

    public void initialized(String claim) {
        patchStatus(claim, true);
    }

    private void patchStatus(String name, boolean isInitialized) {
        var before = rig.claim(name);
        var node =
                new FleetNode(name)
                        .pool(before.nodePool())
                        .uid(before.meta().uid())
                        .consolidatable(false)
                        .type("arm-instance-type", "16")
                        .initialized(isInitialized);
        if (isInitialized) {
            add(node);
        } else {
            rig.apply(node.claim());
        }
    }

    public boolean isGoing(String claim) {
        return rig.claim(claim).isDeleting();
    }

    public boolean isTainted(String node) {
        return rig.node(node).node().taints().stream().anyMatch(Taint.DISRUPTED::matches);
    }

    public boolean saysWhy(String claim) {
        return rig.claim(claim).conditions().isTrue(ClaimObject.DISRUPTION_REASON);
    }

    public boolean isMarked(String claim) {
        return marks.isMarked(rig.claim(claim).providerId());
    }

    /// Claims that were made since, by their names.
    public List<String> made(String... known) {
        var old = List.of(known);
        return rig.view().claims().stream()
                .map(claim -> claim.name().name())
                .filter(name -> !old.contains(name))
                .toList();
    }

    /// The messages of this reason about the node or claim.
    public List<String> told(String reason, String name) {
        return rig.events().stream()
                .filter(event -> event.reason().equals(reason))
                .filter(event -> event.subject().name().name().equals(name))
                .map(event -> event.message())
                .toList();
    }

    public static Value text(String text) {
        return new Value.Text(Position.NOWHERE, text);
    }

    public static Value number(int number) {
        return new Value.Numeral(Position.NOWHERE, Integer.toString(number));
    }

    public Instant now() {
        return rig.now();
    }
}
