package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.eviction.EvictionController;
import dev.millwright.controllers.node.eviction.EvictionQueue;
import dev.millwright.controllers.nodeclaim.lifecycle.LaunchMemory;
import dev.millwright.controllers.nodeclaim.lifecycle.LifecycleController;
import dev.millwright.controllers.nodeclaim.reboot.IssuanceMemory;
import dev.millwright.controllers.nodeclaim.reboot.RebootController;
import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.RepairRules;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.RepairPolicy.Action;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.runtime.step.Controller.Watch;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.RebootAnswer;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// Sick nodes that a reboot may heal are rebooted where they are, and replaced when that does not
/// help.
final class RebootTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final Duration DRAIN_MIN = Duration.ofSeconds(5);

    private static final RepairPolicy POLICY =
            new RepairPolicy("BadNode", "True", PATIENCE).drainedWithin(GRACE).by(Action.REBOOT);

    private final DisruptionStage stage =
            new DisruptionStage(
                    new DisruptionOptions(new RepairRules(List.of(POLICY)), false, false));
    private final EvictionQueue evictions = new EvictionQueue();
    private final RebootController controller =
            new RebootController(evictions, new IssuanceMemory());

    @BeforeEach
    void aSickNode() {
        stage.pool("1");
        boot("before", Given.NOON);
        stage.rig.apply(machine().claim());
        stage.rig.advance(PATIENCE);
    }

    private static FleetNode machine() {
        return new FleetNode("a").consolidatable(false);
    }

    private static Manifest node(String bootId, Instant sickSince) {
        return machine()
                .condition("BadNode", "True", "Broken", sickSince)
                .node()
                .status("nodeInfo", Tree.of("bootID", bootId).mapping());
    }

    private void boot(String bootId, Instant sickSince) {
        stage.rig.apply(node(bootId, sickSince));
    }

    private Ending look() {
        return stage.rig.run(controller, "a");
    }

    private Condition rebooting() {
        return Objects.requireNonNull(
                stage.rig.claim("a").conditions().find(ClaimObject.REBOOTING));
    }

    private boolean isFenced() {
        return stage.rig.node("a").node().taints().stream().anyMatch(Taint.REBOOTING::matches);
    }

    /// Until the cloud has been asked.
    private void issued() {
        stage.pass();
        look();
        stage.rig.advance(DRAIN_MIN);
        look();
    }

    @Test
    @Tag("J-REBOOT-1")
    void theClaimSaysWhatIsToBeDoneAndWhy() {
        stage.pass();

        assertThat(rebooting().isTrue()).isTrue();
        assertThat(rebooting().reason()).isEqualTo("RebootRequested");
        assertThat(rebooting().message()).contains("BadNode", "Broken");
        assertThat(stage.saysWhy("a")).isTrue();
        assertThat(stage.rig.claim("a").meta().annotation(AnnotationKeys.REBOOT_GRACE_PERIOD))
                .isEqualTo("1m0s");
        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.rig.count(Families.DISRUPTION_DECISIONS, "reboot", "unhealthy", ""))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-REBOOT-2")
    void aRebootIsBegunOnceAndKeepsItsReason() {
        stage.pass();
        stage.pass();

        assertThat(stage.saysWhy("a")).isTrue();
        assertThat(stage.rig.count(Families.DISRUPTION_DECISIONS, "reboot", "unhealthy", ""))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-REBOOT-3")
    void aNodeThatIsRebootedTakesUpTheBudget() {
        stage.pass();
        stage.add(new FleetNode("b").consolidatable(false).drifted());

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-REBOOT-4")
    void anEmptyNodeIsFencedAndRebootedAfterAMoment() {
        stage.pass();

        look();

        assertThat(isFenced()).isTrue();
        assertThat(stage.rig.cloud().reboots()).isEmpty();

        stage.rig.advance(DRAIN_MIN);
        look();

        assertThat(stage.rig.cloud().reboots()).hasSize(1);
        assertThat(rebooting().reason()).isEqualTo("RebootIssued");
        assertThat(stage.rig.claim("a").conditions().isUnknown(ClaimObject.INITIALIZED)).isTrue();
        assertThat(stage.rig.node("a").isInitialized()).isFalse();
        assertThat(stage.rig.claim("a").meta().annotation(AnnotationKeys.REBOOT_PRE_BOOT_ID))
                .isEqualTo("before");
    }

    @Test
    @Tag("J-REBOOT-5")
    void aNewBootThatIsReadyEndsIt() {
        issued();
        stage.rig.apply(
                machine()
                        .registered()
                        .node()
                        .status("nodeInfo", Tree.of("bootID", "after").mapping())
                        .taint(LabelKeys.REBOOTING_TAINT, "NoSchedule"));

        look();

        assertThat(rebooting().status()).isEqualTo(Condition.Status.FALSE);
        assertThat(rebooting().reason()).isEqualTo("RebootSucceeded");
        assertThat(isFenced()).isFalse();
        assertThat(stage.rig.claim("a").meta().annotation(AnnotationKeys.REBOOT_PRE_BOOT_ID))
                .isNull();
        assertThat(stage.told("RebootObserved", "a")).hasSize(1);
        assertThat(stage.rig.count(Families.NODES_REBOOTS, "succeeded")).isEqualTo(1);
        assertThat(stage.rig.observations(Families.NODES_REBOOT, "succeeded")).hasSize(1);
        assertThat(stage.rig.observations(Families.NODES_REBOOT_RECOVERY)).hasSize(1);
    }

    @Test
    @Tag("J-REBOOT-6")
    void theSameBootIsWaitedFor() {
        issued();

        assertThat(look()).isInstanceOf(Ending.Again.class);
        assertThat(rebooting().reason()).isEqualTo("RebootIssued");
        assertThat(stage.rig.cloud().reboots()).hasSize(1);
    }

    @Test
    @Tag("J-REBOOT-7")
    void aNodeThatDoesNotComeBackIsReplaced() {
        issued();
        stage.rig.advance(Duration.ofMinutes(20).plusSeconds(1));

        look();

        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.told("RebootFailed", "a")).hasSize(1);
        assertThat(stage.rig.count(Families.NODES_REBOOTS, "recovery_timeout")).isEqualTo(1);
        assertThat(stage.rig.claim("a").meta().annotation(AnnotationKeys.TERMINATION_TIMESTAMP))
                .isNotNull();
    }

    @Test
    @Tag("J-REBOOT-8")
    void aCloudThatCannotRebootHasTheNodeReplaced() {
        stage.rig.cloud().nextReboot(new RebootAnswer.Unsupported());

        issued();

        assertThat(stage.isGoing("a")).isTrue();
        assertThat(isFenced()).isFalse();
        assertThat(stage.rig.count(Families.NODES_REBOOTS, "provider_error")).isEqualTo(1);
    }

    @Test
    @Tag("J-REBOOT-9")
    void aCloudThatFailsIsAskedAgainByTheSameName() {
        stage.rig.cloud().nextReboot(new RebootAnswer.Failed("busy"));
        issued();

        look();

        assertThat(stage.rig.cloud().reboots()).hasSize(2);
        assertThat(stage.rig.cloud().reboots().stream().distinct()).hasSize(1);
        assertThat(rebooting().reason()).isEqualTo("RebootIssued");
    }

    @Test
    @Tag("J-REBOOT-10")
    void aCloudThatFailsForFiveMinutesHasTheNodeReplaced() {
        stage.rig.cloud().nextReboot(new RebootAnswer.Failed("busy"));
        issued();
        stage.rig.advance(Duration.ofMinutes(5).plusSeconds(1));

        look();

        assertThat(stage.isGoing("a")).isTrue();
    }

    @Test
    @Tag("J-REBOOT-11")
    void podsAreMadeToLeaveFirst() {
        stage.rig.apply(DisruptionStage.pod("p", "a"));
        stage.pass();

        look();

        assertThat(evictions.has(stage.rig.pod("default", "p").name())).isTrue();
        assertThat(stage.rig.cloud().reboots()).isEmpty();
    }

    @Test
    @Tag("J-REBOOT-12")
    void podsThatDoNotLeaveInTimeStayThroughTheReboot() {
        stage.rig.apply(DisruptionStage.pod("p", "a"));
        stage.pass();
        look();
        stage.rig.advance(GRACE);

        look();

        assertThat(stage.rig.cloud().reboots()).hasSize(1);
        assertThat(stage.rig.pod("default", "p").isDeleting()).isFalse();
    }

    @Test
    @Tag("J-REBOOT-13")
    void twoRebootsThatDoNotHelpLeadToAReplacement() {
        succeed("second");
        succeed("third");

        stage.rig.advance(PATIENCE);
        stage.pass();

        assertThat(stage.rig.cloud().reboots()).hasSize(2);
        assertThat(stage.queue.entries()).hasSize(1);
    }

    /// One reboot, after which the node is as sick as before.
    private void succeed(String bootId) {
        stage.rig.advance(PATIENCE);
        issued();
        boot(bootId, Given.NOON);
        look();
        stage.rig.apply(
                machine()
                        .claim()
                        .condition("Rebooting", "False", "RebootSucceeded", "", stage.now()));
    }

    @Test
    @Tag("J-REBOOT-14")
    void patienceBeginsAnewAfterAReboot() {
        succeed("second");

        stage.rig.advance(PATIENCE.minusSeconds(1));
        stage.pass();

        assertThat(rebooting().isTrue()).isFalse();
    }

    @Test
    @Tag("J-REBOOT-15")
    void aGraceThatCannotBeReadEndsTheRebootAndNothingElse() {
        stage.rig.apply(
                machine()
                        .claim()
                        .annotation(AnnotationKeys.REBOOT_GRACE_PERIOD, "soon")
                        .condition("Rebooting", "True", "RebootRequested", "", stage.now()));

        look();

        assertThat(rebooting().reason()).isEqualTo("RebootFailed");
        assertThat(stage.isGoing("a")).isFalse();
        assertThat(stage.rig.count(Families.NODES_REBOOTS, "invalid_request")).isEqualTo(1);
    }

    @Test
    @Tag("J-REBOOT-16")
    void aBootThatHappenedMeanwhileIsNotAskedForAgain() {
        stage.rig.apply(
                machine()
                        .claim()
                        .annotation(AnnotationKeys.REBOOT_PRE_BOOT_ID, "older")
                        .condition("Rebooting", "True", "RebootRequested", "", stage.now()));

        look();

        assertThat(stage.rig.cloud().reboots()).isEmpty();
        assertThat(rebooting().reason()).isEqualTo("RebootIssued");
    }

    @Test
    @Tag("J-REBOOT-17")
    void aNodeComesUpOnceMoreOnlyAfterItsReboot() {
        var lifecycle =
                new LifecycleController(
                        stage.rig.cloud().traits(), new LaunchMemory(), new PoolHealth(), 1);
        issued();

        stage.rig.run(lifecycle, "a");

        assertThat(stage.rig.node("a").isInitialized()).isFalse();

        stage.rig.apply(
                machine()
                        .registered()
                        .node()
                        .status("nodeInfo", Tree.of("bootID", "after").mapping()));
        look();
        stage.rig.run(lifecycle, "a");

        assertThat(stage.rig.node("a").isInitialized()).isTrue();
        assertThat(stage.rig.claim("a").conditions().isTrue(ClaimObject.INITIALIZED)).isTrue();
    }

    @Test
    @Tag("J-REBOOT-18")
    void theEndOfARebootIsNewsToWhoeverBringsNodesUp() {
        var lifecycle =
                new LifecycleController(
                        stage.rig.cloud().traits(), new LaunchMemory(), new PoolHealth(), 1);
        stage.rig.apply(machine().claim().condition("Rebooting", "True", stage.now()));
        var keys = new TreeSet<ObjectName>();
        listen(lifecycle.watches().getFirst(), keys);
        keys.clear();

        stage.rig.apply(machine().claim().condition("Rebooting", "False", stage.now()));

        assertThat(keys).containsExactly(new ObjectName("", "a"));
    }

    private <T extends KubeObject> void listen(Watch<T> watch, Set<ObjectName> keys) {
        stage.rig
                .view()
                .cache(watch.kind())
                .listen(change -> keys.addAll(watch.keys().of(stage.rig.view(), change)));
    }

    @Test
    @Tag("J-REBOOT-19")
    void aNodeTakesUpTheBudgetUntilItIsBack() {
        issued();
        stage.add(new FleetNode("b").consolidatable(false).drifted());

        stage.pass();

        assertThat(stage.rig.node("a").isInitialized()).isFalse();
        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-REBOOT-20")
    void theRoomOfANodeThatIsRebootedCountsAsThere() {
        stage.pass();
        look();

        var machine = new ClusterState(stage.marks).nodes(stage.rig.view()).getFirst();

        assertThat(isFenced()).isTrue();
        assertThat(machine.taints()).isEmpty();
    }

    @Test
    @Tag("J-REBOOT-21")
    void podsAreEvictedUntilTheCloudIsAskedAndNotLater() {
        var eviction = new EvictionController(evictions, 1);
        stage.rig.apply(DisruptionStage.pod("p", "a"), DisruptionStage.pod("q", "a"));
        stage.pass();
        look();

        stage.rig.run(eviction, new ObjectName("default", "p"));
        stage.rig.advance(GRACE);
        look();
        stage.rig.run(eviction, new ObjectName("default", "q"));

        assertThat(stage.rig.cloud().reboots()).hasSize(1);
        assertThat(stage.rig.count(Families.PODS_DRAINED, "Unhealthy")).isEqualTo(1);
        assertThat(evictions.has(new ObjectName("default", "q"))).isFalse();
    }
}
