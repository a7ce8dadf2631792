package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.PoolText.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodeclaim.disruption.ClaimDisruptionController;
import dev.millwright.controllers.nodeclaim.disruption.DriftMemory;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class ConsolidatableTest {

    private static final String MINUTE = "disruption: {consolidateAfter: 1m}";

    private final ClaimStage stage = new ClaimStage();
    private final ClaimDisruptionController disruption =
            new ClaimDisruptionController(
                    stage.rig().cloud().traits().vocabulary(),
                    stage.rig().cloud()::catalog,
                    new DriftMemory(),
                    stage.rig().view().classKinds(),
                    1);

    private Ending judged(PoolText pool, ClaimText claim) {
        return stage.with(pool).with(claim).run(disruption, "a");
    }

    private boolean isConsolidatable() {
        return stage.isTrue("a", ClaimObject.CONSOLIDATABLE);
    }

    private @Nullable Object condition(String type) {
        return stage.claim("a").conditions().find(type);
    }

    private ClaimText podEvent(Duration ago) {
        return claim("a")
                .ready()
                .status("lastPodEventTime: \"%s\"".formatted(stage.rig().now().minus(ago)));
    }

    private static ClaimText marked(String... conditions) {
        var all = new ArrayList<>(List.of(conditions));
        all.add("Consolidatable=True");
        return claim("a").conditions(all.toArray(String[]::new));
    }

    @Test
    @Tag("I-CSL-1")
    void aClaimOfAnotherProviderIsNotMarked() {
        stage.rig().advance(Duration.ofHours(1));

        judged(pool().spec(MINUTE), claim("a").unmanaged().ready());

        assertThat(isConsolidatable()).isFalse();
    }

    @Test
    @Tag("I-CSL-2")
    void aClaimIsMarkedWhenNoPodCameOrWentForLongEnough() {
        var ending = judged(pool().spec(MINUTE), podEvent(Duration.ofSeconds(20)));
        assertThat(isConsolidatable()).isFalse();
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(40)));

        stage.rig().advance(Duration.ofSeconds(40));
        stage.run(disruption, "a");

        assertThat(isConsolidatable()).isTrue();
    }

    @Test
    @Tag("I-CSL-3")
    void withoutPodsTimeRunsFromTheInitialization() {
        judged(pool().spec(MINUTE), claim("a").ready());
        assertThat(isConsolidatable()).isFalse();

        stage.rig().advance(Duration.ofMinutes(1));
        stage.run(disruption, "a");

        assertThat(isConsolidatable()).isTrue();
    }

    @Test
    @Tag("I-CSL-4")
    void aPodEventTakesTheMarkAway() {
        judged(
                pool().spec(MINUTE),
                marked("Launched=True", "Initialized=True")
                        .status("lastPodEventTime: \"%s\"".formatted(stage.rig().now())));

        assertThat(condition(ClaimObject.CONSOLIDATABLE)).isNull();
    }

    @Test
    @Tag("I-CSL-5")
    void aPoolThatNeverConsolidatesTakesTheMarkAway() {
        judged(
                pool().spec("disruption: {consolidateAfter: Never}"),
                marked("Launched=True", "Initialized=True"));

        assertThat(condition(ClaimObject.CONSOLIDATABLE)).isNull();
    }

    @Test
    @Tag("I-CSL-6")
    void aClaimOfWhichInitializationIsUnknownLosesTheMark() {
        judged(pool(), marked("Launched=True", "Initialized=Unknown"));

        assertThat(condition(ClaimObject.CONSOLIDATABLE)).isNull();
    }

    @Test
    @Tag("I-CSL-7")
    void aClaimThatIsNotInitializedLosesTheMark() {
        judged(pool(), marked("Launched=True", "Initialized=False"));

        assertThat(condition(ClaimObject.CONSOLIDATABLE)).isNull();
    }

    @Test
    @Tag("I-CSL-8")
    void bothConditionsAreSetInOneStep() {
        stage.rig().cloud().driftReason("CloudDrifted");

        judged(pool(), claim("a").ready());

        assertThat(isConsolidatable()).isTrue();
        assertThat(stage.isTrue("a", ClaimObject.DRIFTED)).isTrue();
        assertThat(stage.rig().api().writes()).hasSize(1);
    }

    @Test
    @Tag("I-CSL-9")
    void aClaimOfAStaticPoolIsNotMarked() {
        stage.rig().cloud().driftReason("CloudDrifted");

        judged(pool().spec("replicas: 1"), claim("a").ready());

        assertThat(condition(ClaimObject.CONSOLIDATABLE)).isNull();
        assertThat(stage.isTrue("a", ClaimObject.DRIFTED)).isTrue();
    }

    @Test
    @Tag("I-CSL-10")
    void bothConditionsAreTakenAwayInOneStep() {
        judged(
                pool().spec("disruption: {consolidateAfter: Never}"),
                marked("Launched=True", "Initialized=True", "Drifted=True"));

        assertThat(condition(ClaimObject.CONSOLIDATABLE)).isNull();
        assertThat(condition(ClaimObject.DRIFTED)).isNull();
        assertThat(stage.rig().api().writes()).hasSize(1);
    }

    @Test
    void aMarkThatIsThereIsNotWrittenAgain() {
        judged(pool(), claim("a").ready());
        stage.rig().api().forgetWrites();

        stage.run(disruption, "a");

        assertThat(stage.rig().api().writes()).isEmpty();
    }
}
