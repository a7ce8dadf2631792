package dev.millwright.world.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

@Timeout(240)
final class QuestionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Questions questions = new Questions();

    @Test
    void aQuestionIsAnsweredByTheThreadThatIsAsked() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Thread> asking = () -> questions.ask(Thread::currentThread);
            var asked = threads.submit(asking);
            assertThat(questions.answer(PATIENCE)).isTrue();
            assertThat(asked.get()).isSameAs(Thread.currentThread());
        }
        assertThat(questions.answer(Duration.ZERO)).isFalse();
    }

    @Test
    void whatGoesWrongIsTheAskersMatter() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<String> asking =
                    () ->
                            questions.ask(
                                    () -> {
                                        throw new IllegalArgumentException("no such thing");
                                    });
            var asked = threads.submit(asking);
            assertThat(questions.answer(PATIENCE)).isTrue();
            assertThatThrownBy(asked::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("no such thing");
        }
    }

    @Test
    void nobodyWaitsForAWorldThatHasEnded() {
        questions.close();
        assertThatThrownBy(() -> questions.ask(() -> "never"))
                .isInstanceOf(InterruptedException.class);
    }
}
