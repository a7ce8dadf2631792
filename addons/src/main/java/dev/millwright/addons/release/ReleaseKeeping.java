package dev.millwright.addons.release;

import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.port.Charts;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.addons.port.HelmRuns.Deployment;
import dev.millwright.addons.port.HelmRuns.Result;
import dev.millwright.addons.port.HelmRuns.Run;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.Storage.Look;
import dev.millwright.addons.port.StoredRelease;
import dev.millwright.addons.port.Trouble;
import dev.millwright.addons.port.ValuesSecrets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// One look at a release that should be there: asks in turn what its last run came to, which chart
/// and values are wanted, and what is stored; then has done what is missing.
final class ReleaseKeeping {

    private static final Duration RETRY = Duration.ofSeconds(30);

    private final ReleaseProxy proxy;
    private final ReleasePorts ports;
    private final ReleaseMemory memory;
    private final ReleaseSettings settings;
    private final Instant now;

    ReleaseKeeping(
            ReleaseProxy proxy,
            ReleasePorts ports,
            ReleaseMemory memory,
            ReleaseSettings settings,
            Instant now) {
        this.proxy = proxy;
        this.ports = ports;
        this.memory = memory;
        this.settings = settings;
        this.now = now;
    }

    Step step() {
        if (proxy.isInstalledOnce() && proxy.wasInstalled()) {
            return report().step(); // Looked at by nobody any more; only the generation is new.
        }
        return Step.of(ReleaseController.progress(ports.runs(), proxy, this::afterRun));
    }

    private ReleaseReport report() {
        return new ReleaseReport(proxy, now);
    }

    private Step afterRun(RunProgress progress) {
        return switch (progress) {
            case RunProgress.UnderWay() -> Step.DONE.thenAgain(settings.lookEvery());
            case RunProgress.Idle() -> version();
            case RunProgress.Over(Result.Done(_)) -> {
                memory.succeeded(proxy.name());
                yield version();
            }
            case RunProgress.Over(Result.Inspected(var contents)) -> {
                memory.inspected(proxy.name(), contents);
                yield version();
            }
            case RunProgress.Over(Result.Failed(_, var trouble)) -> failed(trouble);
            case RunProgress.Over(Result.Broken(var trouble)) -> failed(trouble);
        };
    }

    private Step failed(Trouble trouble) {
        var failure = memory.failed(proxy.name(), now);
        return said(LogLevel.WARN, "a run of Helm failed", "error", trouble.message())
                .followedBy(ReleaseEvents.failed(proxy, AddonConditions.RUN_FAILED, trouble))
                .followedBy(report().trouble(trouble, AddonConditions.RUN_FAILED).step())
                .thenAgain(Duration.between(now, failure.retryAt()));
    }

    private Step said(LogLevel level, String message, Object... more) {
        var keyValues = new ArrayList<Object>();
        keyValues.addAll(
                List.of(
                        "HelmReleaseProxy",
                        proxy.name().toString(),
                        "Cluster",
                        proxy.cluster().toString(),
                        "release",
                        id().toString()));
        keyValues.addAll(List.of(more));
        return Step.of(new Effect.Say(level, message, List.copyOf(keyValues)));
    }

    private ReleaseId id() {
        return new ReleaseId(proxy.namespace(), proxy.releaseName());
    }

    private <A> Step ask(String what, Supplier<A> question, Function<A, Step> then) {
        return Step.of(new Effect.Ask<>(what + " of " + proxy.name(), Touch.READS, question, then));
    }

    private Step version() {
        if (proxy.source().isExact()) {
            return values(proxy.source().version());
        }
        return ask(
                "the chart's version",
                () -> ports.charts().newest(proxy.source(), proxy.name()),
                newest ->
                        switch (newest) {
                            case Charts.Newest.Version(var version) -> values(version);
                            case Charts.Newest.UnderWay() -> Step.DONE;
                            case Charts.Newest.Failed(var trouble) ->
                                    report().trouble(trouble, AddonConditions.RUN_FAILED)
                                            .step()
                                            .thenAgain(RETRY);
                        });
    }

    private Step values(String version) {
        var secret = proxy.valuesSecret();
        if (secret == null) {
            return look(Wanted.of(proxy, version, proxy.values()));
        }
        return ask(
                "the values",
                () ->
                        ports.values()
                                .read(
                                        new ObjectName(proxy.name().namespace(), secret.name()),
                                        secret.key()),
                answer ->
                        switch (answer) {
                            case ValuesSecrets.Answer.Found(var values) ->
                                    look(Wanted.of(proxy, version, values));
                            case ValuesSecrets.Answer.Absent(var message) ->
                                    report().trouble(
                                                    new Trouble(Trouble.Cause.VALUES, message),
                                                    AddonConditions.PREPARING)
                                            .step()
                                            .thenAgain(RETRY);
                        });
    }

