package dev.millwright.controllers.provisioning;

import static dev.millwright.controllers.provisioning.Provisioning.POOL;
import static dev.millwright.controllers.provisioning.Provisioning.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.state.PodTimes;
import dev.millwright.controllers.state.pod.PodForgetting;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// What passes remember of a pod: when it was seen, decided on and given a place.
final class PodTimesTest {

    private static final ObjectName A = new ObjectName("shop", "a");

    private static final String HEALTHY =
            POOL + "  - {type: NodeRegistrationHealthy, status: \"True\"}\n";
    private static final String NO_TYPES = POOL.replace("test-zone-1", "test-zone-9");

    private final Provisioning given = new Provisioning();
    private final Rig rig = given.rig;
    private final PodForgetting forgetting = new PodForgetting(given.times, true, Pace.of(1));

    private PodTimes.Times times() {
        return Objects.requireNonNull(given.times.find(A));
    }

    private void launched() {
        for (var claim : given.claims()) {
            rig.api().vanish(ResourceType.NODE_CLAIM, claim.name());
        }
    }

    @Tag("G1")
    @Test
    void aPlaceInAPoolThatIsNotKnownToBeHealthyIsNoHealthyPlace() {
        rig.apply(POOL).apply(pod("a"));

        given.provision("a");

        assertThat(times().schedulableAt()).isEqualTo(rig.now());
        assertThat(times().schedulableOnHealthyPoolAt()).isNull();
    }

    @Tag("G2")
    @Test
    void aPlaceInAHealthyPoolIsRemembered() {
        rig.apply(HEALTHY).apply(pod("a"));

        given.provision("a");

        assertThat(times().schedulableOnHealthyPoolAt()).isEqualTo(rig.now());
        assertThat(times().claim()).startsWith("nodeclaim/default-");
    }

    @Tag("G3")
    @Test
    void onlyTheFirstHealthyPlaceCounts() {
        rig.apply(HEALTHY).apply(pod("a"));
        given.provision("a");
        var first = rig.now();
        launched();

        given.provision("a");

        assertThat(rig.now()).isAfter(first);
        assertThat(times().schedulableOnHealthyPoolAt()).isEqualTo(first);
        assertThat(times().schedulableAt()).isEqualTo(first);
    }

    @Test
    void aLaterPlaceInAPoolThatIsNotHealthyTakesItBack() {
        rig.apply(HEALTHY).apply(pod("a"));
        given.provision("a");
        launched();

        rig.apply(POOL);
        given.provision("a");

        assertThat(times().schedulableOnHealthyPoolAt()).isNull();
    }

    @Tag("G4")
    @Test
    void theTimesOfAPodGoWithIt() {
        rig.apply(HEALTHY).apply(pod("a"));
        given.provision("a");

        rig.api().vanish(ResourceType.POD, A);
        rig.run(forgetting, A);

        assertThat(given.times.find(A)).isNull();
    }

    @Tag("G5")
    @Test
    void aPodThatRunsOnANodeThatGoesDoesNotWait() {
        rig.apply(POOL).apply(GOING).apply(pod("b"));

        given.provision("b");

        assertThat(given.claims().getFirst().spec().requests().toString()).contains("cpu 2");
        assertThat(given.times.find(A)).isNull();
        assertThat(given.times.find(new ObjectName("shop", "b"))).isNotNull();
    }

    private static final String GOING =
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: n1
              deletionTimestamp: "2026-01-01T00:00:00Z"
              finalizers: [karpenter.sh/termination]
            spec: {taints: [{key: karpenter.sh/disrupted, effect: NoSchedule}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: a, namespace: shop}
            spec:
              nodeName: n1
              containers: [{name: main, resources: {requests: {cpu: "1"}}}]
            status: {phase: Running}
            """;

    @Tag("G6")
    @Test
    void onlyTheFirstSightCounts() {
        rig.apply(NO_TYPES).apply(pod("a"));
        given.provision("a");
        var first = times().ackedAt();
        var decided = times().decidedAt();

        given.provision("a");

        assertThat(times().ackedAt()).isEqualTo(first);
        assertThat(times().decidedAt()).isEqualTo(decided);
        assertThat(rig.observations(Families.PODS_SCHEDULING_DECISION)).containsExactly(2.0);
    }

    @Tag("G7")
    @Test
    void aPlaceThatWasTakenBackIsForgotten() {
        rig.apply(HEALTHY).apply(pod("a"));
        given.provision("a");
        launched();

        rig.apply(NO_TYPES);
        given.provision("a");

        assertThat(times().schedulableAt()).isNull();
        assertThat(times().schedulableOnHealthyPoolAt()).isNull();
        assertThat(times().claim()).isNull();
        assertThat(times().decidedAt()).isNotNull();
    }

    @Tag("G8")
    @Test
    void nothingIsRememberedOfAPodThatIsGone() {
        rig.apply(NO_TYPES).apply(pod("a"));
        given.provision("a");
        assertThat(times().ackedAt()).isNotNull();

        rig.api().vanish(ResourceType.POD, A);
        rig.run(forgetting, A);

        assertThat(given.times.find(A)).isNull();
    }

    // When it is forgotten -----------------------------------------------------------------------

    @Test
    void onlyAPodThatWentCallsForForgetting() {
        var waiting = read(READY.replace("type: Ready", "type: Other"));
        var ready = read(READY);

        assertThat(calls(true, null, waiting)).isEmpty();
        assertThat(calls(true, waiting, ready)).isEmpty();
        assertThat(calls(true, waiting, null)).containsExactly(A);
        assertThat(calls(true, waiting, read(pod("a")))).containsExactly(A);
    }

    @Test
    void whereNobodyMeasuresAPodThatIsReadyIsForgotten() {
        var before = read(READY.replace("type: Ready", "type: Other"));
        var ready = read(READY);

        assertThat(calls(false, before, ready)).containsExactly(A);
        assertThat(calls(false, ready, ready)).isEmpty();
    }

    private static final String READY =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: a, namespace: shop, uid: a-uid}
            spec: {nodeName: n1, containers: []}
            status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
            """;

    private PodObject read(String yaml) {
        rig.apply(yaml);
        return rig.pod("shop", "a");
    }

    @SuppressWarnings("unchecked") // It watches pods only.
    private List<ObjectName> calls(
            boolean isMeasured, @Nullable PodObject before, @Nullable PodObject after) {
        var calls = new ArrayList<ObjectName>();
        for (var watch : new PodForgetting(given.times, isMeasured, Pace.of(1)).watches()) {
            assertThat(watch.kind()).isEqualTo(Kind.POD);
            var pods = (Controller.Watch<PodObject>) watch;
            calls.addAll(pods.keys().of(rig.view(), new Change<>(A, before, after)));
        }
        return calls;
    }
}
