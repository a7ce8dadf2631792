package dev.millwright.testing.kit.addons;

import dev.millwright.addons.object.ChartSource;
import dev.millwright.addons.port.Charts;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.addons.port.Marks;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.Storage;
import dev.millwright.addons.port.StoredRelease;
import dev.millwright.addons.port.Trouble;
import dev.millwright.addons.port.ValuesSecrets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.loop.Jobs;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Helm beside the loops as the real one is, with its bounds and its bell, for thousands of
/// clusters that are maps. One of them does not answer until it is let.
public final class PatientHelm implements HelmRuns, Storage, Charts, ValuesSecrets, AutoCloseable {

    /// As the real one has them: runs in all and on one cluster, looks in all.
    public static final int RUNS_MAX = 10;

    public static final int CLUSTER_RUNS_MAX = 3;
    private static final int LOOKS_MAX = 32;

    private final InstantSource clock;
    private final ObjectName silent;
    private final CountDownLatch answers = new CountDownLatch(1);
    private final Map<ObjectName, Map<ReleaseId, StoredRelease>> clusters =
            new ConcurrentHashMap<>();
    private final Jobs<Key, Result> runs;
    private final Jobs<LookKey, Look> looks;
    private final Map<ObjectName, AtomicInteger> under = new ConcurrentHashMap<>();
    private final AtomicInteger installs = new AtomicInteger();
    private final AtomicInteger others = new AtomicInteger();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger atOnceMost = new AtomicInteger();
    private final AtomicInteger onClusterMost = new AtomicInteger();

    /// A look is each proxy's own here, which is more than the real one takes.
    private record LookKey(ObjectName cluster, ObjectName proxy) {}

    /// @param silent the cluster that does not answer
    /// @param bell is rung with the names of release proxies
    public PatientHelm(InstantSource clock, ObjectName silent, Consumer<ObjectName> bell) {
        this.clock = clock;
        this.silent = silent;
        this.runs =
                new Jobs<>(
                        "run",
                        new Jobs.Bounds(RUNS_MAX, CLUSTER_RUNS_MAX),
                        key -> key.cluster().toString(),
                        bug -> new Result.Broken(trouble(bug)),
                        key -> bell.accept(key.proxy()));
        this.looks =
                new Jobs<>(
                        "look",
                        new Jobs.Bounds(LOOKS_MAX, 1),
                        key -> key.cluster().toString(),
                        bug -> new Look.Failed(String.valueOf(bug)),
                        key -> bell.accept(key.proxy()));
    }

    private static Trouble trouble(Throwable bug) {
        return new Trouble(Trouble.Cause.HELM, String.valueOf(bug));
    }

    /// From now on every cluster answers.
    public void answer() {
        answers.countDown();
    }

    public int installs() {
        return installs.get();
    }

    /// Runs that were no first installation.
    public int otherRuns() {
        return others.get();
    }

    public int runsAtOnceMost() {
        return atOnceMost.get();
    }

    public int runsOnOneClusterMost() {
        return onClusterMost.get();
    }

    private Map<ReleaseId, StoredRelease> releases(ObjectName cluster) {
        return clusters.computeIfAbsent(cluster, _ -> new ConcurrentHashMap<>());
    }

    @Override
    public Look look(ObjectName cluster, ObjectName proxy) {
        var key = new LookKey(cluster, proxy);
        var answer = looks.take(key);
        if (answer != null) {
            return answer;
        }
        looks.begin(
                key,
                () -> {
                    if (cluster.equals(silent)) {
                        answers.await();
                    }
                    return new Look.Seen(new TreeMap<>(releases(cluster)));
                });
        return new Look.UnderWay();
    }

    @Override
    public void changed(ObjectName cluster) {}

    @Override
    public Newest newest(ChartSource source, ObjectName proxy) {
        return new Newest.Version("1.0.0");
    }

    @Override
    public Answer read(ObjectName secret, String key) {
        return new Answer.Absent("Secret %s is not there".formatted(secret));
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
        runs.begin(key, () -> counted(key, run));
    }

    private Result counted(Key key, Run run) {
        var here = under.computeIfAbsent(key.cluster(), _ -> new AtomicInteger());
        atOnceMost.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        onClusterMost.accumulateAndGet(here.incrementAndGet(), Math::max);
        try {
            return done(key, run);
        } finally {
            here.decrementAndGet();
            atOnce.decrementAndGet();
        }
    }

    private Result done(Key key, Run run) {
        var id = new ReleaseId(run.proxy().namespace(), run.proxy().releaseName());
        switch (run) {
            case Run.Install(_, var deployment, _) -> {
                installs.incrementAndGet();
                var marks = new TreeMap<String, String>();
                marks.put(Marks.OWNER, deployment.owner());
                marks.put(Marks.WANTED, deployment.wanted());
                marks.put(Marks.RUN, deployment.run());
                releases(key.cluster())
                        .put(
                                id,
                                new StoredRelease(
                                        id, 1, StoredRelease.DEPLOYED, clock.instant(), marks));
            }
            case Run.Upgrade _, Run.Uninstall _, Run.Inspect _, Run.GiveUp _ ->
                    others.incrementAndGet();
        }
        return new Result.Done(run);
    }

    @Override
    public @Nullable Result take(Key key) {
        return runs.take(key);
    }

    @Override
    public void cancel(Key key) {
        runs.cancel(key);
    }

    @Override
    public void close() {
        answer();
        runs.close();
        looks.close();
    }
}
