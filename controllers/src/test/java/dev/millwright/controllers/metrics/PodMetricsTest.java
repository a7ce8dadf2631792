package dev.millwright.controllers.metrics;

import static dev.millwright.testing.kit.cluster.Manifest.node;
import static dev.millwright.testing.kit.cluster.Manifest.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.pod.PodMetrics;
import dev.millwright.controllers.state.PodTimes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// What is told of pods, and how long they waited.
final class PodMetricsTest {

    private static final ObjectName A = new ObjectName("default", "a");
    private static final Duration HOUR = Duration.ofHours(1);

    private final Rig rig = new Rig();
    private final PodTimes times = new PodTimes();
    private final PodMetrics metrics = new PodMetrics(times);

    private @Nullable Double shown(MetricFamily family) {
        return rig.gauge(family, "a", "default");
    }

    private String state(String label) {
        return rig.gauges().stream()
                .filter(sample -> sample.family().equals(Families.PODS_STATE))
                .map(sample -> label(sample, label))
                .findFirst()
                .orElse("none");
    }

    private static String label(GaugeSample sample, String name) {
        return sample.labels().get(sample.family().labels().indexOf(name));
    }

    /// Puts the pod there and looks at it.
    private Ending seen(Manifest pod) {
        rig.apply(pod);
        return rig.run(metrics, A);
    }

    private Manifest ready() {
        return pod("a").on("n1")
                .condition("PodScheduled", "True", rig.now())
                .condition("Ready", "True", rig.now());
    }

    private void gone() {
        rig.api().vanish(ResourceType.POD, A);
        rig.run(metrics, A);
    }

    @Tag("M-MP-1")
    @Test
    void everyPodHasAState() {
        seen(pod("a").owner("apps/v1", "ReplicaSet", "shop"));

        assertThat(state("name")).isEqualTo("a");
        assertThat(state("namespace")).isEqualTo("default");
        assertThat(state("owner")).isEqualTo("/apis/apps/v1/namespaces/default/replicasets/shop");
        assertThat(state("scheduled")).isEqualTo("false");
        assertThat(state("ready")).isEqualTo("false");
    }

    @Tag("M-MP-2")
    @Test
    void aPodIsManagedWhenItsNodeIsOfAPool() {
        rig.apply(node("n1").nodePool("default").label(LabelKeys.ZONE, "z1"), node("n2"));

        seen(pod("a").on("n1"));
        assertThat(state("managed")).isEqualTo("true");
        assertThat(state("zone")).isEqualTo("z1");

        seen(pod("a").on("n2"));
        assertThat(state("managed")).isEqualTo("false");
    }

    @Tag("M-MP-3")
    @Test
    void theStateFollowsThePhase() {
        seen(pod("a"));
        assertThat(state("phase")).isEqualTo("Pending");

        seen(pod("a").phase("Running"));
        assertThat(state("phase")).isEqualTo("Running");
        assertThat(rig.gauges())
                .filteredOn(sample -> sample.family().equals(Families.PODS_STATE))
                .hasSize(1);
    }

    @Tag("M-MP-4")
    @Test
    void theWaitForANodeIsToldUntilThePodRuns() {
        rig.advance(HOUR);
        times.placed(A, "nodeclaim/one", true, rig.now());
        rig.advance(HOUR);
        seen(pod("a"));
        assertThat(shown(Families.PODS_UNBOUND)).isEqualTo(7_200);
        assertThat(shown(Families.PODS_PROVISIONING_UNBOUND)).isEqualTo(3_600);

        // Bound but not yet started: the wait grows no more.
        var boundAt = rig.now();
        rig.advance(HOUR);
        seen(pod("a").condition("PodScheduled", "True", boundAt));
        assertThat(shown(Families.PODS_UNBOUND)).isEqualTo(7_200);
        assertThat(shown(Families.PODS_PROVISIONING_UNBOUND)).isEqualTo(3_600);

        seen(pod("a").on("n1").condition("PodScheduled", "True", boundAt));
        assertThat(shown(Families.PODS_UNBOUND)).isNull();
        assertThat(shown(Families.PODS_PROVISIONING_UNBOUND)).isNull();
        assertThat(rig.observations(Families.PODS_BOUND)).containsExactly(7_200.0);
        assertThat(rig.observations(Families.PODS_PROVISIONING_BOUND)).containsExactly(3_600.0);
    }

    @Tag("M-MP-5")
    @Test
    void theWaitForAStartIsToldUntilThePodIsReady() {
        rig.advance(HOUR);
        times.placed(A, "nodeclaim/one", true, rig.now());
        rig.advance(HOUR);
        seen(pod("a"));
        assertThat(shown(Families.PODS_UNSTARTED)).isEqualTo(7_200);
        assertThat(shown(Families.PODS_PROVISIONING_UNSTARTED)).isEqualTo(3_600);

        seen(pod("a").on("n1"));
        assertThat(shown(Families.PODS_UNSTARTED)).isEqualTo(7_200);
        seen(pod("a").on("n1").condition("Ready", "Unknown", rig.now()));
        assertThat(shown(Families.PODS_PROVISIONING_UNSTARTED)).isEqualTo(3_600);

        seen(ready());
        assertThat(shown(Families.PODS_UNSTARTED)).isNull();
        assertThat(shown(Families.PODS_PROVISIONING_UNSTARTED)).isNull();
        assertThat(rig.observations(Families.PODS_STARTUP)).containsExactly(7_200.0);
        assertThat(rig.observations(Families.PODS_PROVISIONING_STARTUP)).containsExactly(3_600.0);
        assertThat(times.find(A)).isNull();
    }

    @Tag("M-MP-6")
    @Test
    void aPodThatSucceededBeforeItWasReadyIsNoMeasureOfAStart() {
        endsAs("Succeeded");
    }

