package dev.millwright.addons.release;

import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.port.HelmRuns.Contents;
import dev.millwright.addons.port.Marks;
import dev.millwright.addons.port.StoredRelease;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// What is to be done about a release, from what is stored and what is wanted.
sealed interface Decision {

    /// All is as it should be.
    record Nothing() implements Decision {}

    /// @param replaces whether a history without a release stands in its place
    record Install(boolean replaces) implements Decision {}

    record Upgrade(String why) implements Decision {}

    /// Only the contents tell whether somebody else's revision is as good as ours.
    record Inspect(long revision) implements Decision {}

    /// A run that died left the revision pending.
    record GiveUp(long revision) implements Decision {}

    /// Somebody's run may still be at it, until then at the latest.
    record Wait(Instant until) implements Decision {}

    /// Somebody's removal was left half done.
    record Finish() implements Decision {}

    /// It is somebody else's.
    record Refuse(String message) implements Decision {}

    /// What a run of somebody else may last beyond the time its options give it.
    Duration STALE_AFTER = Duration.ofMinutes(1);

    static Decision of(
            ReleaseProxy proxy,
            @Nullable StoredRelease stored,
            Wanted wanted,
            @Nullable Contents contents,
            Situation situation) {
        if (proxy.isInstalledOnce() && proxy.wasInstalled()) {
            return new Nothing();
        }
        if (stored == null || stored.isUninstalled()) {
            return new Install(stored != null);
        }
        if (!isOurs(proxy, stored, situation.owner()) && !proxy.options().takesOwnership()) {
            return new Refuse(
                    "release %s is there already and was not made by this proxy; uninstall it, choose another releaseName, or set options.takeOwnership"
                            .formatted(stored.id()));
        }
        if (stored.isPending()) {
            return pending(proxy, stored, situation);
        }
        if (stored.isUninstalling()) {
            var until = stored.changedAt().plus(proxy.options().timeout()).plus(STALE_AFTER);
            return situation.now().isBefore(until) ? new Wait(until) : new Finish();
        }
        return stored.isDeployed()
                ? deployed(proxy, stored, wanted, contents)
                : new Upgrade("the release is " + stored.status());
    }

    /// Who looks, and when.
    record Situation(String owner, Instant now) {}

    /// A release is ours when it bears our mark, or when the proxy has seen it deployed: that is
    /// how one is known that another operator made for the same proxy.
    static boolean isOurs(ReleaseProxy proxy, StoredRelease stored, String owner) {
        return stored.label(Marks.OWNER).equals(owner)
                || proxy.revision() > 0
                || proxy.wasInstalled();
    }

    /// Helm hands marks on to revisions of others, so the run's mark names its revision too. We
    /// lead alone, and no run of ours is under way: one of ours that is pending is dead.
    private static Decision pending(ReleaseProxy proxy, StoredRelease stored, Situation situation) {
        if (isOfOurRun(stored)) {
            return new GiveUp(stored.revision());
        }
        var until = stored.changedAt().plus(proxy.options().timeout()).plus(STALE_AFTER);
        return situation.now().isBefore(until) ? new Wait(until) : new GiveUp(stored.revision());
    }

    private static boolean isOfOurRun(StoredRelease stored) {
        return stored.label(Marks.RUN).endsWith("." + stored.revision());
    }

    private static Decision deployed(
            ReleaseProxy proxy, StoredRelease stored, Wanted wanted, @Nullable Contents contents) {
        var mark = stored.label(Marks.WANTED);
        if (!mark.isEmpty() && !mark.equals(wanted.digest())) {
            return new Upgrade("the chart's version, its values or the options are others");
        }
        if (!mark.isEmpty() && (stored.revision() == proxy.revision() || isOfOurRun(stored))) {
            return new Nothing();
        }
        if (contents == null || contents.revision() != stored.revision()) {
            return new Inspect(stored.revision());
        }
        return wanted.isHeldBy(contents, proxy.options().upgrade().keepsOldValues())
                ? new Nothing()
                : new Upgrade("revision %d is not ours".formatted(stored.revision()));
    }
}
