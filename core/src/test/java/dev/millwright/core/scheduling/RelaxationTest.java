package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.label.Effect;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/// Wishes are given up one by one, and only when nothing else helps.
final class RelaxationTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    // Required terms ---------------------------------------------------------------------------

    @Tag("B45")
    @Test
    void theOnlyRequiredTermIsNeverDropped() {
        var plan = cluster().with(pod("a").requires(in(ZONE, "invalid"))).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because("invalid");
    }

    @Tag("B46")
    @Tag("F89")
    @Test
    void requiredTermsAreTriedOneAfterAnother() {
        var plan =
                cluster()
                        .with(
                                pod("a").requires(in(ZONE, "invalid"))
                                        .requires(in(ZONE, "invalid"))
                                        .requires(in(ZONE, ZONE_1))
                                        .requires(in(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_1);
    }

    @Tag("F89")
    @Test
    void theLastRequiredTermStaysWhenAllFail() {
        var plan =
                cluster()
                        .with(
                                pod("a").requires(in(ZONE, "invalid-1"))
                                        .requires(in(ZONE, "invalid-2")))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because("invalid-2");
    }

    // Preferred node affinity ------------------------------------------------------------------

    @Tag("B47")
    @Tag("F90")
    @Test
    void allPreferredTermsCanBeGivenUp() {
        var plan =
                cluster()
                        .with(
                                pod("a").prefers(1, in(ZONE, "invalid"))
                                        .prefers(1, in(INSTANCE_TYPE, "invalid")))
                        .plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("B48")
    @Test
    void aLighterPreferenceHoldsAfterAHeavierFailed() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(pod("a").prefers(50, in(ZONE, ZONE_2)).prefers(100, in(ZONE, ZONE_3)))
                        .plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_2);
    }

    @Tag("B48")
    @Test
    void theHeaviestPreferenceThatCanBeMetHolds() {
        var plan =
                cluster()
                        .with(
                                pod("a").prefers(1, in(ZONE, ZONE_1))
                                        .prefers(100, in(ZONE, ZONE_3))
                                        .prefers(50, in(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_3);
    }

    @Tag("B49")
    @Test
    void aPreferenceAgainstARequirementIsOverlooked() {
        var plan =
                cluster()
                        .with(pod("a").requires(in(ZONE, ZONE_3)).prefers(1, notIn(ZONE, ZONE_3)))
                        .plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_3);
    }

    @Tag("B50")
    @Test
    void preferencesAgainstEachOtherAreOverlooked() {
        var plan =
                cluster()
                        .with(
                                pod("a").prefers(1, in(ZONE, "invalid"))
                                        .prefers(1, notIn(ZONE, "invalid")))
                        .plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("F95")
    @Test
    void aPreferenceOnAKeyNobodyDefinesIsGivenUp() {
        var plan = cluster().with(pod("a").prefers(1, in("test-key", "x"))).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("F95")
    @Test
    void aPreferenceOnAKeyThePoolDefinesIsHonoured() {
        var plan =
                cluster()
                        .with(nodePool("a-plain"))
                        .with(nodePool("b-red").label("colour", "red"))
                        .with(nodePool("c-blue").label("colour", "blue"))
                        .with(pod("a").prefers(1, in("colour", "red")))
                        .plan();

        assertThat(plan).puts("a").inPool("b-red");
    }

    // Other pods -------------------------------------------------------------------------------

    @Tag("F91")
    @Test
    void preferredPodAffinityIsGivenUp() {
        var plan = cluster().with(pod("a").prefersPodAffinity(1, ZONE, WEB)).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("F91")
    @Test
    void preferredPodAntiAffinityIsGivenUp() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1)))
                        .with(
                                pods(
                                        2,
                                        pod("a").labels(WEB)
                                                .requires(in(ZONE, ZONE_1))
                                                .prefersPodAntiAffinity(1, ZONE, WEB)))
                        .plan();

        assertThat(plan).schedulesAll();
    }

    @Tag("F92")
    @Test
    void aSoftSpreadIsHonouredWhereItCanBe() {
        var plan = cluster().with(pods(3, pod("a").labels(WEB).softSpread(HOSTNAME, 1))).plan();

        assertThat(plan).puts("a-1", "a-2", "a-3").apart();
    }

    @Tag("F92")
    @Test
    void aSoftSpreadOverAnUnknownKeyIsGivenUp() {
        var plan = cluster().with(pod("a").labels(WEB).softSpread("unknown", 1)).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    // Taints that prefer -----------------------------------------------------------------------

    @Tag("F93")
    @Test
    void aTaintThatPrefersIsToleratedWhenNothingElseServes() {
        var soft = taint("soft", "", Effect.PREFER_NO_SCHEDULE);

        var plan = cluster().with(nodePool("default").taint(soft), pod("a")).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("F93")
    @Test
    void otherWishesAreGivenUpBeforeATaintThatPrefersIsTolerated() {
        var soft = taint("soft", "", Effect.PREFER_NO_SCHEDULE);

        var plan =
                cluster()
                        .with(
                                nodePool("soft")
                                        .weight(100)
                                        .taint(soft)
                                        .requirement(in(ZONE, ZONE_1)))
                        .with(nodePool("plain").requirement(in(ZONE, ZONE_2)))
                        .with(pod("a").prefers(1, in(ZONE, ZONE_1)))
                        .plan();

        assertThat(plan).puts("a").inPool("plain");
    }

    @Tag("F94")
    @Tag("F105")
    @Test
    void aPoolThatPrefersNoPodsIsAvoidedWhileAnotherServes() {
        var soft = taint("soft", "", Effect.PREFER_NO_SCHEDULE);

        var plan =
                cluster()
                        .with(nodePool("soft").weight(100).taint(soft), nodePool("plain"))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).puts("a").inPool("plain");
    }

    @Tag("F94")
    @Test
    void aTaintThatForbidsIsNeverToleratedByItself() {
        var plan = cluster().with(nodePool("default").taint(taint("hard", "")), pod("a")).plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").becauseOf(Refusal.Untolerated.class);
    }

    @Tag("F93")
    @Test
    void aNodeThatPrefersNoPodsIsUsedOnceSuchTaintsAreTolerated() {
        var soft = taint("soft", "", Effect.PREFER_NO_SCHEDULE);

        var plan =
                cluster()
                        .with(nodePool("default").taint(soft), node("n1").taint(soft))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("F93")
    @Test
    void theLastWishIsAlsoGivenUpWhereWishesAreIgnored() {
        var soft = taint("soft", "", Effect.PREFER_NO_SCHEDULE);

        var plan =
                cluster()
                        .ignoringPreferences()
                        .with(nodePool("default").taint(soft), pod("a"))
                        .plan();

        assertThat(plan).schedulesAll();
    }

    // Order ------------------------------------------------------------------------------------

    @Test
    void ofEqualWeightTheFirstPreferenceIsTriedFirst() {
        var plan =
                cluster()
                        .with(pod("a").prefers(1, in(ZONE, ZONE_2)).prefers(1, in(ZONE, ZONE_3)))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2);
    }

    @Test
    void alternativesAreTriedBeforeAPreferenceIsGivenUp() {
        var plan =
                cluster()
                        .with(
                                pod("a").requires(in(INSTANCE_TYPE, "invalid"))
                                        .requires(in(INSTANCE_TYPE, "small-instance-type"))
                                        .prefers(1, in(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2).cheapestType("a", "small-instance-type");
    }

    @Test
    void preferredPodAffinityIsGivenUpBeforePreferredNodeAffinity() {
        var plan =
                cluster()
                        .with(
                                pod("a").prefersPodAffinity(1, ZONE, WEB)
                                        .prefers(100, in(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2);
    }

    @Test
    void preferredNodeAffinityIsGivenUpBeforeASoftSpread() {
        var plan =
                cluster()
                        .with(
                                pods(
                                        3,
                                        pod("a").labels(WEB)
                                                .softSpread(HOSTNAME, 1)
                                                .prefers(1, in(ZONE, "invalid"))))
                        .plan();

        assertThat(plan).puts("a-1", "a-2", "a-3").apart();
    }

    @Test
    void aPodThatFailedKeepsItsWishesForTheNextTry() {
        var plan =
                cluster()
                        .with(
                                pod("a", "2")
                                        .podAffinity(ZONE, WEB)
                                        .prefers(1, in(INSTANCE_TYPE, "arm-instance-type")))
                        .with(pod("target", "1").labels(WEB).nodeSelector(ZONE, ZONE_2))
                        .plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_2).cheapestType("a", "arm-instance-type");
    }
}
