package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.nodeclaim.garbagecollection.GarbageCollectionController;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.stream.IntStream;

final class GarbageCollectionTest {

    private final ClaimStage stage = new ClaimStage();
    private final GarbageCollectionController collection = new GarbageCollectionController();

    private Ending collected() {
        return stage.rig().run(collection);
    }

    private void machineGoes(String claim) {
        stage.rig().cloud().remove(stage.providerId(claim));
    }

    @Test
    @Tag("I-GC-1")
    void aClaimWhoseMachineIsGoneAndWhoseNodeIsNotReadyIsDeleted() {
        stage.initialized(claim("a")).notReady("a-node");
        stage.with(PodText.pod("p", "a-node"));
        machineGoes("a");

        assertThat(collected()).isEqualTo(new Ending.Again(Duration.ofMinutes(2)));

        assertThat(stage.claim("a").isDeleting()).isTrue();
        var labels =
                new String[] {
                    "garbage_collected",
                    "default",
                    stage.claim("a").meta().label(LabelKeys.CAPACITY_TYPE),
                    "",
                    "graceful"
                };
        assertThat(stage.rig().count(Families.NODECLAIMS_DISRUPTED, labels)).isEqualTo(1);
        assertThat(stage.rig().count(Families.PODS_DISRUPTION_INITIATED, labels)).isEqualTo(1);
    }

    @Test
    @Tag("I-GC-2")
    void aClaimWhoseNodeIsReadyIsKept() {
        stage.initialized(claim("a"));
        machineGoes("a");

        collected();

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    @Tag("I-GC-3")
    void manyClaimsAreDeletedAtOnce() {
        IntStream.range(0, 30)
                .mapToObj(number -> "c" + number)
                .forEach(
                        name -> {
                            stage.initialized(claim(name)).notReady(name + "-node");
                            machineGoes(name);
                        });

        collected();

        assertThat(stage.rig().view().claims()).hasSize(30).allMatch(each -> each.isDeleting());
    }

    @Test
    @Tag("I-GC-4")
    void aClaimThatIsNotRegisteredIsLeftToItsTimeout() {
        stage.launched(claim("a"));
        machineGoes("a");

        collected();

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    @Tag("I-GC-5")
    void aClaimWhoseMachineIsThereIsKeptWithoutItsNode() {
        stage.initialized(claim("a")).nodeGoes("a-node");

        collected();

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    void aMachineThatIsEndingCountsAsGone() {
        stage.initialized(claim("a")).nodeGoes("a-node");
        var machine = stage.rig().cloud().machines().getFirst();
        stage.rig()
                .cloud()
                .put(
                        new Machine(
                                machine.providerId(),
                                machine.imageId(),
                                machine.labels(),
                                machine.annotations(),
                                machine.capacity(),
                                machine.allocatable(),
                                machine.launchedAt(),
                                true));

        collected();

        assertThat(stage.claim("a").isDeleting()).isTrue();
    }

    @Test
    void aListThatFailsDeletesNothing() {
        stage.initialized(claim("a")).nodeGoes("a-node");
        stage.rig().cloud().nextList(new ListAnswer.Failed("throttled"));

        assertThat(collected()).isInstanceOf(Ending.Failed.class);
        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    void aClaimOfAnotherProviderIsLeftAlone() {
        stage.with(claim("a").unmanaged().ready());

        collected();

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    void itBeginsByItself() {
        assertThat(collection.initialKeys()).containsExactly(Controller.SINGLETON);
    }
}
