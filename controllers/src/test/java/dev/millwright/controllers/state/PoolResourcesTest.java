package dev.millwright.controllers.state;

import static dev.millwright.controllers.state.ClusterStage.claimOf;
import static dev.millwright.controllers.state.ClusterStage.ours;
import static dev.millwright.testing.kit.cluster.Manifest.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.PoolUsage;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the machines of a pool add up to.
final class PoolResourcesTest {

    private static final String FINALIZER = "karpenter.sh/termination";

    private final ClusterStage given = new ClusterStage();

    /// Cores and nodes, such as `4/1`.
    private String used(String pool) {
        var used = PoolUsage.of(given.rig().view(), given.marks(), pool);
        return used.amount(Resources.CPU) + "/" + used.amount(Resources.NODES);
    }

    /// Registered and not initialised, with less than its claim promised.
    private static Manifest small(String name) {
        return node(name)
                .providerId("fake://" + name)
                .nodePool("default")
                .label(LabelKeys.INSTANCE_TYPE, "small")
                .registered()
                .capacity("cpu", "1");
    }

    @Tag("G63")
    @Test
    void everyPoolHasItsOwnSum() {
        given.with(ours("n1"), claimOf("n1"), ours("n2"), claimOf("n2"));
        given.with(ours("n3").nodePool("other"), claimOf("n3").nodePool("other"));
        given.with(claimOf("n4").nodePool("other"));

        assertThat(used("default")).isEqualTo("8/2");
        assertThat(used("other")).isEqualTo("8/2");
    }

    @Tag("G64")
    @Test
    void aMachineCountsForThePoolThatItsNodeNames() {
        given.with(ours("n1"), claimOf("n1"));

        given.with(claimOf("n1").nodePool("other"));
        assertThat(used("default")).isEqualTo("4/1");
        assertThat(used("other")).isEqualTo("0/0");

        given.with(ours("n1").nodePool("other"));
        assertThat(used("default")).isEqualTo("0/0");
        assertThat(used("other")).isEqualTo("4/1");
    }

    @Tag("G65")
    @Test
    void aClaimAndANodeOfDifferentMachinesCountBoth() {
        given.with(ours("n1"), claimOf("n1"));

        given.with(claimOf("n1").providerId("fake://moved"));
        assertThat(used("default")).isEqualTo("8/2");

        given.with(ours("n1").providerId("fake://moved"));
        assertThat(used("default")).isEqualTo("4/1");
    }

    @Tag("G66")
    @Test
    void theClaimSpeaksForAMachineWhoseNodeIsGone() {
        given.with(small("n1"), claimOf("n1"));
        assertThat(used("default")).isEqualTo("1/1");

        given.gone(ResourceType.NODE, "n1");

        assertThat(used("default")).isEqualTo("4/1");
    }

    @Tag("G67")
    @Test
    void theNodeSpeaksForAMachineWhoseClaimIsGone() {
        given.with(small("n1"), claimOf("n1"));

        given.gone(ResourceType.NODE_CLAIM, "n1-claim");

        assertThat(used("default")).isEqualTo("1/1");
    }

    @Tag("G68")
    @Test
    void aMachineThatIsDeletedCountsNothing() {
        given.with(ours("n1"), claimOf("n1").finalizer(FINALIZER));

        given.with(claimOf("n1").finalizer(FINALIZER).deletedAt(Given.NOON));

        assertThat(used("default")).isEqualTo("0/0");
    }

    @Tag("G69")
    @Test
    void aMarkedMachineCountsNothingUntilTheMarkIsTakenBack() {
        given.with(ours("n1"), claimOf("n1"));

        given.marks().mark("fake://n1");
        assertThat(used("default")).isEqualTo("0/0");

        given.marks().unmark("fake://n1");
        assertThat(used("default")).isEqualTo("4/1");
    }

    @Tag("G70")
    @Test
    void aMachineThatIsMarkedAndDeletedIsTakenAwayOnce() {
        given.with(ours("n1"), claimOf("n1"), ours("n2"), claimOf("n2"));

        given.marks().mark("fake://n1");
        given.with(claimOf("n1").finalizer(FINALIZER).deletedAt(Given.NOON));
        given.with(ours("n1").finalizer(FINALIZER).deletedAt(Given.NOON));
        assertThat(used("default")).isEqualTo("4/1");

        given.gone(ResourceType.NODE_CLAIM, "n1-claim");
        assertThat(used("default")).isEqualTo("4/1");

        given.gone(ResourceType.NODE, "n1");
        assertThat(used("default")).isEqualTo("4/1");
    }

    @Tag("G87")
    @Test
    void anInitialisedNodeCountsAsOne() {
        given.with(ours("n1"), claimOf("n1"));

        assertThat(used("default")).isEqualTo("4/1");
    }

    @Tag("G88")
    @Test
    void aClaimWithoutANodeCountsAsOne() {
        given.with(claimOf("n1"));

        assertThat(used("default")).isEqualTo("4/1");
    }

    @Tag("G89")
    @Test
    void aNodeThatIsNotInitialisedCountsAsOneWithItsClaim() {
        given.with(small("n1"), claimOf("n1"));

        assertThat(used("default")).isEqualTo("1/1");
    }
}
