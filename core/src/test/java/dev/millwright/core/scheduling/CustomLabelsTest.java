package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/// Labels that only the pools of a cluster define.
final class CustomLabelsTest {

    private static final String KEY = "test-key";
    private static final String VALUE = "test-value";
    private static final String OTHER = "another-value";

    /// A pool may define a label outright or as a requirement.
    static Stream<Named<NodePoolBuilder>> definingPools() {
        return Stream.of(
                Named.of("by label", nodePool("default").label(KEY, VALUE)),
                Named.of("by requirement", nodePool("default").requirement(in(KEY, VALUE))));
    }

    // A pool with a label ----------------------------------------------------------------------

    @Tag("B1")
    @ParameterizedTest
    @MethodSource("definingPools")
    void aPodWithoutSelectorsLandsOnAPoolWithLabels(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a")).plan();

        assertThat(plan).schedulesAll().claimOf("a").requires(KEY, VALUE);
    }

    @Tag("B2")
    @ParameterizedTest
    @MethodSource("definingPools")
    void aSelectorAgainstThePoolsLabelIsRefused(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").nodeSelector(KEY, OTHER)).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Requirement.class);
    }

    @Tag("B3")
    @Test
    void aSelectorOnAKeyNobodyDefinesIsRefused() {
        var plan = cluster().with(pod("a").nodeSelector(KEY, VALUE)).plan();

        assertThat(plan)
                .leavesWaiting("a")
                .becauseOf(Refusal.Requirement.class)
                .because("\"test-key\" does not have known values");
    }

    @Tag("B4")
    @ParameterizedTest
    @MethodSource("definingPools")
    void aRequirementThePoolMeetsIsFine(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(in(KEY, VALUE, OTHER))).plan();

        assertThat(plan).schedulesAll().claimOf("a").requires(KEY, VALUE);
    }

    @Tag("B5")
    @ParameterizedTest
    @MethodSource("definingPools")
    void aRequirementAgainstThePoolIsRefused(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(in(KEY, OTHER))).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Requirement.class);
    }

    // Readiness --------------------------------------------------------------------------------

    @Tag("B30")
    @Test
    void aPoolThatIsNotReadyIsNotUsed() {
        var plan = cluster().with(nodePool("default").notReady(), pod("a")).plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.NoNodePools.class);
    }

    @Tag("B30")
    @Test
    void aReadyPoolServesBesideOneThatIsNot() {
        var plan =
                cluster()
                        .with(nodePool("heavy").weight(100).notReady(), nodePool("light"))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).puts("a").inPool("light");
    }

    // Logic on an undefined key ----------------------------------------------------------------

    @Tag("B31")
    @Test
    void inOnAnUndefinedKeyIsRefused() {
        var plan = cluster().with(pod("a").requires(in(KEY, VALUE))).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Requirement.class);
    }

    @Tag("B32")
    @Test
    void notInOnAnUndefinedKeyIsFine() {
        var plan = cluster().with(pod("a").requires(notIn(KEY, VALUE))).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("B33")
    @Test
    void existsOnAnUndefinedKeyIsRefused() {
        var plan = cluster().with(pod("a").requires(exists(KEY))).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Requirement.class);
    }

    @Tag("B34")
    @Test
    void doesNotExistOnAnUndefinedKeyIsFine() {
        var plan = cluster().with(pod("a").requires(doesNotExist(KEY))).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    // Logic on a defined key -------------------------------------------------------------------

    @Tag("B35")
    @Test
    void aPodWithoutConstraintsSchedules() {
        var plan = cluster().with(pod("a")).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("B36")
    @ParameterizedTest
    @MethodSource("definingPools")
    void inOnTheDefinedValueIsFine(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(in(KEY, VALUE))).plan();

        assertThat(plan).schedulesAll().claimOf("a").requires(KEY, VALUE);
    }

    @Tag("B37")
    @ParameterizedTest
    @MethodSource("definingPools")
    void notInOnTheDefinedValueIsRefused(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(notIn(KEY, VALUE))).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Requirement.class);
    }

    @Tag("B38")
    @ParameterizedTest
    @MethodSource("definingPools")
    void existsOnADefinedKeyIsFine(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(exists(KEY))).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("B39")
    @ParameterizedTest
    @MethodSource("definingPools")
    void doesNotExistOnADefinedKeyIsRefused(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(doesNotExist(KEY))).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Requirement.class);
    }

    @Tag("B40")
    @ParameterizedTest
    @MethodSource("definingPools")
    void inOnAnotherValueIsRefused(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(in(KEY, OTHER))).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Requirement.class);
    }

    @Tag("B41")
    @ParameterizedTest
    @MethodSource("definingPools")
    void notInOnAnotherValueIsFine(NodePoolBuilder pool) {
        var plan = cluster().with(pool, pod("a").requires(notIn(KEY, OTHER))).plan();

        assertThat(plan).schedulesAll().claimOf("a").requires(KEY, VALUE);
    }

    // Several pods -----------------------------------------------------------------------------

    @Tag("B42")
    @Test
    void compatiblePodsShareANode() {
        var pool = nodePool("default").requirement(in(KEY, VALUE, OTHER));

        var plan =
                cluster()
                        .with(pool, pod("a").requires(in(KEY, VALUE)))
                        .with(pod("b").requires(notIn(KEY, OTHER)))
                        .plan();

        assertThat(plan).puts("a", "b").together().claimOf("a").requires(KEY, VALUE);
    }

    @Tag("B43")
    @Test
    void incompatiblePodsGetTwoNodes() {
        var pool = nodePool("default").requirement(in(KEY, VALUE, OTHER));

        var plan =
                cluster()
                        .with(pool, pod("a").requires(in(KEY, VALUE)))
                        .with(pod("b").requires(in(KEY, OTHER)))
                        .plan();

        assertThat(plan).puts("a", "b").apart();
        assertThat(plan).claimOf("a").requires(KEY, VALUE);
        assertThat(plan).claimOf("b").requires(KEY, OTHER);
    }

    @Tag("B44")
    @Test
    void existsDoesNotReplaceADefinedValue() {
        var pool = nodePool("default").requirement(in(KEY, VALUE));

        var plan =
                cluster()
                        .with(pool, pod("a").requires(in(KEY, VALUE), exists(KEY)))
                        .with(pod("b").requires(exists(KEY)))
                        .plan();

        assertThat(plan).puts("a", "b").together().claimOf("b").requires(KEY, VALUE);
    }
}