    @Tag("M-MP-7")
    @Test
    void aPodThatFailedBeforeItWasReadyIsNoMeasureOfAStart() {
        endsAs("Failed");
    }

    private void endsAs(String phase) {
        times.placed(A, "nodeclaim/one", true, rig.now());
        rig.advance(HOUR);
        seen(pod("a"));
        assertThat(shown(Families.PODS_UNSTARTED)).isNotNull();
        assertThat(shown(Families.PODS_PROVISIONING_UNSTARTED)).isNotNull();

        seen(
                pod("a").on("n1")
                        .phase(phase)
                        .condition("Ready", "False", rig.now())
                        .condition("PodScheduled", "True", rig.now()));

        assertThat(shown(Families.PODS_UNSTARTED)).isNull();
        assertThat(shown(Families.PODS_PROVISIONING_UNSTARTED)).isNull();
        assertThat(rig.observations(Families.PODS_STARTUP)).isEmpty();
        assertThat(rig.observations(Families.PODS_PROVISIONING_STARTUP)).isEmpty();
        assertThat(times.find(A)).isNull();
    }

    @Tag("M-MP-8")
    @Test
    void aPodIsUndecidedFromItsFirstSightToTheFirstDecision() {
        seen(pod("a"));
        assertThat(shown(Families.PODS_PROVISIONING_UNDECIDED)).isNull();

        times.ack(A, rig.now());
        rig.advance(HOUR);
        rig.run(metrics, A);
        assertThat(shown(Families.PODS_PROVISIONING_UNDECIDED)).isEqualTo(3_600);

        times.placed(A, "nodeclaim/one", true, rig.now());
        rig.run(metrics, A);
        assertThat(shown(Families.PODS_PROVISIONING_UNDECIDED)).isNull();
    }

    private void undecided() {
        times.ack(A, rig.now());
        seen(pod("a").unschedulable());
        assertThat(shown(Families.PODS_PROVISIONING_UNDECIDED)).isZero();
    }

    @Tag("M-MP-9")
    @Test
    void anUndecidedPodThatIsDeletedIsNotToldAnyMore() {
        undecided();

        gone();

        assertThat(shown(Families.PODS_PROVISIONING_UNDECIDED)).isNull();
    }

    @Tag("M-MP-10")
    @Test
    void aPodThatIsBoundNeedsNoDecision() {
        undecided();

        seen(pod("a").condition("PodScheduled", "True", rig.now()));

        assertThat(shown(Families.PODS_PROVISIONING_UNDECIDED)).isNull();
    }

    @Tag("M-MP-11")
    @Test
    void theWaitsOfAPodGoWithIt() {
        times.placed(A, "nodeclaim/one", true, rig.now());
        seen(pod("a"));
        assertThat(rig.gauges()).hasSize(5);

        gone();

        assertThat(rig.gauges()).isEmpty();
    }

    @Tag("M-MP-12")
    @Test
    void aPlanThatTakesThePlaceBackEndsTheWaitForIt() {
        times.placed(A, "nodeclaim/one", true, rig.now());
        seen(pod("a"));
        assertThat(shown(Families.PODS_PROVISIONING_UNBOUND)).isNotNull();
        assertThat(shown(Families.PODS_PROVISIONING_UNSTARTED)).isNotNull();

        times.refused(A, rig.now());
        rig.run(metrics, A);

        assertThat(shown(Families.PODS_PROVISIONING_UNBOUND)).isNull();
        assertThat(shown(Families.PODS_PROVISIONING_UNSTARTED)).isNull();
        assertThat(shown(Families.PODS_UNBOUND)).isNotNull();
    }

    @Tag("M-MP-13")
    @Test
    void aNodeNameIsEnoughToNeedNoDecision() {
        undecided();

        seen(pod("a").on("n1").phase("Pending").unschedulable());

        assertThat(shown(Families.PODS_PROVISIONING_UNDECIDED)).isNull();
    }

    @Tag("M-MP-14")
    @Test
    void aPodThatEndedNeedsNoDecision() {
        undecided();

        seen(pod("a").phase("Failed").unschedulable());

        assertThat(shown(Families.PODS_PROVISIONING_UNDECIDED)).isNull();
        assertThat(shown(Families.PODS_UNBOUND)).isNull();
    }

    @Tag("M-MP-15")
    @Test
    void theStateOfAPodGoesWithIt() {
        seen(pod("a"));

        gone();

        assertThat(state("name")).isEqualTo("none");
    }

    @Test
    void aWaitIsMeasuredOnce() {
        seen(pod("a"));
        rig.advance(HOUR);

        seen(ready());
        var ending = seen(ready());

        assertThat(rig.observations(Families.PODS_STARTUP)).containsExactly(3_600.0);
        assertThat(rig.observations(Families.PODS_BOUND)).containsExactly(3_600.0);
        assertThat(ending).isEqualTo(new Ending.Done());
    }

    @Test
    void aPodThatWaitsIsLookedAtAgain() {
        assertThat(seen(pod("a"))).isEqualTo(new Ending.Again(Duration.ofSeconds(30)));
    }

    @Test
    void aPodThatRanBeforeWeDidIsNotMeasured() {
        rig.advance(HOUR);

        seen(ready());

        assertThat(rig.observations(Families.PODS_STARTUP)).isEmpty();
        assertThat(rig.observations(Families.PODS_BOUND)).isEmpty();
    }

    @Test
    void anotherPodOfTheSameNameHasNotWaited() {
        seen(pod("a"));
        rig.api().vanish(ResourceType.POD, A);

        seen(ready().uid("another"));

        assertThat(rig.observations(Families.PODS_STARTUP)).isEmpty();
    }
}
