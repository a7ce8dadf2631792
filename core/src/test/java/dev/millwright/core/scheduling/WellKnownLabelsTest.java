package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.INTEGER;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.gt;
import static dev.millwright.testing.kit.Given.gte;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.lt;
import static dev.millwright.testing.kit.Given.lte;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Stream;

/// Labels every cluster knows. Each law holds for a bare pool and for one with labels of its own.
final class WellKnownLabelsTest {

    private static final String NO_ZONE = "unknown";

    static Stream<Named<NodePoolBuilder>> pools() {
        return Stream.of(
                Named.of("bare", nodePool("default")),
                Named.of("with a label", nodePool("default").label("test-key", "test-value")));
    }

    @Tag("B6")
    @ParameterizedTest
    @MethodSource("pools")
    void theZoneAPoolDemandsIsUsed(NodePoolBuilder pool) {
        var plan = cluster().with(pool.requirement(in(ZONE, ZONE_2)), pod("a")).plan();

        assertThat(plan).inZone("a", ZONE_2).claimOf("a").cheapestZone(ZONE_2);
    }

    @Tag("B7")
    @ParameterizedTest
    @MethodSource("pools")
    void theZoneAPodSelectsIsUsed(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool.requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(pod("a").nodeSelector(ZONE, ZONE_2))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2).claimOf("a").cheapestZone(ZONE_2);
    }

    @Tag("B8")
    @ParameterizedTest
    @MethodSource("pools")
    void aSelectorOnTheHostNameIsRefused(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").nodeSelector(HOSTNAME, "red-node")).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(HOSTNAME);
    }

    @Tag("B9")
    @ParameterizedTest
    @MethodSource("pools")
    void aSelectorOnAnUnknownZoneIsRefused(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool.requirement(in(ZONE, ZONE_1)))
                        .with(pod("a").nodeSelector(ZONE, NO_ZONE))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(NO_ZONE);
    }

    @Tag("B10")
    @ParameterizedTest
    @MethodSource("pools")
    void aSelectorOutsideThePoolsZonesIsRefused(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool.requirement(in(ZONE, ZONE_1)))
                        .with(pod("a").nodeSelector(ZONE, ZONE_2))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(ZONE_2);
    }

    @Tag("B11")
    @ParameterizedTest
    @MethodSource("pools")
    void inCanBeMet(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(in(ZONE, ZONE_3))).plan();

        assertThat(plan).inZone("a", ZONE_3).claimOf("a").cheapestZone(ZONE_3);
    }

    @Tag("B12")
    @ParameterizedTest
    @MethodSource("pools")
    void gtCanBeMet(NodePoolBuilder pool) {
        var plan = cluster().with(pool.requirement(gt(INTEGER, 8)), pod("a")).plan();

        assertThat(plan).claimOf("a").offersTypes("arm-instance-type");
    }

    @Tag("B13")
    @ParameterizedTest
    @MethodSource("pools")
    void ltCanBeMet(NodePoolBuilder pool) {
        var plan = cluster().with(pool.requirement(lt(INTEGER, 4)), pod("a")).plan();

        assertThat(plan).claimOf("a").offersTypes("small-instance-type");
    }

    @Tag("B14")
    @ParameterizedTest
    @MethodSource("pools")
    void gteCanBeMet(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(gte(INTEGER, 16))).plan();

        assertThat(plan).claimOf("a").offersTypes("arm-instance-type");
    }

    @Tag("B15")
    @ParameterizedTest
    @MethodSource("pools")
    void lteCanBeMet(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(lte(INTEGER, 2))).plan();

        assertThat(plan).claimOf("a").offersTypes("small-instance-type");
    }

    @Tag("B16")
    @ParameterizedTest
    @MethodSource("pools")
    void inOnValuesNobodyHasIsRefused(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(in(ZONE, NO_ZONE))).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(NO_ZONE);
    }

    @Tag("B17")
    @ParameterizedTest
    @MethodSource("pools")
    void notInCanBeMet(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool, pod("a").requires(notIn(ZONE, ZONE_1, ZONE_2, NO_ZONE)))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").cheapestZone(ZONE_3);
    }

    @Tag("B18")
    @ParameterizedTest
    @MethodSource("pools")
    void notInOnEveryValueIsRefused(NodePoolBuilder pool) {
        var plan =
                cluster().with(pool, pod("a").requires(notIn(ZONE, ZONE_1, ZONE_2, ZONE_3))).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(ZONE);
    }

    // Preferences beside requirements ----------------------------------------------------------

    @Tag("B19")
    @ParameterizedTest
    @MethodSource("pools")
    void aPreferenceThatAgreesIsHonoured(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool)
                        .with(
                                pod("a").requires(in(ZONE, ZONE_2, ZONE_3, NO_ZONE))
                                        .prefers(1, in(ZONE, ZONE_3, NO_ZONE)))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").cheapestZone(ZONE_3);
    }

    @Tag("B20")
    @ParameterizedTest
    @MethodSource("pools")
    void aPreferenceAgainstTheRequirementIsGivenUp(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool)
                        .with(
                                pod("a").requires(in(ZONE, ZONE_3, NO_ZONE))
                                        .prefers(1, in(ZONE, NO_ZONE)))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").cheapestZone(ZONE_3);
    }

    @Tag("B21")
    @ParameterizedTest
    @MethodSource("pools")
    void aNotInPreferenceThatAgreesIsHonoured(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool)
                        .with(
                                pod("a").requires(in(ZONE, ZONE_2, ZONE_3, NO_ZONE))
                                        .prefers(1, notIn(ZONE, ZONE_1, ZONE_3)))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").cheapestZone(ZONE_2);
    }

    @Tag("B22")
    @ParameterizedTest
    @MethodSource("pools")
    void aNotInPreferenceAgainstTheRequirementIsGivenUp(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool)
                        .with(
                                pod("a").requires(in(ZONE, ZONE_2, NO_ZONE))
                                        .prefers(1, notIn(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").cheapestZone(ZONE_2);
    }

    @Tag("B23")
    @ParameterizedTest
    @MethodSource("pools")
    void selectorPreferenceAndRequirementWorkTogether(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool)
                        .with(
                                pod("a").nodeSelector(ZONE, ZONE_3)
                                        .requires(in(ZONE, ZONE_1, ZONE_2, ZONE_3))
                                        .prefers(1, in(ZONE, ZONE_1, ZONE_2, ZONE_3)))
                        .plan();

        assertThat(plan).inZone("a", ZONE_3).claimOf("a").cheapestZone(ZONE_3);
    }

    @Tag("B24")
    @ParameterizedTest
    @MethodSource("pools")
    void constraintsOnSeveralKeysCombine(NodePoolBuilder pool) {
        var plan =
                cluster()
                        .with(pool)
                        .with(
                                pod("a").nodeSelector(ZONE, ZONE_3)
                                        .nodeSelector(INSTANCE_TYPE, "arm-instance-type")
                                        .requires(
                                                in(ZONE, ZONE_1, ZONE_2, ZONE_3),
                                                in(
                                                        INSTANCE_TYPE,
                                                        "default-instance-type",
                                                        "arm-instance-type"))
                                        .prefers(
                                                1,
                                                in(ZONE, NO_ZONE),
                                                notIn(INSTANCE_TYPE, "arm-instance-type")))
                        .plan();

        assertThat(plan)
                .inZone("a", ZONE_3)
                .claimOf("a")
                .offersTypes("arm-instance-type")
                .cheapestZone(ZONE_3);
    }

    // Restrictions -----------------------------------------------------------------------------

    @Tag("B25")
    @ParameterizedTest
    @MethodSource("pools")
    void aRequirementOnTheHostNameIsRefused(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(in(HOSTNAME, "red-node"))).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(WaitReason.Invalid.class);
    }

    @Tag("B26")
    @ParameterizedTest
    @ValueSource(strings = {"karpenter.sh/test", "sub.karpenter.sh/test"})
    void aKeyOfOurOwnDomainIsRefused(String key) {
        var plan = cluster().with(pod("a").requires(in(key, "x"))).plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class)
                .because(key);
    }

    @Tag("B27")
    @ParameterizedTest
    @ValueSource(strings = {"kubernetes.io/test", "k8s.io/test", "node.kubernetes.io/test"})
    void keysOfKubernetesAreWelcome(String key) {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(key, "test-value")))
                        .with(pod("a").nodeSelector(key, "test-value"))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").requires(key, "test-value");
    }

    @Tag("B28")
    @ParameterizedTest
    @ValueSource(strings = {"sub.kubernetes.io/test", "sub.node-restriction.kubernetes.io/test"})
    void keysOfSubdomainsOfKubernetesAreWelcome(String key) {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(key, "test-value")))
                        .with(pod("a").nodeSelector(key, "test-value"))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").requires(key, "test-value");
    }

    @Tag("B29")
    @ParameterizedTest
    @CsvSource({
        "topology.kubernetes.io/zone, test-zone-1",
        "node.kubernetes.io/instance-type, default-instance-type",
        "kubernetes.io/arch, arm64",
        "kubernetes.io/os, windows",
        "karpenter.sh/capacity-type, spot",
        "karpenter.sh/nodepool, default",
        "size, large",
        "special, optional",
        "integer, 16"
    })
    void everyWellKnownKeyIsWelcome(String key, String value) {
        var plan = cluster().with(pod("a").nodeSelector(key, value)).plan();

        assertThat(plan).schedulesAll().claimOf("a").requires(key, value);
    }

    @Tag("B29")
    @Test
    void oldSpellingsOfWellKnownKeysAreUnderstood() {
        var plan =
                cluster()
                        .with(
                                pod("a").nodeSelector("beta.kubernetes.io/arch", "arm64")
                                        .nodeSelector(
                                                "failure-domain.beta.kubernetes.io/zone", ZONE_3))
                        .plan();

        assertThat(plan).inZone("a", ZONE_3).claimOf("a").requires(ARCH, "arm64");
    }

    @Test
    void aCapacityTypeNobodyKnowsIsInvalid() {
        var plan = cluster().with(pod("a").requires(in(CAPACITY_TYPE, "on-demnd"))).plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.Invalid.class);
    }
}
