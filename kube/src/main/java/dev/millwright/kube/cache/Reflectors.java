package dev.millwright.kube.cache;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.time.Sleeper;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Runs reflectors, each on a thread of its own, and watches over them: one whose thread died or
/// hangs is begun anew, so that none stops unnoticed.
public final class Reflectors implements AutoCloseable {

    /// Between two looks at the threads.
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(30);

    /// Longest time a question may be out: the longest watch, its slack and a pause fit in twice.
    static final Duration HUNG_AFTER = Duration.ofMinutes(12);

    /// How long a thread is waited for at the end; it is not needed any more.
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    private final List<Running> all;
    private final InstantSource clock;
    private final Sleeper sleeper;
    private final Thread watchdog;
    private boolean isStopping;

    /// A reflector and the thread it has now, guarded by the reflectors.
    private static final class Running {
        private final Reflector reflector;
        private Thread thread;

        Running(Reflector reflector) {
            this.reflector = reflector;
            this.thread = unstarted(reflector);
        }

        static Thread unstarted(Reflector reflector) {
            return Thread.ofVirtual()
                    .name("reflector-" + reflector.type())
                    .unstarted(reflector::run);
        }
    }

    public Reflectors(List<Reflector> reflectors, InstantSource clock, Sleeper sleeper) {
        this.all = reflectors.stream().map(Running::new).toList();
        this.clock = clock;
        this.sleeper = sleeper;
        this.watchdog = Thread.ofVirtual().name("reflector-watchdog").unstarted(this::keepChecking);
    }

    public synchronized void start() {
        all.forEach(running -> running.thread.start());
        watchdog.start();
    }

    private void keepChecking() {
        try {
            while (true) {
                sleeper.sleep(CHECK_INTERVAL);
                check();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Begins anew what died or hangs.
    public synchronized void check() {
        if (isStopping) {
            return;
        }
        for (var running : all) {
            var silent = Duration.between(running.reflector.lastTurn(), clock.instant());
            if (!running.thread.isAlive()) {
                restart(running, "its thread died");
            } else if (silent.compareTo(HUNG_AFTER) > 0) {
                running.thread.interrupt();
                restart(running, "no answer for %d s".formatted(silent.toSeconds()));
            }
        }
    }

    private static void restart(Running running, String reason) {
        running.reflector.note(new ReflectorNote.Restarted(reason));
        running.thread = Running.unstarted(running.reflector);
        running.thread.start();
    }

    /// Whether nobody begins anew any more what died or hangs.
    public synchronized boolean isWatchdogDead() {
        return !isStopping && watchdog.getState() == Thread.State.TERMINATED;
    }

    /// Whether every reflector has told all there was, once.
    public boolean isSynced() {
        return all.stream().allMatch(running -> running.reflector.isSynced());
    }

    /// @throws IllegalArgumentException when nobody watches this resource
    public boolean isSynced(ResourceType type) {
        var ofType =
                all.stream()
                        .map(each -> each.reflector)
                        .filter(each -> each.type().equals(type))
                        .toList();
        if (ofType.isEmpty()) {
            throw new IllegalArgumentException("resource %s is not watched".formatted(type));
        }
        return ofType.stream().allMatch(Reflector::isSynced);
    }

    /// The resources that are still waited for.
    public List<ResourceType> unsynced() {
        return all.stream()
                .map(running -> running.reflector)
                .filter(reflector -> !reflector.isSynced())
                .map(Reflector::type)
                .toList();
    }

    /// How long ago each resource was last heard of, by its name.
    SequencedMap<String, Duration> silences() {
        var now = clock.instant();
        var silences = new TreeMap<String, Duration>();
        for (var running : all) {
            silences.put(
                    running.reflector.type().toString(),
                    Duration.between(running.reflector.lastHeardFrom(), now));
        }
        return silences;
    }

    /// Ends all threads. One that does not end in time is left to itself: it may not speak to its
    /// sink again.
    @Override
    public void close() {
        var threads = new ArrayList<Thread>();
        synchronized (this) {
            isStopping = true;
            threads.add(watchdog);
            all.forEach(running -> threads.add(running.thread));
        }
        threads.forEach(Thread::interrupt);
        try {
            for (var thread : threads) {
                if (thread.getState() != Thread.State.NEW) {
                    thread.join(STOP_MAX);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
