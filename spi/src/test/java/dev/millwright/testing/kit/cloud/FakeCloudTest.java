package dev.millwright.testing.kit.cloud;

import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.cloud.MachineClaimBuilder.machineClaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.TerminateAnswer;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.FakeClock;

import org.junit.jupiter.api.Test;

final class FakeCloudTest {

    private final FakeCloud cloud = new FakeCloud(new FakeClock());

    @Test
    void answersToldAreUsedOnceAndInOrder() {
        var claim = machineClaim("a").build();
        cloud.nextLaunch(new LaunchAnswer.Failed("first"))
                .nextLaunch(new LaunchAnswer.NodeClassNotReady("second"));

        assertThat(cloud.launch(claim)).isEqualTo(new LaunchAnswer.Failed("first"));
        assertThat(cloud.launch(claim)).isEqualTo(new LaunchAnswer.NodeClassNotReady("second"));
        assertThat(cloud.launch(claim)).isInstanceOf(LaunchAnswer.Launched.class);
        assertThat(cloud.launches()).hasSize(3);
        assertThat(cloud.machines()).hasSize(1);
    }

    @Test
    void launchesTheCheapestMachineThatMeetsTheClaim() {
        var claim = machineClaim("a").request("cpu", "3").zones(FakeCatalogue.ZONE_2).build();

        cloud.launch(claim);

        assertThat(cloud.machines().getFirst().labels())
                .containsEntry(LabelKeys.INSTANCE_TYPE, "default-instance-type")
                .containsEntry(LabelKeys.ZONE, FakeCatalogue.ZONE_2)
                .containsEntry(LabelKeys.NODE_POOL, "default")
                .containsEntry(LabelKeys.OS, "linux");
    }

    @Test
    void launchesFailBeyondTheLimit() {
        cloud.launchesMax(1);
        cloud.launch(machineClaim("a").build());

        assertThat(cloud.launch(machineClaim("b").build())).isInstanceOf(LaunchAnswer.Failed.class);
    }

    @Test
    void aPoolMayHaveACatalogueOrAnErrorOfItsOwn() {
        cloud.types("linear", FakeCatalogue.linear(3))
                .catalogAnswer("broken", new CatalogAnswer.Failed("no"));

        assertThat(cloud.catalog(nodePool("linear").nodePool()))
                .isEqualTo(new CatalogAnswer.Types(FakeCatalogue.linear(3)));
        assertThat(cloud.catalog(nodePool("broken").nodePool()))
                .isEqualTo(new CatalogAnswer.Failed("no"));
        assertThat(cloud.catalog(nodePool("other").nodePool()))
                .isEqualTo(new CatalogAnswer.Types(FakeCatalogue.standard()));
    }

    @Test
    void aMachineGoesInTwoSteps() {
        cloud.launch(machineClaim("a").build());
        var id = cloud.machines().getFirst().providerId();
        var claim = machineClaim("a").providerId(id).build();

        assertThat(cloud.terminate(claim)).isEqualTo(new TerminateAnswer.Started());
        assertThat(cloud.machines().getFirst().isTerminating()).isTrue();
        assertThat(cloud.terminate(claim)).isEqualTo(new TerminateAnswer.Gone());
        assertThat(cloud.find(id)).isEqualTo(new FindAnswer.Gone());
        assertThat(cloud.terminations()).hasSize(2);
        assertThat(cloud.finds()).containsExactly(id);
    }

    @Test
    void driftAndListingsAreAsTold() {
        cloud.driftReason("ImageOutdated").nextList(new ListAnswer.Failed("no"));

        assertThat(cloud.drift(machineClaim("a").build()))
                .isEqualTo(new DriftAnswer.Drifted("ImageOutdated"));
        assertThat(cloud.list()).isEqualTo(new ListAnswer.Failed("no"));
        assertThat(cloud.list()).isInstanceOf(ListAnswer.Machines.class);
    }

    @Test
    void itsClassesAndRepairPolicyAreTheHarnesss() {
        assertThat(cloud.traits().repairPolicies()).containsExactly(FakeCloud.REPAIR_POLICY);
        assertThat(nodePool("a").nodePool().template().nodeClassRef())
                .matches(cloud.traits().nodeClassKinds().getFirst()::describes);
    }
}
