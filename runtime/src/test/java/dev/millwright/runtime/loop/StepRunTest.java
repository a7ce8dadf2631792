package dev.millwright.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class StepRunTest {

    private static final Effect FIRST = ring("first");
    private static final Effect SECOND = ring("second");
    private static final Effect BETWEEN = ring("between");

    private static Effect ring(String name) {
        return new Effect.Enqueue("other", new ObjectName("", name));
    }

    @Test
    void effectsComeInOrderAndThenTheEnding() {
        var run = new StepRun(Step.of(FIRST, SECOND).thenAgain(Duration.ofSeconds(5)));

        assertThat(run.next()).isSameAs(FIRST);
        assertThat(run.next()).isSameAs(SECOND);
        assertThat(run.next()).isNull();
        assertThat(run.ending()).isEqualTo(new Ending.Again(Duration.ofSeconds(5)));
    }

    @Test
    void whatAnAnswerLeadsToComesBeforeTheRest() {
        var run = new StepRun(Step.of(FIRST, SECOND));
        run.next();
        run.follow(Step.of(BETWEEN));

        assertThat(List.of(next(run), next(run))).containsExactly(BETWEEN, SECOND);
        assertThat(run.next()).isNull();
        assertThat(run.ending()).isEqualTo(new Ending.Done());
    }

    @Test
    void anAnswerThatEndsOtherwiseThanDoneAbandonsTheRest() {
        var run = new StepRun(Step.of(FIRST, SECOND).thenAgain(Duration.ofSeconds(5)));
        run.next();
        run.follow(new Step(List.of(BETWEEN), new Ending.Retry()));

        assertThat(run.next()).isSameAs(BETWEEN);
        assertThat(run.next()).isNull();
        assertThat(run.ending()).isEqualTo(new Ending.Retry());
    }

    @Test
    void aRunThatIsEndedFromOutsideHasNothingLeft() {
        var run = new StepRun(Step.of(FIRST, SECOND));
        run.next();
        run.end(new Ending.Stop());

        assertThat(run.next()).isNull();
        assertThat(run.ending()).isEqualTo(new Ending.Stop());
    }

    @Test
    void aRunUnderWayHasNoEnding() {
        var run = new StepRun(Step.of(FIRST));

        assertThatThrownBy(run::ending).isInstanceOf(IllegalStateException.class);
    }

    private static Effect next(StepRun run) {
        var effect = run.next();
        if (effect == null) {
            throw new AssertionError("wanted another effect");
        }
        return effect;
    }
}
