package dev.millwright.kube.lease;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.lease.Candidacy.Moment;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// Carries out what a [Candidacy] decides, on a client of its own that nothing throttles.
///
/// In order: [#acquire], then begin to act, then [#lead] until it returns, then stop acting, then
/// [#release]. All of them on one thread; [#isLeader] on any, before every change.
public final class LeaderElection {

    /// Tries of those who wait are spread by up to this part of their pause.
    private static final double JITTER = 1.2;

    /// Tries to give the Lease back.
    private static final int RELEASES_MAX = 3;

    /// Time and chance, from outside.
    public record Surroundings(
            Ticker ticker, InstantSource clock, Sleeper sleeper, RandomGenerator random) {}

    private final KubeApi api;
    private final ElectionSettings settings;
    private final Surroundings surroundings;

    private volatile Candidacy candidacy;
    private volatile String problem = "";

    public LeaderElection(KubeApi api, ElectionSettings settings, Surroundings surroundings) {
        this.api = api;
        this.settings = settings;
        this.surroundings = surroundings;
        this.candidacy = Candidacy.of(settings);
    }

    /// Whether this process may change anything at this moment. It becomes false by the clock
    /// alone, so a process that was asleep finds out before it acts.
    public boolean isLeader() {
        return candidacy.isLeader(surroundings.ticker().nanos());
    }

    /// Who holds the Lease as far as we know; empty when nobody does.
    String holder() {
        var observed = candidacy.observed();
        return observed == null ? "" : observed.holder();
    }

    /// What the server last had against us; empty when nothing.
    public String problem() {
        return problem;
    }

    /// Waits until we are the leader.
    public void acquire() throws InterruptedException {
        while (!isLeader()) {
            turn();
        }
    }

    /// Keeps the Lease. Returns why it was lost.
    public String lead() throws InterruptedException {
        while (true) {
            var lost = turn();
            if (!lost.isEmpty()) {
                return lost;
            }
        }
    }

    /// One look and one decision. Returns why we stepped down; empty when we did not.
    private String turn() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while electing a leader");
        }
        if (candidacy.renewedAtNanos() == null || candidacy.isStale()) {
            read();
        }
        if (candidacy.isStale()) {
            return pauseStale();
        }
        switch (candidacy.decide(now())) {
            case ElectionDecision.Acquire(var write) -> write(write);
            case ElectionDecision.Renew(var write) -> write(write);
            case ElectionDecision.Wait(var untilNanos) -> sleepUntil(untilNanos);
            case ElectionDecision.StepDown(var reason) -> {
                candidacy = candidacy.steppedDown();
                return reason;
            }
        }
        return "";
    }

    private Moment now() {
        return new Moment(surroundings.ticker().nanos(), surroundings.clock().instant());
    }

    private void read() {
        switch (api.read(ResourceType.LEASE, settings.name())) {
            case ApiAnswer.Done(var lease) -> {
                problem = "";
                candidacy = candidacy.observe(LeaseRecord.of(lease), now().nanos());
            }
            case ApiAnswer.Refused refused when refused.isNotFound() -> {
                problem = "";
                candidacy = candidacy.observe(null, now().nanos());
            }
            case ApiAnswer.Refused refused -> problem = refused.explain();
            case ApiAnswer.Unreachable unreachable -> problem = unreachable.explain();
        }
    }

    /// Nobody told us how the Lease stands. A leader goes on until its deadline.
    private String pauseStale() throws InterruptedException {
        var isLeading = candidacy.renewedAtNanos() != null;
        if (isLeading && !isLeader()) {
            candidacy = candidacy.steppedDown();
            return "not renewed within %d s: %s"
                    .formatted(settings.renewDeadline().toSeconds(), problem);
        }
        sleep(settings.retry());
        return "";
    }

    private void write(ApiWrite write) throws InterruptedException {
        var sentAtNanos = surroundings.ticker().nanos();
        var answer = api.write(write);
        problem = answer.isDone() || answer.isConflict() ? "" : answer.explain();
        candidacy = candidacy.answered(answer, sentAtNanos, now().nanos());
        if (candidacy.renewedAtNanos() == null) {
            sleep(answer.isDone() ? Duration.ZERO : jittered(settings.retry()));
        } else if (!answer.isDone() && !answer.isConflict()) {
            sleep(settings.retry());
        }
    }

    private void sleepUntil(long untilNanos) throws InterruptedException {
        var left = Duration.ofNanos(untilNanos - surroundings.ticker().nanos());
        sleep(candidacy.renewedAtNanos() == null ? jittered(left) : left);
    }

    private Duration jittered(Duration pause) {
        var extra = surroundings.random().nextDouble() * JITTER * settings.retry().toMillis();
        return pause.plusMillis((long) extra);
    }

    private void sleep(Duration duration) throws InterruptedException {
        if (duration.isPositive()) {
            surroundings.sleeper().sleep(duration);
        }
    }

    /// Lets others take the Lease at once. Only after everything that acts as the leader has ended.
    /// It is read first: a renewal may have been cut off between its sending and its answer.
    public void release() {
        candidacy = candidacy.steppedDown();
        for (var tries = 0; tries < RELEASES_MAX && candidacy.isStale(); tries++) {
            read();
            var write = candidacy.isStale() ? null : candidacy.release(now());
            if (write != null) {
                candidacy = candidacy.released(api.write(write));
            }
        }
    }
}
