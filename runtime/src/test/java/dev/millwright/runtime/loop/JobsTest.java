package dev.millwright.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.runtime.loop.Jobs.State;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

@Timeout(240)
final class JobsTest {

    private final LinkedBlockingQueue<String> rung = new LinkedBlockingQueue<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    /// Keys such as `a/1`: the lane is what stands before the slash.
    private final Jobs<String, String> jobs =
            new Jobs<>(
                    "test",
                    new Jobs.Bounds(2, 1),
                    key -> key.substring(0, key.indexOf('/')),
                    failure -> "failed: " + failure.getClass().getSimpleName(),
                    rung::add);

    @AfterEach
    void close() {
        gate.countDown();
        jobs.close();
    }

    private String held() throws InterruptedException {
        gate.await();
        return "done";
    }

    @Test
    void anAnswerIsRungForAndTakenOnce() throws InterruptedException {
        jobs.begin("a/1", () -> "done");
        assertThat(rung.take()).isEqualTo("a/1");
        assertThat(jobs.look("a/1")).isEqualTo(new State.Over<>("done"));
        assertThat(jobs.take("a/1")).isEqualTo("done");
        assertThat(jobs.take("a/1")).isNull();
        assertThat(jobs.look("a/1")).isEqualTo(new State.None<>());
    }

    @Test
    void aKeyHasOneJobAtATime() {
        assertThat(jobs.begin("a/1", this::held)).isTrue();
        assertThat(jobs.begin("a/1", () -> "second")).isFalse();
        assertThat(jobs.look("a/1")).isEqualTo(new State.Running<>());
    }

    @Test
    void aLaneThatHangsKeepsNoOtherWaiting() throws InterruptedException {
        jobs.begin("a/1", this::held);
        jobs.begin("a/2", this::held);
        jobs.begin("b/1", () -> "done");
        assertThat(rung.take()).isEqualTo("b/1");
        assertThat(jobs.look("a/2")).isEqualTo(new State.Waiting<>());
    }

    @Test
    void aJobThatWaitedRunsWhenItsLaneIsFree() throws InterruptedException {
        jobs.begin("a/1", this::held);
        jobs.begin("a/2", () -> "after");
        gate.countDown();
        assertThat(rung.take()).isEqualTo("a/1");
        assertThat(rung.take()).isEqualTo("a/2");
        assertThat(jobs.take("a/2")).isEqualTo("after");
    }

    @Test
    void aCancelledJobIsInterrupted() throws InterruptedException {
        jobs.begin("a/1", this::held);
        jobs.cancel("a/1");
        assertThat(rung.take()).isEqualTo("a/1");
        assertThat(jobs.take("a/1")).isEqualTo("failed: InterruptedException");
    }

    @Test
    void aJobThatThrowsHasAnAnswer() throws InterruptedException {
        jobs.begin(
                "a/1",
                () -> {
                    throw new IllegalStateException("a bug");
                });
        rung.take();
        assertThat(jobs.take("a/1")).isEqualTo("failed: IllegalStateException");
    }

    @Test
    void nothingBeginsAfterTheEnd() {
        jobs.close();
        assertThat(jobs.begin("a/1", () -> "late")).isFalse();
    }
}
