package dev.millwright.controllers.shadow;

import static dev.millwright.testing.kit.cluster.Manifest.claim;
import static dev.millwright.testing.kit.cluster.Manifest.node;
import static dev.millwright.testing.kit.cluster.Manifest.pod;
import static dev.millwright.testing.kit.cluster.Manifest.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.controllers.disruption.DisruptionQueue;
import dev.millwright.controllers.disruption.Survey;
import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Another controller looks after the cluster; objects that tests apply are its deeds.
final class ShadowControllerTest {

    private static final List<InstanceType> TYPES = FakeCatalogue.linear(40);
    private static final Duration GATHERED = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final double HAIR = 1e-9;

    private final Rig rig = new Rig();
    private final ShadowLedger ledger = new ShadowLedger(Duration.ofMinutes(10));
    private final List<Effect> effects = new ArrayList<>();
    private final SchedulingPolicy policy =
            SchedulingPolicy.DEFAULT.withVocabulary(rig.cloud().traits().vocabulary());
    private final ShadowController shadow =
            new ShadowController(
                    new Survey(
                            new Marks(),
                            new DisruptionQueue(),
                            rig.cloud()::catalog,
                            _ -> List.of(),
                            policy,
                            false),
                    rig.cloud()::catalog,
                    policy,
                    DisruptionOptions.NONE,
                    ledger);

    @BeforeEach
    void pools() {
        rig.cloud().types(TYPES);
        rig.apply(
                pool("default")
                        .spec(
                                "disruption",
                                Tree.of("consolidateAfter", "0s")
                                        .put("consolidationPolicy", "WhenEmptyOrUnderutilized")
                                        .putList(
                                                "budgets",
                                                List.of(Tree.of("nodes", "100%").mapping()))
                                        .mapping()));
    }

    private void look() {
        var step = shadow.step(rig.view(), Controller.SINGLETON, rig.now());
        effects.addAll(step.effects());
        rig.carryOut(step);
    }

    private void lookAfter(Duration time) {
        rig.advance(time);
        look();
    }

    private double decisions(String kind, String verdict) {
        return rig.count(OwnFamilies.SHADOW_DECISIONS, kind, verdict);
    }

    private static double onDemand(String type) {
        return TYPES.stream()
                .filter(each -> each.name().equals(type))
                .flatMap(each -> each.offerings().stream())
                .filter(each -> each.zone().equals("test-zone-1"))
                .filter(each -> each.capacityType().equals("on-demand"))
                .findFirst()
                .orElseThrow()
                .pricePerHour();
    }

    private static Manifest launched(String name, String type) {
        return claim(name)
                .providerId("fake://" + name)
                .label(LabelKeys.INSTANCE_TYPE, type)
                .label(LabelKeys.ZONE, "test-zone-1")
                .label(LabelKeys.CAPACITY_TYPE, "on-demand")
                .condition("Launched", "True", Given.NOON);
    }

    /// A machine in working order.
    private static Manifest working(String name, String type) {
        return launched(name, type)
                .capacity("cpu", "4", "memory", "8Gi", "pods", "40")
                .allocatable("cpu", "4", "memory", "8Gi", "pods", "40")
                .status("nodeName", new Value.Text(Position.NOWHERE, name))
                .condition("Registered", "True", Given.NOON)
                .condition("Initialized", "True", Given.NOON)
                .condition("Consolidatable", "True", Given.NOON);
    }

    private static Manifest nodeOf(String name, String type) {
        return node(name)
                .providerId("fake://" + name)
                .nodePool("default")
                .label(LabelKeys.HOSTNAME, name)
                .label(LabelKeys.INSTANCE_TYPE, type)
                .label(LabelKeys.ZONE, "test-zone-1")
                .label(LabelKeys.CAPACITY_TYPE, "on-demand")
                .initialized()
                .capacity("cpu", "4", "memory", "8Gi", "pods", "40")
                .allocatable("cpu", "4", "memory", "8Gi", "pods", "40")
                .condition("Ready", "True", Given.NOON);
    }

    private void works(String name) {
        rig.apply(working(name, "fake-it-3"), nodeOf(name, "fake-it-3"));
    }

    /// They decided so and began.
    private void taken(String name, String reason) {
        rig.apply(
                working(name, "fake-it-3")
                        .condition("DisruptionReason", "True", reason, "", rig.now())
                        .finalizer("karpenter.sh/termination")
                        .deletedAt(rig.now()));
    }

    private void waitingPod() {
        rig.apply(pod("web").createdAt(rig.now()).requests("cpu", "1").unschedulable());
    }

