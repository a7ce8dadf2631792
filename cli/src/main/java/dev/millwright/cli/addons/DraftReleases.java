package dev.millwright.cli.addons;

import dev.millwright.addons.object.ChartSource;
import dev.millwright.addons.port.Charts;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.addons.port.Marks;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.ReleaseReading;
import dev.millwright.addons.port.Storage;
import dev.millwright.addons.port.StoredRelease;
import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/// Helm's storage on workload clusters as it would be. A run is noted, taken to go well, and never
/// made.
final class DraftReleases implements HelmRuns, Storage, Charts {

    /// A run that would be made.
    ///
    /// @param before what it would find; null where there is no release
    /// @param contents what that was made from; null where nobody could say
    record Noted(Run run, @Nullable StoredRelease before, @Nullable Contents contents) {}

    /// Clusters that are asked at once.
    private static final int LOOKS_AT_ONCE = 16;

    private final ReleaseReading reading;
    private final InstantSource clock;
    private final Map<ObjectName, Look> looks = new ConcurrentHashMap<>();
    private final Map<Key, Result> results = new HashMap<>();
    private final Map<ChartSource, Newest> newest = new HashMap<>();
    private final List<Noted> noted = new ArrayList<>();

    DraftReleases(ReleaseReading reading, InstantSource clock) {
        this.reading = reading;
        this.clock = clock;
    }

    /// Asks many clusters at once, so that one that does not answer keeps no other waiting.
    void askAll(Collection<ObjectName> clusters) {
        try (var threads =
                Executors.newFixedThreadPool(
                        LOOKS_AT_ONCE, Thread.ofPlatform().daemon().factory())) {
            clusters.forEach(
                    each -> threads.execute(() -> looks.put(each, reading.releases(each))));
        }
    }

    List<Noted> noted() {
        return List.copyOf(noted);
    }

    @Override
    public Look look(ObjectName cluster, ObjectName proxy) {
        return looks.computeIfAbsent(cluster, reading::releases);
    }

    @Override
    public void changed(ObjectName cluster) {
        // The draft is the newest there is.
    }

    @Override
    public Newest newest(ChartSource source, ObjectName proxy) {
        return newest.computeIfAbsent(source, reading::newest);
    }

    @Override
    public boolean isUnderWay(Key key) {
        return false;
    }

    @Override
    public @Nullable Result take(Key key) {
        return results.remove(key);
    }

    @Override
    public void cancel(Key key) {
        results.remove(key);
    }

    @Override
    public void begin(Key key, Run run) {
        var proxy = run.proxy();
        var id = new ReleaseId(proxy.namespace(), proxy.releaseName());
        if (run instanceof Run.Inspect(_, var revision)) {
            results.put(
                    key,
                    switch (reading.contents(key.cluster(), id, revision)) {
                        case ReleaseReading.Answer.Found(var contents) ->
                                new Result.Inspected(contents);
                        case ReleaseReading.Answer.Failed(var trouble) ->
                                new Result.Failed(run, trouble);
                    });
            return;
        }
        var before = find(key.cluster(), id);
        noted.add(new Noted(run, before, before == null ? null : contents(key, id, before)));
        results.put(key, new Result.Done(run));
        switch (run) {
            case Run.Install(_, var deployment, _) -> store(key, deployed(id, before, deployment));
            case Run.Upgrade(_, var deployment) -> store(key, deployed(id, before, deployment));
            case Run.GiveUp(_, _) -> {
                if (before != null) {
                    store(key, with(before, "failed"));
                }
            }
            case Run.Uninstall(_) -> remove(key.cluster(), id);
            case Run.Inspect(_, _) -> {}
        }
    }

    private @Nullable StoredRelease find(ObjectName cluster, ReleaseId id) {
        return looks.get(cluster) instanceof Look.Seen seen ? seen.find(id) : null;
    }

    private @Nullable Contents contents(Key key, ReleaseId id, StoredRelease before) {
        return reading.contents(key.cluster(), id, before.revision())
                        instanceof ReleaseReading.Answer.Found(var contents)
                ? contents
                : null;
    }

    private StoredRelease deployed(
            ReleaseId id, @Nullable StoredRelease before, Deployment deployment) {
        var labels = new TreeMap<String, String>();
        labels.put(Marks.OWNER, deployment.owner());
        labels.put(Marks.WANTED, deployment.wanted());
        labels.put(Marks.RUN, deployment.run());
        return new StoredRelease(
                id,
                before == null ? 1 : before.revision() + 1,
                StoredRelease.DEPLOYED,
                clock.instant(),
                labels);
    }

    private StoredRelease with(StoredRelease before, String status) {
        return new StoredRelease(
                before.id(), before.revision(), status, clock.instant(), before.labels());
    }

    private void store(Key key, StoredRelease release) {
        if (looks.get(key.cluster()) instanceof Look.Seen(var releases)) {
            var changed = new TreeMap<>(releases);
            changed.put(release.id(), release);
            looks.put(key.cluster(), new Look.Seen(changed));
        }
    }

    private void remove(ObjectName cluster, ReleaseId id) {
        if (looks.get(cluster) instanceof Look.Seen(var releases)) {
            var changed = new TreeMap<>(releases);
            changed.remove(id);
            looks.put(cluster, new Look.Seen(changed));
        }
    }
}
