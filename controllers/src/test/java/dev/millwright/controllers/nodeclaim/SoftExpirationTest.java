package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.PoolText.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodeclaim.disruption.ClaimDisruptionController;
import dev.millwright.controllers.nodeclaim.disruption.DriftMemory;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A claim that is as old as its pool wants claims to be counts as drifted.
final class SoftExpirationTest {

    private final ClaimStage stage = new ClaimStage();
    private final ClaimDisruptionController disruption =
            new ClaimDisruptionController(
                    stage.rig().cloud().traits().vocabulary(),
                    stage.rig().cloud()::catalog,
                    new DriftMemory(),
                    stage.rig().view().classKinds(),
                    1);

    private static PoolText expiring(String after) {
        return pool().annotation(ControlKeys.EXPIRE_SOFTLY_AFTER, after);
    }

    private @Nullable String drift() {
        stage.run(disruption, "a");
        var condition = stage.claim("a").conditions().find(ClaimObject.DRIFTED);
        return condition == null || !condition.isTrue() ? null : condition.reason();
    }

    @Test
    void anOldClaimIsMarkedAndAYoungOneIsNot() {
        stage.with(expiring("20m")).with(claim("a").ready());
        assertThat(drift()).isNull();

        stage.rig().advance(Duration.ofMinutes(20).minusSeconds(1));
        assertThat(drift()).isNull();

        stage.rig().advance(Duration.ofSeconds(1));
        assertThat(drift()).isEqualTo("SoftExpired");
    }

    @Test
    void theStepComesAgainWhenTheTimeHasCome() {
        stage.with(expiring("12m")).with(claim("a").ready());
        stage.run(disruption, "a");
        stage.rig().advance(Duration.ofMinutes(10));

        assertThat(stage.run(disruption, "a")).isEqualTo(new Ending.Again(Duration.ofMinutes(2)));
    }

    @Test
    void theMarkGoesWithTheAnnotation() {
        stage.with(expiring("20m")).with(claim("a").ready());
        stage.rig().advance(Duration.ofMinutes(30));
        assertThat(drift()).isEqualTo("SoftExpired");

        stage.with(pool());

        assertThat(drift()).isNull();
    }

    @Test
    void aMarkThatStandsIsNotWrittenAgain() {
        stage.with(expiring("20m")).with(claim("a").ready());
        stage.rig().advance(Duration.ofMinutes(30));
        drift();
        stage.rig().api().forgetWrites();
        stage.rig().advance(Duration.ofMinutes(6));

        assertThat(drift()).isEqualTo("SoftExpired");
        assertThat(stage.rig().api().writes()).isEmpty();
    }

    @Test
    void whatElseIsWrongComesFirst() {
        stage.rig().cloud().driftReason("ImageDrifted");
        stage.with(expiring("20m")).with(claim("a").ready());
        stage.rig().advance(Duration.ofMinutes(30));

        assertThat(drift()).isEqualTo("ImageDrifted");
    }

    @Test
    void aClaimWithoutAMachineIsNotMarked() {
        stage.with(expiring("20m")).with(claim("a"));
        stage.rig().advance(Duration.ofMinutes(30));

        assertThat(drift()).isNull();
    }

    @Test
    void anAgeThatCannotBeReadMarksNothing() {
        stage.with(expiring("9m")).with(claim("a").ready());
        stage.rig().advance(Duration.ofMinutes(50));

        assertThat(drift()).isNull();
    }

    /// Who freezes a pool of a thousand nodes does not want the cloud asked a thousand times.
    @Test
    void aFreezeDoesNotAskTheCloudAgain() {
        stage.with(claim("a").ready());
        assertThat(drift()).isNull();
        stage.rig().cloud().driftReason("ImageDrifted");

        stage.with(pool().annotation(ControlKeys.FREEZE, "release week"));

        assertThat(drift()).isNull();
    }
}
