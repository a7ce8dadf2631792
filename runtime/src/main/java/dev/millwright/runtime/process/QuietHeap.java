package dev.millwright.runtime.process;

import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// Gives back what a busy time made the heap grow to. The serial collector shrinks the heap only
/// when it collects all of it, and comes to that by itself only when the heap is full: what a busy
/// time left behind stays in memory for hours of rest. A collection within the busy time does not
/// help: what lived then is dead later, and the heap as large as before.
public final class QuietHeap implements AutoCloseable {

    private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    /// Growth since the last time that is worth a pause of some tens of milliseconds.
    private static final long WORTH_BYTES = 6L << 20;

    /// A heap that lives from many large objects grows and shrinks with them: it must have grown by
    /// this part of itself, too.
    private static final int WORTH_DIVISOR = 4;

    /// Of the time between two looks, what collections may take if it is to count as quiet, and
    /// what our own pauses may take in the long run when the heap has grown.
    private static final int SHARE_DIVISOR = 100;

    /// What our pauses may take of the time when it has not: what lives may be less than the last
    /// time all the same, which only a collection can tell.
    private static final int SHARE_DIVISOR_ELSE = 2_000;

    private final Thread watch;

    private QuietHeap() {
        watch = Thread.ofVirtual().name("quiet-heap").unstarted(this::keepLooking);
    }

    /// From now on until it is closed.
    public static QuietHeap watched() {
        var made = new QuietHeap();
        made.watch.start();
        return made;
    }

    /// What was seen at a look.
    ///
    /// @param collecting what collections took since the look before
    /// @param sinceOurs how long ago we collected, and `pause` how long that took
    /// @param left what was committed after it
    record Look(
            Duration collecting, Duration sinceOurs, Duration pause, long committed, long left) {

        boolean isWorth() {
            var hasGrown = committed - left >= Math.max(WORTH_BYTES, left / WORTH_DIVISOR);
            var rests = pause.multipliedBy(hasGrown ? SHARE_DIVISOR : SHARE_DIVISOR_ELSE);
            return collecting.compareTo(LOOK_EVERY.dividedBy(SHARE_DIVISOR)) <= 0
                    && sinceOurs.compareTo(rests) >= 0;
        }
    }

    private void keepLooking() {
        var ticker = Ticker.system();
        var collected = collecting();
        var ours = ticker.nanos();
        var pause = Duration.ZERO;
        var left = 0L;
        try {
            while (true) {
                Sleeper.system().sleep(LOOK_EVERY);
                var since = Duration.ofNanos(ticker.nanos() - ours);
                var look = new Look(collecting().minus(collected), since, pause, committed(), left);
                if (look.isWorth()) {
                    var begun = ticker.nanos();
                    System.gc();
                    ours = ticker.nanos();
                    pause = Duration.ofNanos(ours - begun);
                    left = committed();
                }
                collected = collecting();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration collecting() {
        return Duration.ofMillis(
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum());
    }

    private static long committed() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
