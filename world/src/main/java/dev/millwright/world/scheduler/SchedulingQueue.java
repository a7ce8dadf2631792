package dev.millwright.world.scheduler;

import dev.millwright.world.scheduler.Candidate.Stage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Pods that wait, and whose turn it is.
///
/// Of the pods of one class that found no place only one is woken at a time: where it fails, the
/// others would too, and where it succeeds it wakes the next.
final class SchedulingQueue {

    private static final Comparator<Candidate> TURN =
            Comparator.comparingInt(Candidate::priority)
                    .reversed()
                    .thenComparing(Candidate::queuedAt)
                    .thenComparingLong(Candidate::number);

    private static final Comparator<Candidate> RETURN =
            Comparator.comparing(Candidate::backsOffUntil).thenComparingLong(Candidate::number);

    private final TreeSet<Candidate> active = new TreeSet<>(TURN);
    private final TreeSet<Candidate> backingOff = new TreeSet<>(RETURN);
    private final Map<PodClass, TreeSet<Candidate>> stuck = new LinkedHashMap<>();
    private long count;

    boolean isIdle() {
        return active.isEmpty() && backingOff.isEmpty();
    }

    boolean hasStuck() {
        return !stuck.isEmpty();
    }

    void add(Candidate candidate, Instant now) {
        remove(candidate);
        candidate.queued(now, count++);
        candidate.enter(Stage.ACTIVE);
        active.add(candidate);
    }

    /// The next, from among those that back off when nobody else waits.
    @Nullable Candidate poll(Instant now) {
        while (!backingOff.isEmpty() && !backingOff.getFirst().backsOffUntil().isAfter(now)) {
            var due = backingOff.removeFirst();
            due.enter(Stage.ACTIVE);
            active.add(due);
        }
        var next = active.isEmpty() ? backingOff.pollFirst() : active.pollFirst();
        if (next != null) {
            next.enter(Stage.IDLE);
        }
        return next;
    }

    void stick(Candidate candidate) {
        candidate.enter(Stage.STUCK);
        stuck.computeIfAbsent(candidate.kind(), _ -> new TreeSet<>(TURN)).add(candidate);
    }

    /// The candidate is not waiting any more, or not in this order.
    void remove(Candidate candidate) {
        switch (candidate.stage()) {
            case ACTIVE -> active.remove(candidate);
            case BACKING_OFF -> backingOff.remove(candidate);
            case STUCK -> unstick(candidate);
            case IDLE, ASSUMED, BOUND -> {}
        }
        candidate.enter(Stage.IDLE);
    }

    private void unstick(Candidate candidate) {
        var same = stuck.get(candidate.kind());
        if (same != null) {
            same.remove(candidate);
            if (same.isEmpty()) {
                stuck.remove(candidate.kind());
            }
        }
    }

    /// Wakes one of each class that something may have changed for.
    void wake(Predicate<PodClass> isHelped, Instant now) {
        if (stuck.isEmpty()) {
            return;
        }
        List<PodClass> helped = new ArrayList<>();
        for (var kind : stuck.keySet()) {
            if (isHelped.test(kind)) {
                helped.add(kind);
            }
        }
        helped.forEach(kind -> wakeNext(kind, now));
    }

    void wakeNext(PodClass kind, Instant now) {
        var same = stuck.get(kind);
        if (same == null) {
            return;
        }
        var next = same.getFirst();
        unstick(next);
        if (next.backsOffUntil().isAfter(now)) {
            next.enter(Stage.BACKING_OFF);
            backingOff.add(next);
        } else {
            next.enter(Stage.ACTIVE);
            active.add(next);
        }
    }
}
