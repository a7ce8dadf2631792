package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.NodePoolBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// Nodes that somebody has set apart stay so, unless a pod asks for just those.
final class IsolationTest {

    private static final String GPU = "nvidia.com/gpu";
    private static final Taint TEAM = taint("team", "data");
    private static final NodePoolBuilder PLAIN = nodePool("plain").label("team", "web");
    private static final NodePoolBuilder DATA = nodePool("data").label("team", "data").taint(TEAM);

    private static boolean isKeptOff(
            PodBuilder pod, NodePoolBuilder pool, NodePoolBuilder... others) {
        var problem = cluster().with(pool).with(others).with(pod).problem();
        return new Isolation(problem, pod.pod()).isKeptOff(pool.nodePool());
    }

    @Test
    void aPodThatAsksForNothingIsKeptOff() {
        assertThat(isKeptOff(pod("a"), DATA, PLAIN)).isTrue();
    }

    @Test
    void aPoolWithoutTaintKeepsNothingOff() {
        assertThat(isKeptOff(pod("a"), PLAIN, DATA)).isFalse();
    }

    @Test
    void aPodThatToleratesTheTaintIsNotKeptOff() {
        assertThat(isKeptOff(pod("a").tolerates(TEAM), DATA, PLAIN)).isFalse();
    }

    @Test
    void aPodThatNamesThePoolIsInvited() {
        assertThat(isKeptOff(pod("a").nodeSelector(LabelKeys.NODE_POOL, "data"), DATA, PLAIN))
                .isFalse();
        assertThat(isKeptOff(pod("a").nodeSelector(LabelKeys.NODE_POOL, "plain"), DATA, PLAIN))
                .isTrue();
    }

    @Test
    void aPodThatSelectsALabelOfThesePoolsAloneIsInvited() {
        assertThat(isKeptOff(pod("a").nodeSelector("team", "data"), DATA, PLAIN)).isFalse();
        assertThat(isKeptOff(pod("a").requires(in("team", "data")), DATA, PLAIN)).isFalse();
    }

    @Test
    void aPodThatSelectsALabelOfOtherPoolsTooIsNot() {
        assertThat(isKeptOff(pod("a").requires(in("team", "data", "web")), DATA, PLAIN)).isTrue();
        assertThat(isKeptOff(pod("a").nodeSelector("team", "web"), DATA, PLAIN)).isTrue();
    }

    @Test
    void whatAPodExcludesIsNoInvitation() {
        assertThat(isKeptOff(pod("a").requires(notIn("team", "web")), DATA, PLAIN)).isTrue();
    }

    @Test
    void aLabelOfMachinesIsNoInvitation() {
        assertThat(isKeptOff(pod("a").nodeSelector(LabelKeys.ARCH, "amd64"), DATA, PLAIN)).isTrue();
    }

    @Test
    void allLabelsThatTellPoolsApartMustMeanThePool() {
        var both = pod("a").nodeSelector("team", "data").nodeSelector("tier", "gold");

        assertThat(isKeptOff(both, DATA, PLAIN.label("tier", "gold"))).isTrue();
        assertThat(isKeptOff(both, DATA.label("tier", "gold"), PLAIN)).isFalse();
    }

    @Test
    void aPoolWithTheSameTaintIsMeantToo() {
        var other = nodePool("more").label("team", "data").taint(TEAM);

        assertThat(isKeptOff(pod("a").nodeSelector("team", "data"), DATA, PLAIN, other)).isFalse();
    }

    @Test
    void aPodThatAsksForADeviceIsInvitedWhereThesePoolsAloneHaveIt() {
        var gpu = nodePool("gpu").taint(taint(GPU, "true"));
        var wanted = pod("a").resource(GPU, "1");
        var cluster = cluster().with(gpu, PLAIN, wanted);
        var small = instanceType("small").build();
        var large = instanceType("large").resource(GPU, "4").build();

        var only =
                cluster.sellingTo("gpu", List.of(large))
                        .sellingTo("plain", List.of(small))
                        .problem();
        var everywhere =
                cluster.sellingTo("gpu", List.of(large))
                        .sellingTo("plain", List.of(large))
                        .problem();
        var nowhere =
                cluster.sellingTo("gpu", List.of(small))
                        .sellingTo("plain", List.of(small))
                        .problem();

        assertThat(new Isolation(only, wanted.pod()).isKeptOff(gpu.nodePool())).isFalse();
        assertThat(new Isolation(everywhere, wanted.pod()).isKeptOff(gpu.nodePool())).isTrue();
        assertThat(new Isolation(nowhere, wanted.pod()).isKeptOff(gpu.nodePool())).isTrue();
        assertThat(new Isolation(only, pod("b", "1").pod()).isKeptOff(gpu.nodePool())).isTrue();
    }

