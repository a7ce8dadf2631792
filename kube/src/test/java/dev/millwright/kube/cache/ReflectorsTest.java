package dev.millwright.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.WatchEnd;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cluster.ScriptedKubeApi;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

final class ReflectorsTest {

    private final FakeClock clock = new FakeClock();
    private final ScriptedKubeApi api = new ScriptedKubeApi();
    private final List<ReflectorNote> notes = new CopyOnWriteArrayList<>();
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final CountDownLatch hangsAgain = new CountDownLatch(1);
    private final Reflector pods =
            new Reflector(
                    api,
                    Reflector.Subject.all(ResourceType.POD),
                    new Deaf(),
                    new Reflector.Surroundings(clock, clock::sleep, new SplittableRandom(1)),
                    (_, note) -> notes.add(note));

    /// The watchdog's own thread waits for ever: the tests look for it.
    private final Reflectors reflectors =
            new Reflectors(List.of(pods), clock, _ -> new CountDownLatch(1).await());

    @AfterEach
    void close() {
        reflectors.close();
    }

    private static final class Deaf implements ObjectSink {
        @Override
        public void begin() {}

        @Override
        public void item(Value.Mapping object) {}

        @Override
        public void end(String resourceVersion) {}

        @Override
        public void put(Value.Mapping object) {}

        @Override
        public void removed(Value.Mapping object) {}
    }

    private static ListAnswer empty(String version) {
        return new ListAnswer.Page(List.of(), version, "");
    }

    @Test
    void allAreSyncedWhenEachHasListed() throws InterruptedException {
        api.list(empty("1")).watchThatHangs(hangs);
        assertThat(reflectors.isSynced()).isFalse();
        assertThat(reflectors.unsynced()).containsExactly(ResourceType.POD);

        reflectors.start();
        hangs.await();

        assertThat(reflectors.isSynced()).isTrue();
        assertThat(reflectors.isSynced(ResourceType.POD)).isTrue();
        assertThat(reflectors.unsynced()).isEmpty();
        assertThatThrownBy(() -> reflectors.isSynced(ResourceType.NODE))
                .hasMessageContaining("nodes is not watched");
    }

    @Test
    void aReflectorThatHangsIsBegunAnew() throws InterruptedException {
        api.list(empty("1"), empty("2")).watchThatHangs(hangs).watchThatHangs(hangsAgain);
        reflectors.start();
        hangs.await();

        clock.advance(Duration.ofMinutes(12));
        reflectors.check();
        assertThat(notes).noneMatch(ReflectorNote.Restarted.class::isInstance);

        clock.advance(Duration.ofSeconds(1));
        reflectors.check();
        hangsAgain.await();
        assertThat(notes).contains(new ReflectorNote.Restarted("no answer for 721 s"));
        assertThat(api.watchedFrom()).containsExactly("1", "2");
    }

    @Test
    void aReflectorWhoseThreadDiedIsBegunAnew() throws InterruptedException {
        var dying = new CountDownLatch(1);
        api.list(empty("1"), empty("2"))
                .watch(
                        _ -> {
                            dying.countDown();
                            Thread.currentThread().interrupt();
                            return WatchEnd.CLOSED;
                        })
                .watchThatHangs(hangs);
        reflectors.start();
        dying.await();

        awaitRestart();

        hangs.await();
        assertThat(notes).contains(new ReflectorNote.Restarted("its thread died"));
    }

    /// The thread is dead some moments after it said so.
    private void awaitRestart() {
        while (notes.stream().noneMatch(ReflectorNote.Restarted.class::isInstance)) {
            Thread.onSpinWait();
            reflectors.check();
        }
    }

    @Test
    void silencesAreKnownByResource() {
        clock.advance(Duration.ofSeconds(90));

        assertThat(reflectors.silences()).containsEntry("pods", Duration.ofSeconds(90));
    }
}
