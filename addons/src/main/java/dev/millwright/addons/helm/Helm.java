package dev.millwright.addons.helm;

import dev.millwright.addons.helm.HelmCommand.Outcome;
import dev.millwright.addons.helm.ManagementSecrets.Content;
import dev.millwright.addons.helm.Workloads.Found;
import dev.millwright.addons.object.ChartSource;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.port.Charts;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.Storage;
import dev.millwright.addons.port.Trouble;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.runtime.loop.Jobs;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/// Helm for release proxies: looks at what is stored, versions of charts, and runs, all beside the
/// loops. Whoever waits for one of them is rung when it is over.
public final class Helm implements HelmRuns, Storage, Charts, AutoCloseable {

    private static final Duration FAILURE_KEPT = Duration.ofSeconds(10);
    private static final Duration NEWEST_KEPT = Duration.ofSeconds(45);

    /// Looks at clusters at once. Each waits for a server, and those that do not answer wait long.
    private static final int LOOKS_MAX = 32;

    private static final int CLUSTERS_MAX = 5_000;
    private static final int FETCHES_MAX = 4;
    private static final int SOURCES_MAX = 1_000;

    /// Runs on one cluster at once: releases that do not depend on each other.
    private static final int CLUSTER_RUNS_MAX = 3;

    private static final Duration RUN_SLACK = Duration.ofMinutes(2);

    /// Helm bounds each of its waits, of which a run has several: hooks, objects, a way back.
    private static final int WAITS_MAX = 3;

    private static final int OUTPUT_MAX = 4 << 20;
    private static final String FAILED_LOOK = "it broke off: ";

    private final HelmSettings settings;
    private final HelmCommand command;
    private final ManagementSecrets secrets;
    private final ChartStore charts;
    private final Workloads workloads;
    private final Jobs<Key, Result> runs;
    private final SharedAnswers<ObjectName, Look> looks;
    private final SharedAnswers<ChartSource, Newest> newest;

    /// @param management where the proxies and the Secrets are
    /// @param bell is rung with the names of release proxies
    public Helm(
            HelmSettings settings,
            KubeApi management,
            InstantSource clock,
            Consumer<ObjectName> bell) {
        this.settings = settings;
        this.command = new HelmCommand(settings.binary());
        this.secrets = new ManagementSecrets(management);
        this.charts = new ChartStore(settings, secrets, clock);
        this.workloads = new Workloads(secrets, settings.directory(), clock);
        this.runs =
                new Jobs<>(
                        "helm-run",
                        new Jobs.Bounds(settings.atOnce(), CLUSTER_RUNS_MAX),
                        key -> key.cluster().toString(),
                        Helm::broken,
                        key -> bell.accept(key.proxy()));
        this.looks =
                new SharedAnswers<>(
                        "helm-look",
                        new SharedAnswers.Bounds(LOOKS_MAX, CLUSTERS_MAX),
                        failure -> new Look.Failed(FAILED_LOOK + failure),
                        look -> look instanceof Look.Seen ? settings.lookKept() : FAILURE_KEPT,
                        clock,
                        bell);
        this.newest =
                new SharedAnswers<>(
                        "helm-fetch",
                        new SharedAnswers.Bounds(FETCHES_MAX, SOURCES_MAX),
                        failure -> new Newest.Failed(trouble(FAILED_LOOK + failure)),
                        each -> each instanceof Newest.Version ? NEWEST_KEPT : FAILURE_KEPT,
                        clock,
                        bell);
    }

    private static Trouble trouble(String message) {
        return new Trouble(Trouble.Cause.HELM, message);
    }

    @Override
    public Look look(ObjectName cluster, ObjectName proxy) {
        var look = looks.ask(cluster, proxy, () -> workloads.releases(cluster));
        return look == null ? new Look.UnderWay() : look;
    }

    @Override
    public void changed(ObjectName cluster) {
        looks.forget(cluster);
    }

    @Override
    public Newest newest(ChartSource source, ObjectName proxy) {
        var answer = newest.ask(source, proxy, () -> charts.newest(source));
        return answer == null ? new Newest.UnderWay() : answer;
    }

    @Override
    public boolean isUnderWay(Key key) {
        return switch (runs.look(key)) {
            case Jobs.State.None<Result>(), Jobs.State.Over<Result>(_) -> false;
            case Jobs.State.Waiting<Result>(), Jobs.State.Running<Result>() -> true;
        };
    }

    @Override
    public void begin(Key key, Run run) {
        runs.begin(key, () -> done(key, run));
    }

    @Override
    public @Nullable Result take(Key key) {
        return runs.take(key);
    }

    @Override
    public void cancel(Key key) {
        runs.cancel(key);
    }

    private static Result broken(Throwable failure) {
        var what = failure instanceof InterruptedException ? "was ended" : "broke off: " + failure;
        return new Result.Broken(trouble("the run " + what));
    }

