package dev.millwright.controllers.process;

import dev.millwright.kube.time.Sleeper;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// Gives back what a busy time made the heap grow to. The serial collector shrinks the heap only
/// when it collects all of it, and a process at rest never comes to that by itself.
public final class QuietHeap implements AutoCloseable {

    private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    /// Growth since the last time that is worth a pause of some tens of milliseconds.
    private static final long WORTH_BYTES = 8L << 20;

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

    private void keepLooking() {
        var collections = collections();
        var left = 0L;
        try {
            while (true) {
                Sleeper.system().sleep(LOOK_EVERY);
                var now = collections();
                if (isWorth(now == collections, committed(), left)) {
                    System.gc();
                    left = committed();
                }
                collections = collections();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// A minute without a collection is a quiet one.
    static boolean isWorth(boolean isQuiet, long committed, long leftLastTime) {
        return isQuiet && committed - leftLastTime >= WORTH_BYTES;
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static long committed() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
