package dev.millwright.controllers.status;

import static dev.millwright.testing.kit.cluster.Manifest.claim;
import static dev.millwright.testing.kit.cluster.Manifest.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.ConditionFamilies;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Conditions that change are measured and told, and so are finalizers that go.
final class StatusControllerTest {

    private static final List<String> CLASS_KEYS = List.of("karpenter.test.sh/testnodeclass");
    private static final Instant NOON = Given.NOON;

    private final Rig rig = new Rig();
    private final StatusKind<ClaimObject> claims = StatusKind.claims(CLASS_KEYS);
    private final StatusKind<NodeObject> nodes = StatusKind.nodes(CLASS_KEYS);
    private final ConditionFamilies families = claims.families();
    private final StatusController<ClaimObject> controller = new StatusController<>(claims);

    private Ending seen(Manifest claim) {
        rig.apply(claim);
        return rig.run(controller, "one");
    }

    private static Manifest launched(String status, Instant at) {
        return claim("one").condition("Launched", status, "Reason", "words", at);
    }

    private List<GaugeSample> shown(MetricFamily family) {
        return rig.gauges().stream().filter(sample -> sample.family().equals(family)).toList();
    }

    @Test
    void eachConditionIsShownWithItsStatusAndHowLongItHasHadIt() {
        rig.advance(Duration.ofMinutes(1));

        var ending = seen(launched("True", NOON));

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(10)));
        assertThat(
                        rig.gauge(
                                families.count(),
                                "",
                                "one",
                                "Launched",
                                "True",
                                "Reason",
                                "",
                                "default"))
                .isEqualTo(1);
        assertThat(
                        rig.gauge(
                                families.currentStatus(),
                                "",
                                "one",
                                "Launched",
                                "True",
                                "Reason",
                                "",
                                "default"))
                .isEqualTo(60);
        assertThat(
                        rig.gauge(
                                ConditionFamilies.DEPRECATED.count(),
                                "",
                                "one",
                                "Launched",
                                "True",
                                "Reason",
                                "karpenter.sh",
                                "NodeClaim"))
                .isEqualTo(1);
        assertThat(shown(families.count())).hasSize(4); // Root and dependents are always there.
    }

    @Test
    void theFirstSightIsCountedAndNoMore() {
        seen(launched("True", NOON));

        assertThat(rig.count(families.transitions(), "Launched", "True", "Reason", "", "default"))
                .isEqualTo(1);
        assertThat(rig.events()).isEmpty();
        assertThat(rig.observations(families.transition(), "Launched", "Unknown", "", "default"))
                .isEmpty();
    }

    @Test
    void aChangeOfStatusIsMeasuredUnderTheOldOneAndTold() {
        seen(launched("Unknown", NOON));
        rig.advance(Duration.ofSeconds(7));

        seen(launched("True", rig.now()));

        assertThat(rig.observations(families.transition(), "Launched", "Unknown", "", "default"))
                .containsExactly(7.0);
        assertThat(
                        rig.observations(
                                ConditionFamilies.DEPRECATED.transition(),
                                "Launched",
                                "Unknown",
                                "karpenter.sh",
                                "NodeClaim"))
                .containsExactly(7.0);
        assertThat(rig.events())
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.type()).isEqualTo(KubeEvent.Type.NORMAL);
                            assertThat(event.reason()).isEqualTo("Launched");
                            assertThat(event.message())
                                    .contains("Launched", "Unknown -> True", "Reason", "words");
                        });
        assertThat(shown(families.count())).hasSize(4);
    }

    @Test
    void aChangeOfReasonAloneIsNoChange() {
        seen(launched("False", NOON));

        seen(claim("one").condition("Launched", "False", "Other", "", NOON));

        assertThat(rig.events()).isEmpty();
        assertThat(
                        rig.gauge(
                                families.count(),
                                "",
                                "one",
                                "Launched",
                                "False",
                                "Other",
                                "",
                                "default"))
                .isEqualTo(1);
        assertThat(shown(families.count())).hasSize(4);
    }

    @Test
    void lookingTwiceChangesNothing() {
        seen(launched("Unknown", NOON));
        seen(launched("True", NOON));
        rig.run(controller, "one");

        assertThat(rig.events()).hasSize(1);
        assertThat(rig.count(families.transitions(), "Launched", "True", "Reason", "", "default"))
                .isEqualTo(1);
    }

    @Test
    void aConditionThatGoesBackAndForthIsToldEachTime() {
        seen(launched("Unknown", NOON));
        seen(launched("True", NOON.plusSeconds(1)));
        seen(launched("Unknown", NOON.plusSeconds(2)));
        seen(launched("True", NOON.plusSeconds(3)));

        assertThat(rig.events()).extracting(KubeEvent::dedupeValues).doesNotHaveDuplicates();
    }

    @Test
    void aFinalizerThatGoesIsTold() {
        seen(claim("one").finalizer("karpenter.sh/termination").finalizer("example.com/mine"));

        seen(claim("one").finalizer("example.com/mine"));

        assertThat(rig.events())
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.reason()).isEqualTo("Finalized");
                            assertThat(event.message()).contains("karpenter.sh/termination");
                        });
    }

    @Test
    void theEndOfAnObjectIsMeasuredAndItsGaugesGo() {
        seen(claim("one").finalizer("karpenter.sh/termination").deletedAt(NOON));
        rig.advance(Duration.ofSeconds(30));
        rig.run(controller, "one");
        assertThat(rig.gauge(families.terminationCurrentTime(), "", "one", "", "default"))
                .isEqualTo(30);

        rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", "one"));
        var ending = rig.run(controller, "one");
        rig.run(controller, "one");

        assertThat(ending).isEqualTo(new Ending.Done());
        assertThat(rig.gauges()).isEmpty();
        assertThat(rig.observations(families.terminationDuration(), "", "default"))
                .containsExactly(30.0);
        assertThat(rig.eventReasons()).containsExactly("Finalized");
    }

    @Test
    void anObjectThatWasNotSeenGoingIsNoMeasureOfAnEnd() {
        seen(claim("one"));

        rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", "one"));
        rig.run(controller, "one");

        assertThat(rig.observations(families.terminationDuration(), "", "default")).isEmpty();
    }

    @Test
    void anotherObjectOfTheSameNameBeginsAnew() {
        seen(launched("True", NOON));
        rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", "one"));

        seen(launched("Unknown", NOON).uid("another"));

        assertThat(rig.events()).isEmpty();
    }

    @Test
    void aNodeIsToldWithItsPoolAndNotUnderTheOldNames() {
        rig.apply(
                node("n1")
                        .nodePool("default")
                        .initialized()
                        .condition("Ready", "True", "KubeletReady", "", NOON));

        rig.run(new StatusController<>(nodes), "n1");

        assertThat(
                        rig.gauge(
                                nodes.families().count(),
                                "",
                                "n1",
                                "Ready",
                                "True",
                                "KubeletReady",
                                "",
                                "default",
                                "true"))
                .isEqualTo(1);
        assertThat(shown(ConditionFamilies.DEPRECATED.count())).isEmpty();
    }

    @Test
    void controllersAndFamiliesHaveTheNamesThatDashboardsKnow() {
        assertThat(controller.name()).isEqualTo("operatorpkg.nodeclaim.status");
        assertThat(new StatusController<>(StatusKind.pools()).name())
                .isEqualTo("operatorpkg.nodepool.status");
        assertThat(new StatusController<>(nodes).name()).isEqualTo("operatorpkg.node.status");
        assertThat(new StatusController<>(StatusKind.buffers()).name())
                .isEqualTo("operatorpkg.capacitybuffer.status");
        assertThat(families.transition().labels())
                .containsExactly(
                        "type",
                        "status",
                        "karpenter_test_sh_testnodeclass",
                        "karpenter_sh_nodepool");
    }
}
