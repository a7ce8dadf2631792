package dev.millwright.world.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class MachineInvariantsTest {

    private final Tale tale = new Tale();

    @Test
    void aClaimWithItsMachineAndNodeIsLawful() {
        tale.running("n1").after(Duration.ofHours(5));

        assertThat(tale.end()).isEmpty();
    }

    @Test
    void aSecondLaunchForOneClaimIsSeen() {
        tale.running("n1").after(Duration.ofSeconds(10)).started("n2", Tale.claimOf("n1"));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("launched-once");
    }

    @Test
    void aLaunchInPlaceOfAMachineThatDiedUnknownIsLawful() {
        tale.put("a/provisioner", Thing.claim("n1"))
                .started("n1", Tale.claimOf("n1"))
                .stopped("n1", "CRASHED")
                .after(Duration.ofSeconds(10))
                .started("n2", Tale.claimOf("n1"));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aTwinThatTheCloudStartedByItselfMustOnlyGo() {
        tale.put("a/provisioner", Thing.claim("n1"))
                .started("n1", Tale.claimOf("n1"))
                .started("n2", Tale.claimOf("n1"))
                .put("a/nodeclaim.lifecycle", Tale.claimOf("n1"))
                .after(Duration.ofMinutes(5))
                .stopped("n2", "TERMINATED")
                .after(Duration.ofHours(1));

        assertThat(tale.end()).isEmpty();
    }

    @Test
    void aTwinThatStaysIsALeak() {
        tale.put("a/provisioner", Thing.claim("n1"))
                .started("n1", Tale.claimOf("n1"))
                .started("n2", Tale.claimOf("n1"))
                .put("a/nodeclaim.lifecycle", Tale.claimOf("n1"))
                .after(Bounds.UNOWNED_MACHINE.plusSeconds(1));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("machine-owned");
        assertThat(tale.breaches().getFirst().message()).contains("n2").contains("10 minutes");
    }

    @Test
    void aMachineWhoseClaimIsGoneIsALeak() {
        tale.running("n1")
                .remove("a/nodeclaim.lifecycle", Tale.claimOf("n1"))
                .remove("a/node.termination", Thing.node("n1"))
                .after(Bounds.UNOWNED_MACHINE.plusSeconds(1));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("machine-owned");
    }

    @Test
    void aClaimThatWasNotToldOfItsMachineYetStillOwnsIt() {
        tale.put("a/provisioner", Thing.claim("n1"))
                .started("n1", Tale.claimOf("n1"))
                .after(Bounds.UNOWNED_MACHINE.plusSeconds(1));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aClaimThatOutlivesItsMachineIsSeen() {
        tale.running("n1")
                .stopped("n1", "CRASHED")
                .after(Bounds.CLAIM_WITHOUT_MACHINE.plusSeconds(1));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("claim-live");
    }

    @Test
    void aNodeWeHoldWithoutAClaimIsSeen() {
        tale.running("n1")
                .stopped("n1", "TERMINATED")
                .remove("a/nodeclaim.lifecycle", Tale.claimOf("n1"))
                .after(Bounds.UNOWNED_NODE.plusSeconds(1));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("node-owned");
    }

    @Test
    void aNodeOfOthersNeedsNoClaim() {
        tale.put("user", Thing.of(ResourceType.NODE, "n1"))
                .after(Bounds.UNOWNED_NODE.plusSeconds(1));

        assertThat(tale.end()).isEmpty();
    }

    @Test
    void anObjectThatStaysDeletingIsSeen() {
        tale.running("n1")
                .put("user", Thing.node("n1").deletedAt(tale.now()))
                .after(Bounds.DELETING.plusSeconds(1));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("nothing-stuck");
    }

    @Test
    void aNodeWaitsForItsPodsAsLongAsTheyAreThere() {
        var guarded = Thing.pod("web-a", "n1").annotation(LabelKeys.DO_NOT_DISRUPT, "true");
        tale.running("n1")
                .put("kubelet", guarded)
                .put("user", Thing.node("n1").deletedAt(tale.now()))
                .after(Duration.ofHours(5))
                .remove("user", guarded)
                .after(Duration.ofMinutes(2))
                .remove("a/node.termination", Thing.node("n1"));

        assertThat(tale.end()).isEmpty();
    }

    @Test
    void aNodeThatItsPodsReleasedMustGo() {
        tale.running("n1")
                .put("kubelet", Thing.pod("web-a", "n1"))
                .put("user", Thing.node("n1").deletedAt(tale.now()))
                .after(Duration.ofHours(5))
                .remove("user", Thing.pod("web-a", "n1"))
                .after(Bounds.DELETING.plusSeconds(1));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("nothing-stuck");
    }

    @Test
    void aMachineLeftAfterAllPoolsWentIsSeen() {
        var claim = Tale.claimOf("n1");
        tale.pool("100", "10%")
                .running("n1")
                .remove("user", Thing.of(ResourceType.NODE_POOL, "default"))
                .put("kubernetes", claim.deletedAt(tale.now()))
                .after(Bounds.DESTROYED.plusSeconds(1));

        assertThat(tale.end()).extracting(Breach::invariant).contains("nothing-left");
    }

    @Test
    void aWorldThatIsEmptyAfterAllPoolsWentIsLawful() {
        tale.pool("100", "10%")
                .running("n1")
                .remove("user", Thing.of(ResourceType.NODE_POOL, "default"))
                .remove("a/node.termination", Thing.node("n1"))
                .stopped("n1", "TERMINATED")
                .remove("a/nodeclaim.lifecycle", Tale.claimOf("n1"))
                .after(Bounds.DESTROYED.plusSeconds(1));

        assertThat(tale.end()).isEmpty();
    }
}
