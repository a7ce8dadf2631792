package dev.millwright.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.cache.View;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cluster.FakeApi;
import dev.millwright.testing.kit.step.StepRig;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class ExternalEffectsTest {

    private static final Effect CHANGE = new Own(List.of("what", "launch"));
    private static final Effect QUESTION = new Own(List.of());
    private static final Ending ANSWERED = new Ending.Again(Duration.ofMinutes(1));

    private final List<Effect> carriedOut = new ArrayList<>();

    /// An effect of one product.
    private record Own(List<Object> change) implements Effect.External {}

    private Step carryOut(Effect.External effect) {
        carriedOut.add(effect);
        return Step.again(Duration.ofMinutes(1));
    }

    private StepRig rig(Outside.Mode mode) {
        return new StepRig(new FakeClock(), List.of(), View.only(List.of()), this::carryOut, mode);
    }

    @Test
    void whatTheProductAnswersLeadsOn() {
        assertThat(rig(Outside.Mode.ACT).carryOut(Step.of(CHANGE))).isEqualTo(ANSWERED);
        assertThat(carriedOut).containsExactly(CHANGE);
    }

    @Test
    void aDryRunTellsOfAChangeAndLeavesItUndone() {
        var rig = rig(Outside.Mode.DRY_RUN);
        assertThat(rig.carryOut(Step.of(CHANGE))).isEqualTo(new Ending.Stop());
        assertThat(carriedOut).isEmpty();
        assertThat(rig.lines())
                .extracting(StepRig.Line::message)
                .containsExactly("would ask the cloud");
        assertThat(rig.lines().getFirst().keyValues()).containsExactly("what", "launch");
    }

    @Test
    void aDryRunAsksWhatChangesNothing() {
        assertThat(rig(Outside.Mode.DRY_RUN).carryOut(Step.of(QUESTION))).isEqualTo(ANSWERED);
        assertThat(carriedOut).containsExactly(QUESTION);
    }

    @Test
    void aProcessThatNoLongerLeadsBeginsNoChange() {
        var follower =
                new EffectRunner(
                        View.only(List.of()),
                        new Outside(
                                new FakeApi(new FakeClock()),
                                this::carryOut,
                                _ -> {},
                                Meter.NONE,
                                (_, _, _) -> {},
                                (_, _) -> {},
                                () -> false,
                                Outside.Mode.ACT),
                        EffectRunner.Branches.IN_ORDER);
        assertThat(follower.run(Step.of(CHANGE))).isEqualTo(new Ending.Retry());
        assertThat(carriedOut).isEmpty();
    }

    @Test
    void anEffectThatNothingCarriesOutIsABug() {
        var rig = StepRig.keeping(List.of());
        var step = Step.of(CHANGE);
        assertThatThrownBy(() -> rig.carryOut(step))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nothing in this process carries out Own");
    }
}
