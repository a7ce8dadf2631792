package dev.millwright.world.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.object.ClaimObject;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class DisruptionInvariantsTest {

    private final Tale tale = new Tale();

    private static Thing marked(String name, String reason) {
        return Tale.claimOf(name).condition(ClaimObject.DISRUPTION_REASON, "True", reason);
    }

    private Tale fourNodes(String nodesMax) {
        return tale.pool("100", nodesMax)
                .running("n1")
                .running("n2")
                .running("n3")
                .running("n4")
                .after(Duration.ofMinutes(1));
    }

    @Test
    void aLaunchWithinTheLimitsIsLawful() {
        tale.pool("8", "1").running("n1").running("n2");

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aLaunchOverTheLimitsIsSeen() {
        tale.pool("7", "1").running("n1").running("n2");

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("pool-limit");
        assertThat(tale.breaches().getFirst().message())
                .isEqualTo("NodePool default: claim n2 takes it to 8 cpu; wanted at most 7");
    }

    @Test
    void whatIsOnItsWayOutCountsNoMore() {
        tale.pool("7", "1")
                .running("n1")
                .put("user", Tale.claimOf("n1").deletedAt(tale.now()))
                .after(Duration.ofMinutes(5))
                .running("n2");

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void limitsThatWereLoweredMeanwhileBindLater() {
        tale.pool("8", "1").running("n1").pool("4", "1").running("n2");

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void asManyDisruptionsAsTheBudgetAllowsAreLawful() {
        fourNodes("2")
                .put(Tale.OPERATOR, marked("n1", "Empty"))
                .put(Tale.OPERATOR, marked("n2", "Empty"));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void oneDisruptionMoreIsSeen() {
        fourNodes("30%")
                .put(Tale.OPERATOR, marked("n1", "Empty"))
                .put(Tale.OPERATOR, marked("n2", "Drifted"))
                .put(Tale.OPERATOR, marked("n3", "Underutilized"));

        assertThat(tale.breaches())
                .extracting(Breach::invariant)
                .containsExactly("disruption-budget");
        assertThat(tale.breaches().getFirst().message())
                .isEqualTo(
                        "NodePool default: claim n3 is disrupted (Underutilized), which makes 3 of 4 nodes; wanted at most 2");
    }

    @Test
    void aNodeThatIsNotReadyForLongUsesUpTheBudget() {
        fourNodes("1")
                .put("kubelet", Thing.node("n1").condition("Ready", "False", ""))
                .after(Slack.CALM.viewLag().plusSeconds(1))
                .put(Tale.OPERATOR, marked("n2", "Empty"));

        assertThat(tale.breaches())
                .extracting(Breach::invariant)
                .containsExactly("disruption-budget");
    }

    @Test
    void aNodeThatFellIllAMomentAgoIsForgiven() {
        fourNodes("1")
                .put("kubelet", Thing.node("n1").condition("Ready", "False", ""))
                .put(Tale.OPERATOR, marked("n2", "Empty"));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aCheaperReplacementIsLawful() {
        fourNodes("100%")
                .put(Tale.OPERATOR, marked("n1", "Underutilized"))
                .put(Tale.OPERATOR, marked("n2", "Underutilized"))
                .put(Tale.OPERATOR, Thing.claim("n5"))
                .started("n5", Thing.claim("n5"))
                .put("a/nodeclaim.lifecycle", Tale.claimOf("n5"));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aDearerReplacementIsSeen() {
        fourNodes("100%")
                .put(Tale.OPERATOR, marked("n1", "Underutilized"))
                .put(Tale.OPERATOR, marked("n2", "Underutilized"))
                .put(Tale.OPERATOR, Thing.claim("n5"))
                .started("n5", Thing.claim("n5"))
                .put(
                        "a/nodeclaim.lifecycle",
                        Tale.claimOf("n5").label(LabelKeys.INSTANCE_TYPE, "large"));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("price-kept");
        assertThat(tale.breaches().getFirst().message()).contains("0.4000").contains("0.2000");
    }

    @Test
    void whatIsMadeForADriftedNodeMayCostMore() {
        fourNodes("100%")
                .put(Tale.OPERATOR, marked("n1", "Underutilized"))
                .put(Tale.OPERATOR, marked("n2", "Drifted"))
                .put(Tale.OPERATOR, Thing.claim("n5"))
                .started("n5", Thing.claim("n5"))
                .put(
                        "a/nodeclaim.lifecycle",
                        Tale.claimOf("n5").label(LabelKeys.INSTANCE_TYPE, "large"));

        assertThat(tale.breaches()).isEmpty();
    }

    private Tale takeAway(String name) {
        return tale.put(Tale.OPERATOR, marked(name, "Empty"))
                .put(Tale.OPERATOR, marked(name, "Empty").deletedAt(tale.now()))
                .remove("a/node.termination", Thing.node(name))
                .stopped(name, "TERMINATED")
                .remove("a/nodeclaim.lifecycle", marked(name, "Empty"))
                .after(Duration.ofMinutes(1));
    }

    private void takeAwayAndLaunchAnew(String name, String next) {
        takeAway(name).running(next).after(Duration.ofMinutes(1));
    }

    @Test
    void nodesThatComeAndGoWithoutAReasonAreACycle() {
        tale.pool("100", "100%").running("n1");
        takeAwayAndLaunchAnew("n1", "n2");
        takeAwayAndLaunchAnew("n2", "n3");

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("no-cycle");
    }

    @Test
    void nodesThatComeAndGoBecauseOfUsersAreLawful() {
        tale.pool("100", "100%").running("n1");
        takeAwayAndLaunchAnew("n1", "n2");
        tale.deployment(5);
        takeAwayAndLaunchAnew("n2", "n3");

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void anEmptyNodeMayGoWhileAReplacementLikeItStarts() {
        tale.pool("100", "100%").running("n1").running("n2").running("n3");
        takeAway("n1");
        tale.put(Tale.OPERATOR, marked("n3", "Underutilized")).running("n4");
        takeAway("n2");

        assertThat(tale.breaches()).isEmpty();
    }
}
