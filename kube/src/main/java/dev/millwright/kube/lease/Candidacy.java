package dev.millwright.kube.lease;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// What one process knows about the Lease, and what follows from it: values in, values out.
///
/// Why two processes never believe to lead at once. A leader believes so for the renew deadline,
/// counted from before it sent the renewal that succeeded. A taker has seen the record of that
/// renewal, or of an earlier one, unchanged for a whole lease; it saw it after it was sent, the
/// lease is longer than the deadline, and its write names the version it saw, so a renewal in
/// between refuses it. Only lengths of time on one's own monotonic clock are compared.
///
/// @param observed the record seen last; null when none was seen or there is none
/// @param observedAtNanos when it was first seen so
/// @param renewedAtNanos before the write was sent that made or kept us leader; null when we are
///   not
/// @param isStale whether the record must be read before anything is written
public record Candidacy(
        ElectionSettings settings,
        @Nullable LeaseRecord observed,
        long observedAtNanos,
        @Nullable Long renewedAtNanos,
        boolean isStale) {

    /// The two clocks at one moment. That of the day is only written down for people.
    public record Moment(long nanos, Instant time) {}

    public static Candidacy of(ElectionSettings settings) {
        return new Candidacy(settings, null, 0, null, true);
    }

    /// Whether we may act at this moment. False by itself once the deadline has passed, however
    /// long the process slept in between.
    public boolean isLeader(long nowNanos) {
        return renewedAtNanos != null
                && nowNanos - renewedAtNanos < settings.renewDeadline().toNanos();
    }

    /// Takes in a reading that came back at this moment; null when there is no Lease.
    public Candidacy observe(@Nullable LeaseRecord found, long nowNanos) {
        if (found == null) {
            return missed(nowNanos);
        }
        var isKnown =
                observed != null && observed.resourceVersion().equals(found.resourceVersion());
        return new Candidacy(
                settings, found, isKnown ? observedAtNanos : nowNanos, renewedAtNanos, false);
    }

    /// Somebody deleted the Lease. Whoever held it may not know yet, so its time must run out from
    /// when we missed it.
    private Candidacy missed(long nowNanos) {
        if (observed == null || observed.resourceVersion().isEmpty()) {
            return new Candidacy(settings, observed, observedAtNanos, renewedAtNanos, false);
        }
        var gone =
                new LeaseRecord(
                        observed.holder(),
                        observed.durationSeconds(),
                        observed.transitions(),
                        observed.acquireTime(),
                        "");
        return new Candidacy(settings, gone, nowNanos, renewedAtNanos, false);
    }

    /// What to do, given what was last observed. Ask only when the record is not stale.
    public ElectionDecision decide(Moment now) {
        return renewedAtNanos == null ? aspire(now) : stay(now, renewedAtNanos);
    }

    private ElectionDecision stay(Moment now, long renewedAt) {
        if (!isLeader(now.nanos())) {
            return new ElectionDecision.StepDown(
                    "not renewed within " + settings.renewDeadline().toSeconds() + " s");
        }
        if (observed == null || observed.resourceVersion().isEmpty()) {
            return new ElectionDecision.StepDown("the lease was deleted");
        }
        if (!observed.holder().equals(settings.identity())) {
            return new ElectionDecision.StepDown("the lease went to \"" + observed.holder() + "\"");
        }
        var dueAt = renewedAt + settings.retry().toNanos();
        if (now.nanos() - dueAt < 0) {
            return new ElectionDecision.Wait(dueAt);
        }
        return new ElectionDecision.Renew(patch(observed, claim(observed, now), now));
    }

    private ElectionDecision aspire(Moment now) {
        if (observed == null) {
            return new ElectionDecision.Acquire(create(now));
        }
        var isOurs = observed.holder().isEmpty() || observed.holder().equals(settings.identity());
        var freeAt = observedAtNanos + Duration.ofSeconds(observed.durationSeconds()).toNanos();
        if (!isOurs && now.nanos() - freeAt < 0) {
            var tryAt = now.nanos() + settings.retry().toNanos();
            return new ElectionDecision.Wait(tryAt - freeAt < 0 ? tryAt : freeAt);
        }
        return new ElectionDecision.Acquire(
                observed.resourceVersion().isEmpty()
                        ? create(now)
                        : patch(observed, claim(observed, now), now));
    }

    /// The record as we want it: a new holder counts as a transition.
    private LeaseRecord claim(LeaseRecord before, Moment now) {
        var isHeld = before.holder().equals(settings.identity());
        return new LeaseRecord(
                settings.identity(),
                settings.lease().toSeconds(),
                isHeld ? before.transitions() : before.transitions() + 1,
                isHeld && !before.acquireTime().isEmpty()
                        ? before.acquireTime()
                        : LeaseRecord.text(now.time()),
                before.resourceVersion());
    }

    private ApiWrite patch(LeaseRecord before, LeaseRecord after, Moment now) {
        return new ApiWrite.Patch(
                ResourceType.LEASE,
                settings.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", Tree.of("resourceVersion", before.resourceVersion()))
                        .put("spec", after.spec(now.time()))
                        .mapping());
    }

    private ApiWrite create(Moment now) {
        var metadata =
                Tree.of("name", settings.name().name())
                        .put("namespace", settings.name().namespace());
        if (!settings.labels().isEmpty()) {
            metadata.putTexts("labels", settings.labels());
        }
        var record =
                new LeaseRecord(
                        settings.identity(),
                        settings.lease().toSeconds(),
                        0,
                        LeaseRecord.text(now.time()),
                        "");
        return new ApiWrite.Create(
                ResourceType.LEASE,
                settings.name().namespace(),
                Tree.of("apiVersion", ResourceType.LEASE.apiVersion())
                        .put("kind", ResourceType.LEASE.kind())
                        .put("metadata", metadata)
                        .put("spec", record.spec(now.time()))
                        .mapping());
    }

    /// Takes in the answer to a write of ours that was sent at `sentAtNanos`. Without an answer it
    /// may have been done: the next reading tells.
    public Candidacy answered(ApiAnswer answer, long sentAtNanos, long nowNanos) {
        return switch (answer) {
            case ApiAnswer.Done(var lease) ->
                    new Candidacy(settings, LeaseRecord.of(lease), nowNanos, sentAtNanos, false);
            case ApiAnswer.Refused _, ApiAnswer.Unreachable _ ->
                    new Candidacy(settings, observed, observedAtNanos, renewedAtNanos, true);
        };
    }

    public Candidacy steppedDown() {
        return new Candidacy(settings, observed, observedAtNanos, null, true);
    }

    /// Takes in the answer to a release. Without one, or refused, it is to be tried again.
    public Candidacy released(ApiAnswer answer) {
        return switch (answer) {
            case ApiAnswer.Done(var lease) ->
                    new Candidacy(settings, LeaseRecord.of(lease), observedAtNanos, null, false);
            case ApiAnswer.Refused _, ApiAnswer.Unreachable _ -> steppedDown();
        };
    }

    /// Gives the Lease up for others to take at once; null when it is not ours as far as we know.
    /// To be sent only after everything that leads has ended.
    public @Nullable ApiWrite release(Moment now) {
        if (observed == null
                || observed.resourceVersion().isEmpty()
                || !observed.holder().equals(settings.identity())) {
            return null;
        }
        var free =
                new LeaseRecord(
                        "",
                        1,
                        observed.transitions(),
                        LeaseRecord.text(now.time()),
                        observed.resourceVersion());
        return patch(observed, free, now);
    }
}