    private PlannedClaim planned() {
        return effects.stream()
                .filter(AutoscalerEffect.Decided.class::isInstance)
                .map(effect -> ((AutoscalerEffect.Decided) effect).deliberation())
                .filter(Deliberation.Provisioning.class::isInstance)
                .map(each -> ((Deliberation.Provisioning) each).plan().claims().getFirst())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void claimsThatWereThereBeforeAreNotCompared() {
        waitingPod();
        rig.apply(launched("a", "fake-it-35"));
        look();
        lookAfter(GATHERED);

        assertThat(ledger.totals().agreed() + ledger.totals().differed()).isZero();
    }

    @Test
    void aMachineForTheSamePodsOfATypeThatWouldDoIsTheSameDecision() {
        waitingPod();
        look();
        rig.apply(claim("a"));
        look();
        var ours = planned();
        rig.apply(
                launched("a", ours.cheapest().name())
                        .label(LabelKeys.CAPACITY_TYPE, ours.cheapest().capacityType())
                        .label(LabelKeys.ZONE, ours.cheapest().zone())
                        .requests(
                                "cpu",
                                ours.requests().amount("cpu").toString(),
                                "pods",
                                ours.requests().amount("pods").toString()));
        lookAfter(GATHERED);

        assertThat(decisions("launch", "agreed")).isEqualTo(1);
        assertThat(ledger.totals().savedPerMonth()).isZero();
        assertThat(ledger.totals().theirs().launchedPerHour())
                .isCloseTo(ours.pricePerHour(), within(HAIR));
    }

    @Test
    void aLargerMachineThanNeededIsAnotherDecisionAndCostsTheDifference() {
        waitingPod();
        look();
        rig.apply(launched("a", "fake-it-35").requests("cpu", "30"));
        look();
        lookAfter(GATHERED);

        assertThat(decisions("launch", "differed")).isEqualTo(1);
        assertThat(ledger.totals().savedPerMonth())
                .isCloseTo(730 * (onDemand("fake-it-35") - planned().pricePerHour()), within(1e-6));
        assertThat(rig.count(OwnFamilies.SHADOW_LAUNCHED, "theirs"))
                .isCloseTo(onDemand("fake-it-35"), within(HAIR));
    }

    @Test
    void aClaimIsComparedOnlyOnceItSaysWhatItBecame() {
        waitingPod();
        look();
        rig.apply(claim("a"));
        look();
        lookAfter(GATHERED);
        assertThat(ledger.totals().differed()).isZero();

        rig.apply(launched("a", "fake-it-35").requests("cpu", "30"));
        look();
        assertThat(ledger.totals().differed()).isEqualTo(1);
    }

    @Test
    void anEmptyNodeThatTheyTakeAwayIsTheSameDecision() {
        works("a");
        look();
        taken("a", "Empty");
        look();

        assertThat(decisions("remove", "agreed")).isEqualTo(1);
        assertThat(rig.count(OwnFamilies.SHADOW_REMOVED, "theirs"))
                .isCloseTo(onDemand("fake-it-3"), within(HAIR));
        assertThat(ledger.totals().savedPerMonth()).isZero();
    }

    @Test
    void aFullNodeThatTheyTakeAwayIsAnotherDecisionAndItsPodsAreCounted() {
        works("a");
        rig.apply(
                pod("web").owner("apps/v1", "ReplicaSet", "web").requests("cpu", "3500m").on("a"));
        look();
        taken("a", "Underutilized");
        look();

        assertThat(decisions("remove", "differed")).isEqualTo(1);
        assertThat(rig.count(OwnFamilies.SHADOW_EVICTIONS, "theirs")).isEqualTo(1);
        assertThat(rig.count(OwnFamilies.SHADOW_EVICTIONS, "ours")).isZero();
        assertThat(ledger.totals().savedPerMonth()).isNegative();
    }

    @Test
    void aNodeThatSomebodyDeletesByHandIsNoDecision() {
        works("a");
        look();
        rig.apply(
                working("a", "fake-it-3")
                        .finalizer("karpenter.sh/termination")
                        .deletedAt(rig.now()));
        look();

        assertThat(ledger.totals().agreed() + ledger.totals().differed()).isZero();
    }

    @Test
    void aNodeThatTheyKeepForLongIsCountedOnceAndNotAgainWhenItGoes() {
        works("a");
        look();
        lookAfter(LONG);
        lookAfter(LONG);
        assertThat(decisions("remove", "differed")).isEqualTo(1);
        assertThat(ledger.totals().savedPerMonth())
                .isCloseTo(730 * onDemand("fake-it-3"), within(1e-6));

        taken("a", "Empty");
        look();
        assertThat(decisions("remove", "agreed")).isEqualTo(1);
        assertThat(ledger.totals().savedPerMonth()).isCloseTo(0, within(1e-6));
    }

    @Test
    void aNodeThatFilledUpMeanwhileIsNotHeldAgainstThem() {
        works("a");
        look();
        rig.apply(
                pod("web").owner("apps/v1", "ReplicaSet", "web").requests("cpu", "3500m").on("a"));
        lookAfter(LONG);

        assertThat(ledger.totals().differed()).isZero();
    }

    @Test
    void podsThatTheyLeaveWaitingForLongAreToldOnceAndInNoSum() {
        waitingPod();
        look();
        lookAfter(LONG);
        lookAfter(LONG);

        assertThat(decisions("wait", "differed")).isEqualTo(1);
        assertThat(ledger.totals().savedPerMonth()).isZero();
    }

    @Test
    void aPodThatWeHaveNoPlaceForEitherIsNoDifference() {
        rig.apply(pod("web").createdAt(rig.now()).requests("cpu", "900").unschedulable());
        look();
        lookAfter(LONG);

        assertThat(ledger.totals().differed()).isZero();
    }

    @Test
    void allNodesThatWeWouldTakeAwayAreFoundPassByPass() {
        works("a");
        look();
        works("b");
        lookAfter(Duration.ofSeconds(10));
        lookAfter(Duration.ofSeconds(10));
        taken("a", "Empty");
        taken("b", "Empty");
        look();

        assertThat(decisions("remove", "agreed")).isEqualTo(2);
    }

    @Test
    void theSumsAreToldFromTimeToTime() {
        look();
        lookAfter(Duration.ofMinutes(10));

        assertThat(rig.lines()).anyMatch(line -> line.message().equals("shadow report"));
    }

    @Test
    void nothingIsEverWritten() {
        works("a");
        waitingPod();
        look();
        taken("a", "Empty");
        rig.apply(launched("b", "fake-it-3"));
        look();
        lookAfter(LONG);

        assertThat(effects)
                .isNotEmpty()
                .allMatch(
                        effect ->
                                effect instanceof AutoscalerEffect.Decided
                                        || effect instanceof Effect.Say
                                        || effect instanceof Effect.Count);
    }
}
