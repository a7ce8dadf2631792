package dev.millwright.world.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.world.happening.Happening;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class LeaderAndOutcomeTest {

    private final Tale tale = new Tale();

    private Happening led(String replica, boolean leads) {
        return new Happening.Led(tale.now(), replica, leads);
    }

    private Happening acted(String replica) {
        return new Happening.Acted(tale.now(), replica, "provisioner", "create nodeclaims");
    }

    @Test
    void leadersThatFollowEachOtherAreLawful() {
        tale.saw(led("a", true))
                .saw(acted("a"))
                .saw(led("a", false))
                .saw(led("b", true))
                .saw(acted("b"));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void twoWhoActAsLeadersAreSeen() {
        tale.saw(led("a", true)).saw(led("b", true)).saw(acted("b")).saw(acted("a"));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("one-leader");
        assertThat(tale.breaches().getFirst().message())
                .isEqualTo(
                        "replica a: provisioner did \"create nodeclaims\" while b leads; wanted only the leader to act");
    }

    @Test
    void whoActsWithoutLeadingIsSeen() {
        tale.saw(led("a", true)).saw(led("a", false)).saw(acted("a"));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("one-leader");
    }

    @Test
    void worldsThatEndWithTheSamePodsHaveTheSameOutcome() {
        tale.running("n1").deployment(2).put("kubelet", Thing.pod("web-a", "n1"));
        var other = new Tale();
        other.running("n9").deployment(2).put("kubelet", Thing.pod("web-z", "n9"));

        assertThat(tale.endState().differences(other.endState())).isEmpty();
    }

    @Test
    void aPodThatDoesNotRunAfterARestartIsADifference() {
        tale.running("n1").deployment(1).put("kubelet", Thing.pod("web-a", "n1"));
        var other = new Tale();
        other.deployment(1).put("replicaset", Thing.waitingPod("web-z"));
        assertThat(other.endState().waiting()).as("it may be on its way").isEmpty();
        other.after(Duration.ofMinutes(10));

        assertThat(tale.endState().differences(other.endState()))
                .containsExactly(
                        "Deployment default/web: 1 pods run in one world, 0 in the other; wanted the same",
                        "Deployment default/web: 0 pods wait in one world, 1 in the other; wanted the same");
    }

    @Test
    void aMachineThatARestartLostIsADifference() {
        tale.running("n1");
        var other = new Tale();
        other.started("n1", Thing.claim("n1"));

        assertThat(tale.endState().differences(other.endState()))
                .containsExactly(
                        "machines without a claim: [] in one world, [n1] in the other; wanted none");
    }
}