    @Test
    void aLabelOfMachinesBesideThatOfThePoolDoesNotMatter() {
        var asking = pod("a").nodeSelector("team", "data").nodeSelector(LabelKeys.ARCH, "amd64");

        assertThat(isKeptOff(asking, DATA, PLAIN)).isFalse();
    }

    @Test
    void aPodWithoutSpecialWishesIsKeptOffTheOnlyPoolToo() {
        assertThat(isKeptOff(pod("a", "1"), DATA)).isTrue();
    }

    @Test
    void otherNodesWithTheDeviceThatAreFencedFromThePodDoNotCount() {
        var gpu = nodePool("gpu").taint(taint(GPU, "true"));
        var fenced = nodePool("fenced").taint(TEAM);
        var wanted = pod("a").resource(GPU, "1");
        var tolerant = wanted.tolerates(TEAM);
        var cluster = cluster().selling(instanceType("large").resource(GPU, "4")).with(gpu, fenced);

        assertThat(isKeptOff(cluster, wanted, gpu)).isFalse();
        assertThat(isKeptOff(cluster, tolerant, gpu)).isTrue();
    }

    @Test
    void aPodThatAsksForADeviceIsInvitedWhateverTheTaintIsCalled() {
        var wanted = pod("a").resource(GPU, "1").resource("ephemeral-storage", "1Gi");
        var cluster =
                cluster()
                        .with(DATA, PLAIN)
                        .sellingTo("data", List.of(instanceType("g").resource(GPU, "4").build()))
                        .sellingTo("plain", List.of(instanceType("small").build()));

        assertThat(isKeptOff(cluster, wanted, DATA)).isFalse();
    }

    private static boolean isKeptOff(ClusterBuilder cluster, PodBuilder pod, NodePoolBuilder pool) {
        return new Isolation(cluster.with(pod).problem(), pod.pod()).isKeptOff(pool.nodePool());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CriticalAddonsOnly",
                "node-role.kubernetes.io/control-plane",
                "node-role.kubernetes.io/master"
            })
    void whatAClusterKeepsForItselfInvitesNobody(String key) {
        var system = nodePool("system").label("team", "system").taint(taint(key, ""));

        assertThat(isKeptOff(pod("a").nodeSelector("team", "system"), system, PLAIN)).isTrue();
        assertThat(Isolation.isStrict(taint(key, ""))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvidia.com/gpu", "aws.amazon.com/neuron", "habana.ai/gaudi"})
    void taintsOfDevicesAreStrict(String key) {
        assertThat(Isolation.isStrict(taint(key, ""))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"team", "example.com/tier", "gpu"})
    void otherTaintsAreNotStrict(String key) {
        assertThat(Isolation.isStrict(taint(key, ""))).isFalse();
    }

    @Test
    void nodesAreOpenedByATolerationThatNobodyInvitedAndByDroppingTheTaint() {
        var plain = pod("a");
        var invited = pod("b").nodeSelector("team", "data");
        var problem = cluster().with(DATA, PLAIN, plain, invited).problem();
        var tolerate = List.of(new PodChange.Tolerate(TEAM, null));

        assertThat(new Isolation(problem, plain.pod()).isOpenedBy(tolerate)).isTrue();
        assertThat(new Isolation(problem, invited.pod()).isOpenedBy(tolerate)).isFalse();
        assertThat(new Isolation(problem, plain.pod()).isOpenedBy(List.of())).isFalse();
        assertThat(
                        new Isolation(problem, plain.pod())
                                .isOpenedBy(List.of(new PoolChange.DropTaint("data", TEAM))))
                .isTrue();
    }
}
