package dev.millwright.world.operator;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.lease.Candidacy;
import dev.millwright.kube.lease.ElectionDecision;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.kube.lease.LeaseRecord;
import dev.millwright.world.chance.Chance;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// A process's wish to lead: the same decisions as the real election, between answers that take
/// their time.
final class Campaign {

    private static final double JITTER = 1.2;

    private final Life life;
    private final ApiLine api;
    private final String by;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Chance chance;
    private final Runnable elected;
    private final Consumer<String> lost;
    private final ElectionSettings settings;
    private Candidacy candidacy;

    /// @param nanos the machine's own monotonic clock
    /// @param elected told once, when this process leads
    /// @param lost told with the reason when it no longer does
    Campaign(
            Life life,
            ApiLine api,
            ElectionSettings settings,
            InstantSource clock,
            LongSupplier nanos,
            Chance chance,
            Runnable elected,
            Consumer<String> lost) {
        this.life = life;
        this.api = api;
        this.by = settings.identity() + "/election";
        this.settings = settings;
        this.clock = clock;
        this.nanos = nanos;
        this.chance = chance;
        this.elected = elected;
        this.lost = lost;
        this.candidacy = Candidacy.of(settings);
    }

    boolean isLeader() {
        return candidacy.isLeader(nanos.getAsLong());
    }

    private boolean isLeading() {
        return candidacy.renewedAtNanos() != null;
    }

    void turn() {
        if (!isLeading() || candidacy.isStale()) {
            api.read(life, ResourceType.LEASE, settings.name(), this::read);
        } else {
            decide();
        }
    }

    private void read(ApiAnswer answer) {
        if (answer instanceof ApiAnswer.Done(var lease)) {
            candidacy = candidacy.observe(LeaseRecord.of(lease), nanos.getAsLong());
        } else if (answer.isNotFound()) {
            candidacy = candidacy.observe(null, nanos.getAsLong());
        }
        if (!candidacy.isStale()) {
            decide();
        } else if (isLeading() && !isLeader()) {
            stepDown("not renewed in time: " + answer.explain());
        } else {
            life.after(settings.retry(), this::turn);
        }
    }

    private void decide() {
        switch (candidacy.decide(new Candidacy.Moment(nanos.getAsLong(), clock.instant()))) {
            case ElectionDecision.Acquire(var write) -> write(write);
            case ElectionDecision.Renew(var write) -> write(write);
            case ElectionDecision.Wait(var untilNanos) -> {
                var left = Duration.ofNanos(Math.max(0, untilNanos - nanos.getAsLong()));
                life.after(isLeading() ? left : jittered(left), this::turn);
            }
            case ElectionDecision.StepDown(var reason) -> stepDown(reason);
        }
    }

    private void stepDown(String reason) {
        candidacy = candidacy.steppedDown();
        lost.accept(reason);
    }

    private void write(ApiWrite write) {
        var sentAt = nanos.getAsLong();
        api.write(life, by, write, answer -> written(answer, sentAt));
    }

    private void written(ApiAnswer answer, long sentAtNanos) {
        var wasLeading = isLeading();
        candidacy = candidacy.answered(answer, sentAtNanos, nanos.getAsLong());
        if (!wasLeading && isLeader()) {
            elected.run();
        }
        if (answer.isDone()) {
            turn();
        } else if (isLeading()) {
            life.after(answer.isConflict() ? Duration.ZERO : settings.retry(), this::turn);
        } else {
            life.after(jittered(settings.retry()), this::turn);
        }
    }

    private Duration jittered(Duration pause) {
        var extra = chance.share() * JITTER * settings.retry().toMillis();
        return pause.plusMillis((long) extra);
    }
}
