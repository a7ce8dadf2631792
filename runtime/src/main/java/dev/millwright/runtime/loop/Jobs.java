package dev.millwright.runtime.loop;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/// Work that lasts longer than a step may: runs of other programs, calls to servers that may not
/// answer. A step begins a job and ends; the job's key is rung when it is over, and the next step
/// takes what came of it.
///
/// One job a key. At most `atOnce` run, and of one lane at most `laneMax`: a lane whose jobs hang,
/// such as a cluster that does not answer, keeps no other waiting. Jobs wait in the order they were
/// begun; there are never more of them than keys.
///
/// Each job has a thread of the system's own: one that waits for a process would keep a virtual
/// thread's carrier.
///
/// @param <K> what a job is about, with the object's uid where a name may come again
/// @param <A> what comes of a job; failures are among its values
public final class Jobs<K, A> implements AutoCloseable {

    /// What is to be done. It answers with a value whatever happens; an exception is a bug, which
    /// `onBug` turns into an answer. It ends soon after an interrupt.
    @FunctionalInterface
    public interface Work<A> {
        A run() throws InterruptedException;
    }

    /// Where a key's job is.
    public sealed interface State<A> {

        record None<A>() implements State<A> {}

        record Waiting<A>() implements State<A> {}

        record Running<A>() implements State<A> {}

        /// The answer stays until it is taken.
        record Over<A>(A answer) implements State<A> {}
    }

    /// How many jobs run at once, in all and of one lane.
    public record Bounds(int atOnce, int laneMax) {
        public Bounds {
            if (atOnce < 1 || laneMax < 1) {
                throw new IllegalArgumentException(
                        "%d jobs at once, %d of a lane; wanted at least 1 of each"
                                .formatted(atOnce, laneMax));
            }
        }
    }

    private static final Duration CLOSE_MAX = Duration.ofSeconds(10);

    private final String name;
    private final Bounds bounds;
    private final Function<K, String> lane;
    private final Function<Throwable, A> onBug;
    private final Consumer<K> bell;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final LinkedHashMap<K, Work<A>> waiting = new LinkedHashMap<>();
    private final Map<K, Thread> running = new HashMap<>();
    private final Map<String, Integer> laneCounts = new HashMap<>();
    private final Map<K, A> answers = new HashMap<>();
    private boolean isClosed;

    /// @param bell is rung with the key of each job that is over
    public Jobs(
            String name,
            Bounds bounds,
            Function<K, String> lane,
            Function<Throwable, A> onBug,
            Consumer<K> bell) {
        this.name = name;
        this.bounds = bounds;
        this.lane = lane;
        this.onBug = onBug;
        this.bell = bell;
    }

    public State<A> look(K key) {
        lock.lock();
        try {
            var answer = answers.get(key);
            if (answer != null) {
                return new State.Over<>(answer);
            }
            if (running.containsKey(key)) {
                return new State.Running<>();
            }
            return waiting.containsKey(key) ? new State.Waiting<>() : new State.None<>();
        } finally {
            lock.unlock();
        }
    }

    /// Begins a job unless the key has one already, under way or with its answer not taken.
    public boolean begin(K key, Work<A> work) {
        lock.lock();
        try {
            if (isClosed
                    || waiting.containsKey(key)
                    || running.containsKey(key)
                    || answers.containsKey(key)) {
                return false;
            }
            waiting.put(key, work);
            startWaiting();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// What came of the key's job, once; null while there is nothing.
    public @Nullable A take(K key) {
        lock.lock();
        try {
            return answers.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /// Interrupts the key's job, and keeps neither it nor its answer if it has not begun or is
    /// over.
    public void cancel(K key) {
        lock.lock();
        try {
            waiting.remove(key);
            answers.remove(key);
            var thread = running.get(key);
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Jobs that run or wait.
    public int size() {
        lock.lock();
        try {
            return waiting.size() + running.size();
        } finally {
            lock.unlock();
        }
    }

    private void startWaiting() {
        var iterator = waiting.entrySet().iterator();
        while (running.size() < bounds.atOnce() && iterator.hasNext()) {
            var next = iterator.next();
            var key = next.getKey();
            var work = next.getValue();
            var itsLane = lane.apply(key);
            if (laneCounts.getOrDefault(itsLane, 0) < bounds.laneMax()) {
                iterator.remove();
                laneCounts.merge(itsLane, 1, Integer::sum);
                var thread =
                        Thread.ofPlatform().daemon().name(name).unstarted(() -> run(key, work));
                running.put(key, thread);
                thread.start();
            }
        }
    }

    private void run(K key, Work<A> work) {
        A answer = null;
        try {
            answer = work.run();
        } catch (InterruptedException cancelled) {
            answer = onBug.apply(cancelled);
        } catch (RuntimeException | Error bug) {
            answer = onBug.apply(bug);
        } finally {
            over(key, answer);
        }
        bell.accept(key);
    }

    private void over(K key, @Nullable A answer) {
        lock.lock();
        try {
            running.remove(key);
            if (answer != null && !isClosed) {
                answers.put(key, answer);
            }
            laneCounts.computeIfPresent(
                    lane.apply(key), (_, count) -> count == 1 ? null : count - 1);
            if (!isClosed) {
                startWaiting();
            }
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Interrupts every job and waits for them, up to a bound.
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            waiting.clear();
            answers.clear();
            running.values().forEach(Thread::interrupt);
            var nanos = CLOSE_MAX.toNanos();
            while (!running.isEmpty() && nanos > 0) {
                nanos = ended.awaitNanos(nanos);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
