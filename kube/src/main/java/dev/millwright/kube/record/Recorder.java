package dev.millwright.kube.record;

import dev.millwright.core.deliberation.Deliberation;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Records decisions beside those who make them: nobody waits for it.
///
/// When it cannot keep up, or the disk refuses, decisions are left out as a whole and the record
/// says how many; it never holds more than [#WAITING_MAX] back.
public final class Recorder implements Consumer<Deliberation>, AutoCloseable {

    /// Decisions that wait to be written. A pass makes about ten; each holds on to a cluster.
    static final int WAITING_MAX = 64;

    /// After a failure to write. A disk that is full stays so for a while.
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    /// How often it looks whether it is to end.
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

    /// Hears what does not get into the record.
    public interface Ear {

        /// @param decisions that were left out since the last word
        void missed(long decisions);

        /// Writing failed; it is tried again later, in another file.
        void failed(String why);
    }

    private final RecordFolder folder;
    private final InstantSource clock;
    private final Ear ear;
    private final BlockingQueue<Deliberation> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Thread thread;
    private final Gap gap = new Gap();
    private Instant brokenUntil = Instant.MIN;
    private volatile boolean isClosing;

    Recorder(RecordFolder folder, InstantSource clock, Ear ear) {
        this.folder = folder;
        this.clock = clock;
        this.ear = ear;
        // Packing bytes is work, not waiting: on a virtual thread it would hold one of the few
        // carriers that the controllers share.
        this.thread = Thread.ofPlatform().daemon().name("recorder").unstarted(this::work);
    }

    public static Recorder start(RecordFolder folder, InstantSource clock, Ear ear) {
        var recorder = new Recorder(folder, clock, ear);
        recorder.run();
        return recorder;
    }

    void run() {
        thread.start();
    }

    /// What was left out since it was last told. Several threads add to it.
    private static final class Gap {

        private long decisions;
        private Instant since = Instant.MAX;
        private Instant until = Instant.MIN;

        synchronized void add(Instant at) {
            decisions++;
            since = at.isBefore(since) ? at : since;
            until = at.isAfter(until) ? at : until;
        }

        synchronized RecordEntry.@Nullable Missed take() {
            if (decisions == 0) {
                return null;
            }
            var missed = new RecordEntry.Missed(decisions, since, until);
            decisions = 0;
            since = Instant.MAX;
            until = Instant.MIN;
            return missed;
        }

        synchronized void putBack(RecordEntry.Missed missed) {
            decisions += missed.decisions();
            since = missed.since().isBefore(since) ? missed.since() : since;
            until = missed.until().isAfter(until) ? missed.until() : until;
        }
    }

    @Override
    public void accept(Deliberation deliberation) {
        if (isClosing || !waiting.offer(deliberation)) {
            leaveOut(deliberation);
        }
    }

    private void leaveOut(Deliberation deliberation) {
        gap.add(deliberation.at());
        ear.missed(1);
    }

    private void work() {
        try {
            while (!isClosing || !waiting.isEmpty()) {
                var next = waiting.poll(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                if (next != null) {
                    write(next);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    /// A mistake of ours in writing a decision must not end the record, nor the operator.
    private void write(Deliberation deliberation) {
        if (clock.instant().isBefore(brokenUntil)) {
            leaveOut(deliberation);
            return;
        }
        var missed = gap.take();
        try {
            if (missed != null) {
                folder.missed(missed);
            }
            folder.write(deliberation);
            if (waiting.isEmpty()) {
                folder.flush();
            }
        } catch (IOException | RuntimeException failure) {
            if (missed != null) {
                gap.putBack(missed);
            }
            leaveOut(deliberation);
            brokenUntil = clock.instant().plus(RETRY_AFTER);
            ear.failed(String.valueOf(failure.getMessage()));
            end();
        }
    }

    private void end() {
        try {
            folder.close();
        } catch (IOException failure) {
            ear.failed(String.valueOf(failure.getMessage()));
        }
    }

    /// Writes what waits, within a few seconds.
    @Override
    public void close() {
        isClosing = true;
        try {
            thread.join(CLOSE_MAX);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
