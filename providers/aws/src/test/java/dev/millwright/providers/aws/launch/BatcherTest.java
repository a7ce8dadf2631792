package dev.millwright.providers.aws.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

final class BatcherTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    /// Closes only when it is full.
    private static Batcher.Window full(int items) {
        return new Batcher.Window(LONG, LONG, items);
    }

    @Test
    void aFullWindowClosesAndEveryQuestionHasItsOwnAnswer() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new AtomicInteger();
            var batcher =
                    new Batcher<Integer, String>(
                            full(300),
                            _ -> "",
                            questions -> {
                                calls.incrementAndGet();
                                return questions.stream().map(each -> "a" + each).toList();
                            },
                            threads,
                            (_, _) -> {});
            var asks =
                    IntStream.range(0, 300)
                            .mapToObj(n -> (Callable<String>) () -> batcher.ask(n))
                            .toList();
            var answers = new ArrayList<String>();
            for (var future : threads.invokeAll(asks)) {
                answers.add(future.get());
            }

            assertThat(calls).hasValue(1);
            assertThat(answers).isEqualTo(IntStream.range(0, 300).mapToObj(n -> "a" + n).toList());
        }
    }

    @Test
    void noMoreThanAHundredCallsAreUnderWayAtOnce() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var underWay = new AtomicInteger();
            var most = new AtomicInteger();
            var hundred = new CountDownLatch(100);
            var batcher =
                    new Batcher<Integer, Integer>(
                            full(150),
                            question -> question,
                            questions -> {
                                most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                                hundred.countDown();
                                awaitUnchecked(hundred);
                                underWay.decrementAndGet();
                                return questions;
                            },
                            threads,
                            (_, _) -> {});
            var asks =
                    IntStream.range(0, 150)
                            .mapToObj(n -> (Callable<Integer>) () -> batcher.ask(n))
                            .toList();
            for (var future : threads.invokeAll(asks)) {
                assertThat(future.get()).isNotNegative();
            }

            assertThat(most).hasValue(100);
        }
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    @Test
    void nobodyIsLeftWaitingByACallThatBreaksOff() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var batcher =
                    new Batcher<Integer, Integer>(
                            full(1),
                            _ -> "",
                            _ -> {
                                throw new IllegalStateException("broken");
                            },
                            threads,
                            (_, _) -> {});

            assertThatThrownBy(() -> batcher.ask(1)).hasMessageContaining("broken");
        }
    }

    @Test
    void anAnswerThatIsMissingBreaksTheCallOff() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var batcher =
                    new Batcher<Integer, Integer>(
                            full(1), _ -> "", _ -> List.of(), threads, (_, _) -> {});

            assertThatThrownBy(() -> batcher.ask(1)).isInstanceOf(RuntimeException.class);
        }
    }
}