    private Result done(Key key, Run run) throws InterruptedException {
        try {
            return switch (run) {
                case Run.Inspect(var proxy, var revision) ->
                        inspected(run, workloads.contents(key.cluster(), id(proxy), revision));
                case Run.GiveUp(var proxy, var revision) ->
                        givenUp(run, workloads.giveUp(key.cluster(), id(proxy), revision));
                case Run.Install _, Run.Upgrade _, Run.Uninstall _ -> commanded(key, run);
            };
        } finally {
            if (!(run instanceof Run.Inspect)) {
                looks.forget(key.cluster());
            }
        }
    }

    private static ReleaseId id(ReleaseProxy proxy) {
        return new ReleaseId(proxy.namespace(), proxy.releaseName());
    }

    private static Result inspected(Run run, Found<Contents> found) {
        return switch (found) {
            case Found.Value<Contents>(var contents) -> new Result.Inspected(contents);
            case Found.Nothing<Contents>(var isKubeconfig, var message) ->
                    unreached(run, isKubeconfig, message);
        };
    }

    private static Result givenUp(Run run, Found<Boolean> found) {
        return switch (found) {
            case Found.Value<Boolean>(_) -> new Result.Done(run);
            case Found.Nothing<Boolean>(var isKubeconfig, var message) ->
                    unreached(run, isKubeconfig, message);
        };
    }

    private static Result unreached(Run run, boolean isKubeconfig, String message) {
        return new Result.Failed(
                run,
                new Trouble(isKubeconfig ? Trouble.Cause.KUBECONFIG : Trouble.Cause.HELM, message));
    }

    private Result commanded(Key key, Run run) throws InterruptedException {
        return switch (secrets.kubeconfig(key.cluster())) {
            case Content.Absent(var message) -> unreached(run, true, message);
            case Content.Found(var kubeconfig, _) -> {
                try (var scratch = new Scratch(settings.directory())) {
                    scratch.file("kubeconfig", kubeconfig);
                    yield commanded(run, scratch);
                }
            }
        };
    }

    private Result commanded(Run run, Scratch scratch) throws InterruptedException {
        return switch (run) {
            case Run.Install(var proxy, var deployment, var replaces) ->
                    deployed(
                            run,
                            deployment,
                            scratch,
                            files ->
                                    HelmArguments.install(
                                            id(proxy),
                                            proxy.options(),
                                            deployment,
                                            files,
                                            replaces));
            case Run.Upgrade(var proxy, var deployment) ->
                    deployed(
                            run,
                            deployment,
                            scratch,
                            files ->
                                    HelmArguments.upgrade(
                                            id(proxy), proxy.options(), deployment, files));
            case Run.Uninstall(var proxy) ->
                    helm(
                            run,
                            HelmArguments.uninstall(
                                    id(proxy), proxy.options(), scratch.path("kubeconfig")),
                            scratch,
                            Masking.NOTHING);
            case Run.Inspect _, Run.GiveUp _ ->
                    throw new IllegalArgumentException("%s is no command".formatted(run));
        };
    }

    /// The arguments of a run that has its files.
    @FunctionalInterface
    private interface Arguments {
        List<String> of(HelmArguments.Files files);
    }

    private Result deployed(Run run, Deployment deployment, Scratch scratch, Arguments arguments)
            throws InterruptedException {
        var source = run.proxy().source();
        var exact =
                new ChartSource(
                        source.repository(),
                        source.chart(),
                        deployment.version(),
                        source.credentials(),
                        source.authority(),
                        source.skipsVerification());
        return switch (charts.fetch(exact)) {
            case ChartStore.Answer.Failed(var trouble) -> new Result.Failed(run, trouble);
            case ChartStore.Answer.Found(var chart) -> {
                var files =
                        new HelmArguments.Files(
                                scratch.path("kubeconfig"),
                                scratch.file("registry.json", "{}"),
                                scratch.file("chart.tgz", chart.bytes()),
                                scratch.file("values.yaml", deployment.values()));
                var masking =
                        run.proxy().valuesSecret() == null
                                ? Masking.NOTHING
                                : Masking.ofText(deployment.values());
                yield helm(run, arguments.of(files), scratch, masking);
            }
        };
    }

    private Result helm(Run run, List<String> arguments, Scratch scratch, Masking masking)
            throws InterruptedException {
        var time = run.proxy().options().timeout().multipliedBy(WAITS_MAX).plus(RUN_SLACK);
        var outcome =
                command.run(
                        arguments,
                        scratch.path(),
                        settings.environment(),
                        new HelmCommand.Limits(time, settings.memoryBytesMax(), OUTPUT_MAX));
        if (outcome instanceof Outcome.Good) {
            return new Result.Done(run);
        }
        // Paths of files that are gone by now tell nobody anything.
        var words = ChartStore.words(outcome).replace(scratch.path() + "/", "");
        return new Result.Failed(run, trouble(masking.of(words)));
    }

    @Override
    public void close() {
        runs.close();
        looks.close();
        newest.close();
    }
}
