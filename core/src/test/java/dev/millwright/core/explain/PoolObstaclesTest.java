package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.Given.volume;
import static dev.millwright.testing.kit.Given.volumeClaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.WaitReason;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// Everything for which a pool refuses the pod `web`, not only what the planner came upon first.
final class PoolObstaclesTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    private ClusterBuilder cluster = cluster().selling(instanceType("small").withoutOverhead());

    private List<String> obstacles(PodBuilder web) {
        var problem = cluster.with(web).problem();
        var reason =
                Planner.plan(problem).waiting().stream()
                        .filter(each -> each.pod().equals(web.pod().name()))
                        .findFirst()
                        .orElseThrow()
                        .reason();
        var all = (WaitReason.Refused) new PoolObstacles(problem, web.pod()).all(reason);
        return all.pools().stream().map(each -> each.nodePool() + " " + kind(each)).toList();
    }

    private static String kind(WaitReason.PoolRefusal refusal) {
        return switch (refusal.refusal()) {
            case Refusal.Requirement(var mismatch) -> "Requirement " + mismatch.key();
            case Refusal.Topology topology -> topology.kind() + " " + topology.key();
            case Refusal each -> each.getClass().getSimpleName();
        };
    }

    @Test
    void aReasonThatIsNoRefusalStaysAsItIs() {
        var web = pod("web");
        var reason = new WaitReason.OptedOut();

        assertThat(new PoolObstacles(cluster.with(web).problem(), web.pod()).all(reason))
                .isSameAs(reason);
    }

    @Test
    void behindATaintThereMayBeALabelAndBehindThatNoRoom() {
        cluster = cluster.with(nodePool("p").taint(taint("team", "a")));

        assertThat(obstacles(pod("web", "99").nodeSelector("disk", "ssd")))
                .containsExactly("p Untolerated", "p Requirement disk", "p NoInstanceType");
    }

    @Test
    void eachPoolIsAskedForItself() {
        cluster =
                cluster.with(
                        nodePool("p").taint(taint("team", "a")).label("disk", "ssd"),
                        nodePool("q").taint(taint("team", "b")));

        assertThat(obstacles(pod("web").nodeSelector("disk", "ssd")))
                .containsExactly("q Untolerated", "q Requirement disk", "p Untolerated");
    }

    @Test
    void noMoreThanSixAreTold() {
        cluster = cluster.with(nodePool("p"));

        assertThat(
                        obstacles(
                                pod("web")
                                        .nodeSelector("a1", "x")
                                        .nodeSelector("b2", "x")
                                        .nodeSelector("c3", "x")
                                        .nodeSelector("d4", "x")
                                        .nodeSelector("e5", "x")
                                        .nodeSelector("f6", "x")
                                        .nodeSelector("g7", "x")))
                .hasSize(6)
                .last()
                .isEqualTo("p Requirement f6");
    }

    @Test
    void otherPodsThatWaitTakeNothingFromTheLimit() {
        cluster =
                cluster()
                        .selling(
                                instanceType("small").cpu("4").withoutOverhead(),
                                instanceType("large").cpu("8").withoutOverhead())
                        .with(
                                nodePool("p").limit("cpu", "12").taint(taint("team", "a")),
                                pod("first", "6").tolerates(taint("team", "a")));

        assertThat(obstacles(pod("web", "5"))).containsExactly("p Untolerated");
    }

    @Test
    void whatLiesBehindALimitIsTold() {
        cluster = cluster.with(nodePool("p").limit("cpu", "1").taint(taint("team", "a")));

        assertThat(obstacles(pod("web", "3"))).containsExactly("p Limit", "p Untolerated");
    }

    @Test
    void whatLiesBehindACountOfNodesIsTold() {
        cluster =
                cluster.with(
                        nodePool("p").limit("nodes", "1"),
                        node("a").pool("p").cpu("1").podSlots(1),
                        pod("old", "1").onNode("a"));

        assertThat(obstacles(pod("web", "3").nodeSelector("disk", "ssd")))
                .containsExactly("p NodeLimit", "p Requirement disk");
    }

    @Test
    void whatLiesBehindAnAntiAffinityIsTold() {
        cluster =
                cluster.with(
                        nodePool("p").requirement(in(LabelKeys.ZONE, "test-zone-1")),
                        node("a").pool("p").zone("test-zone-1").cpu("1"),
                        pod("old", "1").labels(WEB).onNode("a"));

        assertThat(obstacles(pod("web", "99").labels(WEB).podAntiAffinity(LabelKeys.ZONE, WEB)))
                .containsExactly(
                        "p pod anti-affinity topology.kubernetes.io/zone", "p NoInstanceType");
    }

    @Test
    void whatLiesBehindAVolumeIsTold() {
        cluster =
                cluster.with(
                        nodePool("p").requirement(in(LabelKeys.ZONE, "test-zone-1")),
                        volume("disk").zones("test-zone-3"),
                        volumeClaim("data").boundTo("disk"));

        assertThat(obstacles(pod("web", "99").claim("data")))
                .containsExactly("p Volume", "p NoInstanceType");
    }

    @Test
    void aPodThatNoTypeHoldsIsNotLookedAtFurther() {
        cluster = cluster.with(nodePool("p"));

        assertThat(obstacles(pod("web", "99"))).containsExactly("p NoInstanceType");
    }

    @Test
    void whatAnotherPoolRefusesIsNotTold() {
        cluster =
                cluster.with(
                        nodePool("p").taint(taint("team", "a")),
                        nodePool("q").taint(taint("team", "b")).label("disk", "ssd"));

        assertThat(obstacles(pod("web").nodeSelector("disk", "ssd")))
                .containsExactly("q Untolerated", "p Untolerated", "p Requirement disk");
    }
}
