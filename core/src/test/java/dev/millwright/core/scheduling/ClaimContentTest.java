package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.INITIALIZED;
import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.core.label.LabelKeys.NODE_POOL;
import static dev.millwright.core.label.LabelKeys.OS;
import static dev.millwright.core.label.LabelKeys.REGISTERED;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.GPU_A;
import static dev.millwright.testing.kit.FakeCatalogue.GPU_B;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.gt;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a planned claim asks of the cloud.
final class ClaimContentTest {

    @Tag("F53")
    @ParameterizedTest
    @ValueSource(strings = {"kubernetes.io/team", "k8s.io/team", "node.kubernetes.io/team"})
    void labelsOfKubernetesReachTheClaim(String key) {
        var plan = cluster().with(nodePool("default").label(key, "a"), pod("a")).plan();

        assertThat(plan).claimOf("a").requires(key, "a");
    }

    @Tag("F54")
    @ParameterizedTest
    @ValueSource(strings = {"sub.kubernetes.io/team", "sub.k8s.io/team"})
    void labelsOfSubdomainsOfKubernetesReachTheClaim(String key) {
        var plan = cluster().with(nodePool("default").label(key, "a"), pod("a")).plan();

        assertThat(plan).claimOf("a").requires(key, "a");
    }

    @Tag("F57")
    @Test
    void theClaimHasThePoolsRequirements() {
        var plan =
                cluster()
                        .with(
                                nodePool("default")
                                        .requirement(in(INSTANCE_TYPE, "default-instance-type"))
                                        .requirement(in("custom-key", "one", "two"))
                                        .requirement(gt("custom-number", 5)))
                        .with(pod("a"))
                        .plan();

        assertThat(plan)
                .claimOf("a")
                .requires(NODE_POOL, "default")
                .requires("custom-key", "one", "two")
                .offersTypes("default-instance-type");
        assertThat(plan.claims().getFirst().requirements().on("custom-number"))
                .isEqualTo(Requirement.of("custom-number", Operator.GTE, "6"));
    }

    @Tag("F58")
    @Test
    void theClaimHasThePodsRequirementsToo() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(
                                pod("a").nodeSelector(ZONE, ZONE_2)
                                        .requires(in(CAPACITY_TYPE, "spot")))
                        .plan();

        assertThat(plan)
                .claimOf("a")
                .requires(ZONE, ZONE_2)
                .requires(CAPACITY_TYPE, "spot")
                .cheapestCapacityType("spot");
    }

    @Tag("F58")
    @Test
    void keysThatServeThePlanOnlyDoNotReachTheClaim() {
        var plan = cluster().with(pod("a")).plan();

        assertThat(plan)
                .claimOf("a")
                .saysNothingOf(HOSTNAME)
                .saysNothingOf(REGISTERED)
                .saysNothingOf(INITIALIZED);
    }

    @Tag("F59")
    @Test
    void theClaimNarrowsTypesByArchitecture() {
        var plan =
                cluster()
                        .selling(
                                instanceType("amd").arch("amd64"),
                                instanceType("arm").arch("arm64"))
                        .with(pod("a").nodeSelector(ARCH, "arm64"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("arm").requires(ARCH, "arm64");
    }

    @Tag("F60")
    @Test
    void theClaimNarrowsTypesByOperatingSystem() {
        var plan =
                cluster()
                        .selling(
                                instanceType("penguin").systems("linux"),
                                instanceType("glass").systems("windows"))
                        .with(pod("a").nodeSelector(OS, "linux"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("penguin").requires(OS, "linux");
    }

    @Tag("F61")
    @Test
    void theClaimNarrowsTypesByResources() {
        var plan =
                cluster()
                        .selling(
                                instanceType("one").resource(GPU_A, "1"),
                                instanceType("two").resource(GPU_A, "2"),
                                instanceType("other").resource(GPU_B, "2"))
                        .with(pod("a").resource(GPU_A, "2"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("two");
    }

    @Tag("F64")
    @Test
    void theClaimRequestsWhatItsPodsRequest() {
        var plan =
                cluster()
                        .with(pod("a").cpu("1").memory("1Mi").resource(GPU_A, "1"))
                        .with(pod("b").cpu("500m").memory("2Mi"))
                        .plan();

        assertThat(plan)
                .puts("a", "b")
                .together()
                .claimOf("a")
                .requests("cpu", "1500m")
                .requests("memory", "3Mi")
                .requests(GPU_A, "1")
                .requests("pods", "2");
    }

    @Tag("F65")
    @Test
    void theClaimRequestsDaemonsToo() {
        var plan =
                cluster()
                        .with(daemonSet("agent").cpu("1").memory("1Mi"))
                        .with(pod("a").cpu("1").memory("1Mi"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2").requests("memory", "2Mi");
    }

    @Tag("F66")
    @Test
    void theClaimRequestsDaemonsOnceForSeveralPods() {
        var plan =
                cluster()
                        .with(daemonSet("agent").cpu("1"))
                        .with(pod("a", "500m"), pod("b", "500m"), pod("c", "500m"))
                        .plan();

        assertThat(plan)
                .puts("a", "b", "c")
                .together()
                .claimOf("a")
                .requests("cpu", "2500m")
                .requests("pods", "4");
    }

    @Test
    void thePlanCostsWhatItsClaimsCost() {
        var plan = cluster().with(pod("a", "3"), pod("b", "3").nodeSelector(ZONE, ZONE_1)).plan();

        assertThat(plan.pricePerHour())
                .isEqualTo(
                        plan.claims().stream()
                                .mapToDouble(claim -> claim.types().getFirst().pricePerHour())
                                .sum());
        assertThat(plan.lowerBoundPerHour()).isBetween(0.0, plan.pricePerHour());
    }
}