    private Step look(Wanted wanted) {
        return ask(
                "the releases of the Cluster",
                () -> ports.storage().look(proxy.cluster(), proxy.name()),
                look ->
                        switch (look) {
                            case Look.Seen seen -> decided(wanted, seen.find(id()));
                            case Look.UnderWay() -> Step.DONE;
                            case Look.NoKubeconfig(var message) ->
                                    report().clusterUnavailable(
                                                    AddonConditions.KUBECONFIG_FAILED, message)
                                            .step()
                                            .thenAgain(RETRY);
                            case Look.Failed(var message) ->
                                    report().notReady(AddonConditions.GET_FAILED, message)
                                            .step()
                                            .thenAgain(RETRY);
                        });
    }

    /// The proxy's mark on its release: the same after a move to another management cluster, and
    /// for a proxy that was made anew.
    static String owner(ReleaseProxy proxy) {
        return Canonical.digest(
                proxy.name().namespace(), proxy.chartProxy(), proxy.cluster().toString());
    }

    private Step decided(Wanted wanted, @Nullable StoredRelease stored) {
        var decision =
                Decision.of(
                        proxy,
                        stored,
                        wanted,
                        memory.contents(proxy.name()),
                        new Decision.Situation(owner(proxy), now));
        return switch (decision) {
            case Decision.Nothing() -> deployed(stored);
            case Decision.Inspect(var revision) ->
                    begun(wanted, new Run.Inspect(proxy, revision), Step.DONE);
            case Decision.Install(var replaces) ->
                    changing(
                            wanted,
                            new Run.Install(proxy, deployment(wanted, stored), replaces),
                            report().stored(null)
                                    .notReady(AddonConditions.PREPARING, "Helm installs it"));
            case Decision.Upgrade(var why) ->
                    changing(
                            wanted,
                            new Run.Upgrade(proxy, deployment(wanted, stored)),
                            report().notReady(AddonConditions.PENDING, "Helm upgrades it: " + why));
            case Decision.GiveUp(var revision) ->
                    changing(
                            wanted,
                            new Run.GiveUp(proxy, revision),
                            report().stored(stored)
                                    .notReady(
                                            AddonConditions.PENDING,
                                            "revision %d was left by a run that died"
                                                    .formatted(revision)));
            case Decision.Finish() ->
                    changing(
                            wanted,
                            new Run.Uninstall(proxy),
                            report().stored(stored)
                                    .notReady(
                                            AddonConditions.PENDING,
                                            "a removal that was left half done is ended first"));
            case Decision.Wait(var until) ->
                    report().clusterAvailable()
                            .stored(stored)
                            .notReady(
                                    AddonConditions.PENDING,
                                    "somebody else's run of Helm may be at it until " + until)
                            .step()
                            .thenAgain(settings.lookEvery());
            case Decision.Refuse(var message) -> refused(message);
        };
    }

    /// Told once: as long as the condition says so already, nothing is new.
    private Step refused(String message) {
        var said = report().clusterAvailable().notReady(AddonConditions.RUN_FAILED, message).step();
        var told =
                said.equals(Step.DONE)
                        ? said
                        : said.followedBy(
                                ReleaseEvents.failed(
                                        proxy,
                                        AddonConditions.RUN_FAILED,
                                        new Trouble(Trouble.Cause.HELM, message)));
        return told.thenAgain(settings.lookEvery());
    }

    private Step deployed(@Nullable StoredRelease stored) {
        memory.succeeded(proxy.name());
        var reported = report().clusterAvailable().stored(stored).ready().step();
        var marked =
                proxy.wasInstalled()
                        ? Step.DONE
                        : Step.of(new Effect.Write(ReleaseWrites.installed(proxy)));
        return reported.followedBy(marked).thenAgain(settings.lookEvery());
    }

    private Deployment deployment(Wanted wanted, @Nullable StoredRelease stored) {
        var revision = stored == null ? 1 : stored.revision() + 1;
        return new Deployment(
                wanted.chartVersion(),
                wanted.values(),
                owner(proxy),
                wanted.digest(),
                settings.process() + "." + revision);
    }

    /// After a failure the same wish waits, and its condition stays.
    private Step changing(Wanted wanted, Run run, ReleaseReport report) {
        var wait = memory.waitFor(proxy.name(), wanted.digest(), now);
        if (wait != null) {
            return Step.again(wait);
        }
        var what =
                switch (run) {
                    case Run.Install _ -> "installing a release";
                    case Run.Upgrade _ -> "upgrading a release";
                    case Run.GiveUp _ -> "giving up a revision that a dead run left pending";
                    case Run.Uninstall _ -> "uninstalling a release";
                    case Run.Inspect _ -> "inspecting a release";
                };
        return begun(
                wanted,
                run,
                said(LogLevel.INFO, what)
                        .followedBy(ReleaseEvents.begun(run, wanted.chartVersion()))
                        .followedBy(report.clusterAvailable().step()));
    }

    private Step begun(Wanted wanted, Run run, Step before) {
        var key = HelmRuns.Key.of(proxy);
        return before.followedBy(
                Step.of(
                        new Effect.Ask<>(
                                "a run of Helm for " + proxy.name(),
                                Touch.CHANGES,
                                () -> {
                                    memory.begun(proxy.name(), wanted.digest());
                                    ports.runs().begin(key, run);
                                    return key;
                                },
                                _ -> Step.DONE)));
    }
}
