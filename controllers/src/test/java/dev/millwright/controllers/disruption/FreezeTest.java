package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.Drift;
import dev.millwright.core.disruption.Emptiness;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.RepairRules;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// While something is frozen no node of it goes by choice.
final class FreezeTest {

    private static final KeepReason FROZEN =
            new KeepReason.Frozen("Namespace kube-system", "release week");

    private final DisruptionStage stage = new DisruptionStage();

    private static void freeze(DisruptionStage stage) {
        stage.rig.apply(
                Manifest.of(ResourceType.NAMESPACE, "kube-system")
                        .annotation(ControlKeys.FREEZE, "release week"));
    }

    private void freeze() {
        freeze(stage);
    }

    private void unfreeze() {
        stage.rig.apply(Manifest.of(ResourceType.NAMESPACE, "kube-system"));
    }

    private void pool(String name, String... annotations) {
        var pool = DisruptionStage.pool(name, DisruptionStage.disruption("100%").mapping());
        for (var each = 0; each < annotations.length; each += 2) {
            pool.annotation(annotations[each], annotations[each + 1]);
        }
        stage.rig.apply(pool);
    }

    @Test
    void everyNodeIsKeptForTheFreeze() {
        stage.pool("100%").add(new FleetNode("empty"), new FleetNode("drifted").drifted());
        stage.rig.apply(DisruptionStage.pod("web", "drifted"));
        freeze();

        var problem = stage.problem();

        assertThat(Emptiness.candidacy(problem).kept().values()).containsExactly(FROZEN, FROZEN);
        assertThat(Drift.candidacy(problem).kept().values()).containsExactly(FROZEN, FROZEN);
        assertThat(SingleNode.candidacy(problem).kept().values()).containsExactly(FROZEN, FROZEN);
        assertThat(FROZEN.explain())
                .isEqualTo(
                        "frozen by annotation millwright.dev/freeze of Namespace kube-system (release week); remove it, or run millwright unfreeze");
    }

    @Test
    void nothingGoesUntilItIsReleasedAndThenAtOnce() {
        stage.pool("100%").add(new FleetNode("a"), new FleetNode("b").drifted());
        freeze();
        stage.passes();
        stage.passes();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("DisruptionBlocked", "default"))
                .isNotEmpty()
                .allMatch(text -> text.contains("release week"));

        unfreeze();
        stage.passes();
        assertThat(stage.queue.entries()).isNotEmpty();
    }

    @Test
    void aPoolIsFrozenAlone() {
        pool("default", ControlKeys.FREEZE, "mine");
        pool("other");
        stage.add(new FleetNode("a"), new FleetNode("z").pool("other"));
        stage.passes();

        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).containsExactly("z"));
        assertThat(Emptiness.candidacy(stage.problem()).kept())
                .containsEntry("a", new KeepReason.Frozen("NodePool default", "mine"));
    }

    /// The other pool's search found nothing; that must not keep the first from being looked at.
    @Test
    void aPoolThatIsReleasedIsLookedAtThoughNothingElseHasChanged() {
        pool("default", ControlKeys.FREEZE, "mine");
        pool("other");
        stage.add(
                new FleetNode("a"),
                new FleetNode("z").pool("other").type("arm-instance-type", "16"));
        stage.rig.apply(
                DisruptionStage.pod("small", "a").requests("cpu", "500m"),
                DisruptionStage.pod("large", "z").requests("cpu", "15"));
        stage.passes();
        assertThat(stage.queue.entries()).isEmpty();

        pool("default");
        stage.passes();

        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).containsExactly("a"));
    }

    @Test
    void aChoiceThatWaitsIsDroppedAndDoesNotComeBackByItself() {
        stage.pool("100%").add(new FleetNode("a"));
        stage.pass();
        stage.rig.advance(Duration.ofSeconds(5));
        freeze();
        stage.pass();
        stage.rig.advance(Duration.ofSeconds(2));
        unfreeze();
        stage.pass();
        stage.rig.advance(Duration.ofSeconds(8));
        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.rig.lines())
                .filteredOn(line -> line.message().equals("dropped a disruption for a freeze"))
                .hasSize(1);

        stage.rig.advance(Duration.ofSeconds(7));
        stage.pass();
        assertThat(stage.queue.entries()).hasSize(1);
    }

    /// A drifted node whose replacement is ready.
    private void ready() {
        stage.pool("100%").add(new FleetNode("a").drifted().consolidatable(false));
        stage.rig.apply(DisruptionStage.pod("web", "a"));
        stage.pass();
        stage.initialized(stage.made("a").getFirst());
    }

    @Test
    void aCommandUnderWayDoesNotDeleteItsNodes() {
        ready();
        freeze();
        stage.work();

        assertThat(stage.isGoing("a")).isFalse();
        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    void aCommandUnderWayGoesOnWithinASecondOfTheRelease() {
        ready();
        freeze();
        var ending =
                stage.rig.run(
                        stage.queueController,
                        new ObjectName("", stage.queue.entries().getFirst().id()));
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(1)));

        unfreeze();
        stage.work();

        assertThat(stage.isGoing("a")).isTrue();
    }

    @Test
    void aCommandThatIsFrozenForTooLongIsTakenBack() {
        ready();
        freeze();
        stage.rig.advance(Duration.ofMinutes(10).plusSeconds(1));
        stage.work();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.isGoing("a")).isFalse();
        assertThat(stage.isTainted("a")).isFalse();
        assertThat(stage.saysWhy("a")).isFalse();
    }

    @Test
    void aSickNodeIsRepairedAllTheSame() {
        var policy = new RepairPolicy("BadNode", "True", Duration.ofMinutes(30));
        var sick =
                new DisruptionStage(
                        new DisruptionOptions(new RepairRules(List.of(policy)), false, false));
        sick.pool("100%")
                .add(
                        new FleetNode("a").condition("BadNode", "True", "Broken", Given.NOON),
                        new FleetNode("b"),
                        new FleetNode("c"),
                        new FleetNode("d"),
                        new FleetNode("e"));
        freeze(sick);
        sick.rig.advance(Duration.ofMinutes(30));
        sick.pass();
        sick.work();

        assertThat(sick.isGoing("a")).isTrue();
        assertThat(sick.isGoing("b")).isFalse();
    }

    /// Passes come each ten seconds and less often in a quiet cluster; a freeze calls for one.
    @Test
    void whoFreezesOrReleasesIsHeardAtOnce() {
        stage.pool("100%");
        var called = new ArrayList<ObjectName>();
        stage.controller.watches().forEach(watch -> listen(watch, called));

        unfreeze();
        assertThat(called).isEmpty();
        freeze();
        assertThat(called).containsExactly(Controller.SINGLETON);
        freeze();
        assertThat(called).hasSize(1);
        unfreeze();
        assertThat(called).hasSize(2);
        pool("default", ControlKeys.FREEZE, "mine");
        assertThat(called).hasSize(3);
    }

    private <T extends KubeObject> void listen(Controller.Watch<T> watch, List<ObjectName> called) {
        var view = stage.rig.view();
        Kind<T> kind = watch.kind();
        view.cache(kind).listen((Change<T> change) -> called.addAll(watch.keys().of(view, change)));
    }

    @Test
    void whatIsFrozenIsSaidOnce() {
        stage.pool("100%").add(new FleetNode("a"));
        freeze();
        stage.passes();
        stage.passes();
        unfreeze();
        stage.pass();

        assertThat(stage.rig.lines())
                .extracting(line -> line.message())
                .containsOnlyOnce("disruption is frozen", "disruption is no longer frozen");
    }
}
