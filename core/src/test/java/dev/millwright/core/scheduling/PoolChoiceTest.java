package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.core.label.LabelKeys.NODE_POOL;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.TreeMap;

/// Which pool buys for a pod.
final class PoolChoiceTest {

    @Tag("F103")
    @Test
    void aPodNamesItsPool() {
        var plan =
                cluster()
                        .with(nodePool("target"), nodePool("zebra"))
                        .with(pod("a").nodeSelector(NODE_POOL, "target"))
                        .plan();

        assertThat(plan).puts("a").inPool("target");
    }

    @Tag("F104")
    @Test
    void aPodChoosesItsPoolByLabel() {
        var plan =
                cluster()
                        .with(nodePool("target").label("foo", "bar"), nodePool("zebra"))
                        .with(pod("a").nodeSelector("foo", "bar"))
                        .plan();

        assertThat(plan).puts("a").inPool("target");
    }

    @Tag("F106")
    @Test
    void theHeavierPoolIsTriedFirst() {
        var plan =
                cluster()
                        .with(nodePool("a").weight(20), nodePool("b").weight(100), nodePool("c"))
                        .with(pod("p"), pod("q"), pod("r"))
                        .plan();

        assertThat(plan).puts("p", "q", "r").inPool("b");
    }

    @Tag("F106")
    @Test
    void ofEqualWeightTheLaterNameIsTriedFirst() {
        var plan =
                cluster().with(nodePool("a"), nodePool("c"), nodePool("b")).with(pod("p")).plan();

        assertThat(plan).puts("p").inPool("c");
    }

    @Tag("F107")
    @Test
    void aPodsExplicitPoolWinsOverWeight() {
        var plan =
                cluster()
                        .with(nodePool("target"), nodePool("heavy").weight(100))
                        .with(pod("a").nodeSelector(NODE_POOL, "target"))
                        .plan();

        assertThat(plan).puts("a").inPool("target");
    }

    @Tag("F108")
    @Test
    void aStaticPoolBuysNothingForPods() {
        var plan = cluster().with(nodePool("fixed").replicas(1), pod("a")).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(WaitReason.NoNodePools.class);
    }

    @Tag("F109")
    @Test
    void aDynamicPoolServesBesideAStaticOne() {
        var plan =
                cluster()
                        .with(nodePool("zebra-fixed").replicas(0), nodePool("dynamic"))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).puts("a").inPool("dynamic");
    }

    @Tag("F9")
    @Test
    void aDeletingPoolIsNotUsed() {
        var plan = cluster().with(nodePool("default").deleting(), pod("a")).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(WaitReason.NoNodePools.class);
    }

    @Tag("F10")
    @Test
    void withoutPoolsPodsAreToldSo() {
        var plan = cluster().withoutNodePools().with(pod("a"), pod("b")).plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.NoNodePools.class);
        assertThat(plan).leavesWaiting("b").because(WaitReason.NoNodePools.class);
    }

    @Tag("F13")
    @Test
    void nodeSelectorsAreRespected() {
        var plan =
                cluster()
                        .with(pod("free"))
                        .with(pod("bound").nodeSelector(ZONE, ZONE_2))
                        .with(pod("no-pool").nodeSelector(NODE_POOL, "unknown"))
                        .with(pod("no-zone").nodeSelector(ZONE, "unknown"))
                        .with(pod("no-type").nodeSelector(INSTANCE_TYPE, "unknown"))
                        .with(pod("no-label").nodeSelector("foo", "bar"))
                        .plan();

        assertThat(plan).schedules("free", "bound").leavesWaiting(4).inZone("bound", ZONE_2);
    }

    @Tag("F14")
    @Test
    void nodeAffinitiesAreRespected() {
        var plan =
                cluster()
                        .with(pod("bound").requires(in(ZONE, ZONE_2)))
                        .with(pod("free").requires(notIn(NODE_POOL, "unknown")))
                        .with(pod("no-pool").requires(in(NODE_POOL, "unknown")))
                        .with(pod("no-zone").requires(in(ZONE, "unknown")))
                        .with(pod("no-type").requires(in(INSTANCE_TYPE, "unknown")))
                        .with(pod("no-label").requires(in("foo", "bar")))
                        .plan();

        assertThat(plan).schedules("free", "bound").leavesWaiting(4).inZone("bound", ZONE_2);
    }

    @Tag("F14")
    @Test
    void aTermThatNamesFieldsOfNodesIsInvalid() {
        var plan = cluster().with(pod("a").requiresFields(in(ZONE, ZONE_2))).plan();

        assertThat(plan)
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class)
                .because("matchFields");
    }

    @Test
    void aPodThatForbidsPoolsIsNotPlannedFor() {
        var plan = cluster().with(pod("a").requires(doesNotExist(NODE_POOL))).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(WaitReason.OptedOut.class);
    }

    @Test
    void everyPoolThatRefusedIsNamedWithItsReason() {
        var plan =
                cluster()
                        .with(nodePool("tainted").taint(taint("team", "a")))
                        .with(nodePool("elsewhere").requirement(in(ZONE, ZONE_2)))
                        .with(pod("a").nodeSelector(ZONE, "test-zone-1"))
                        .plan();

        assertThat(plan)
                .leavesWaiting("a")
                .becauseOf(Refusal.Untolerated.class)
                .becauseOf(Refusal.Requirement.class)
                .because("NodePool tainted")
                .because("NodePool elsewhere");
    }

    @Test
    void aPoolItsProviderHasNotEvaluatedIsSkipped() {
        var problem = cluster().with(nodePool("default"), pod("a")).problem();
        var unevaluated =
                new SchedulingProblem(
                        problem.snapshot(), problem.nodePools(), new TreeMap<>(), problem.policy());

        var plan = Planner.plan(unevaluated);

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Test
    void aPoolWithoutAnyTypeDoesNotKeepOthersFromServing() {
        var plan =
                cluster()
                        .sellingTo("empty", List.of())
                        .with(nodePool("empty").weight(100), nodePool("default"))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).puts("a").inPool("default");
    }
}
