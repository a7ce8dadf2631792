package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.settled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.aws.account.TestAccounts;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Objects;

/// What becomes of a machine that EC2 recommends to leave: the whole provider, from message to
/// drift.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-G1")
class RebalanceTest {

    private static MachineClaimBuilder spot(String name) {
        return claim(name).types("m5.large").capacityTypes("spot").zones("us-east-1a");
    }

    private static CloudRig rig(String policy) {
        var setup =
                CloudRig.Setup.USUAL
                        .flag("rebalance-policy", policy)
                        .flag("interruption-queue", TestAccount.QUEUE);
        return new CloudRig(setup).nodeClass();
    }

    /// A claim in the cluster with a machine of its own.
    private static MachineClaim running(CloudRig rig, String name) {
        var claim = settled(spot(name), rig.launched(spot(name)));
        rig.rig()
                .apply(
                        Manifest.claim(name)
                                .providerId(claim.providerId())
                                .spec(
                                        "nodeClassRef",
                                        Tree.of("group", "karpenter.k8s.aws")
                                                .put("kind", "EC2NodeClass")
                                                .put("name", "default")
                                                .mapping()));
        return claim;
    }

    private static void recommend(CloudRig rig, MachineClaim claim) {
        var id = Objects.requireNonNull(Machines.instanceId(claim.providerId()));
        TestAccounts.shared().rebalance(TestAccount.QUEUE, id, Given.NOON);
        rig.rig().run(rig.controller("interruption"));
    }

    @Test
    void whoReplacesFirstCallsItDriftedAndNoOther() {
        try (var rig = rig("replace")) {
            var leaving = running(rig, "a");
            var staying = running(rig, "b");
            assertThat(rig.cloud().drift(leaving)).isEqualTo(new DriftAnswer.InPlace());

            recommend(rig, leaving);

            assertThat(rig.cloud().drift(leaving))
                    .isEqualTo(new DriftAnswer.Drifted("RebalanceRecommended"));
            assertThat(rig.cloud().drift(staying)).isEqualTo(new DriftAnswer.InPlace());
            assertThat(rig.rig().claim("a").isDeleting()).isFalse();
        }
    }

    @Test
    void whoIsOnlyToldKeepsIt() {
        try (var rig = rig("event")) {
            var told = running(rig, "a");
            recommend(rig, told);

            assertThat(rig.cloud().drift(told)).isEqualTo(new DriftAnswer.InPlace());
            assertThat(rig.rig().eventReasons()).containsExactly("SpotRebalanceRecommendation");
        }
    }
}
