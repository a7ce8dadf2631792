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

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Helm that does at once what it is told, on clusters that are maps.
public final class FakeHelm implements HelmRuns, Storage, Charts, ValuesSecrets {

    private final InstantSource clock;
    private final Map<ObjectName, SequencedMap<ReleaseId, StoredRelease>> clusters =
            new HashMap<>();
    private final Map<String, Contents> contents = new HashMap<>();
    private final Map<Key, Result> results = new HashMap<>();
    private final Map<Key, Run> held = new HashMap<>();
    private final Map<ObjectName, String> unreachable = new HashMap<>();
    private final Map<ObjectName, String> secrets = new HashMap<>();
    private final List<Run> begun = new ArrayList<>();
    private String newest = "1.0.0";
    private @Nullable Trouble nextFailure;
    private boolean isHolding;

    public FakeHelm(InstantSource clock) {
        this.clock = clock;
    }

    /// Every run so far, in order.
    public List<Run> begun() {
        return List.copyOf(begun);
    }

    public void newest(String version) {
        newest = version;
    }

    public void secret(ObjectName name, String values) {
        secrets.put(name, values);
    }

    /// The next run comes to nothing.
    public void failNext(Trouble trouble) {
        nextFailure = trouble;
    }

    /// Runs are under way until [#finish].
    public void hold() {
        isHolding = true;
    }

    public void finish() {
        isHolding = false;
        Map.copyOf(held).forEach((key, run) -> results.put(key, result(key, run)));
        held.clear();
    }

    public void unreachable(ObjectName cluster, String message) {
        unreachable.put(cluster, message);
    }

    public void put(ObjectName cluster, StoredRelease release) {
        releases(cluster).put(release.id(), release);
    }

    /// What a revision of a release on the cluster holds.
    public void contents(ObjectName cluster, ReleaseId id, Contents held) {
        contents.put("%s %s %d".formatted(cluster, id, held.revision()), held);
    }

    public void remove(ObjectName cluster, ReleaseId id) {
        releases(cluster).remove(id);
    }

    public @Nullable StoredRelease find(ObjectName cluster, ReleaseId id) {
        return releases(cluster).get(id);
    }

    private SequencedMap<ReleaseId, StoredRelease> releases(ObjectName cluster) {
        return clusters.computeIfAbsent(cluster, _ -> new TreeMap<>());
    }

    @Override
    public Look look(ObjectName cluster, ObjectName proxy) {
        var message = unreachable.get(cluster);
        return message == null ? new Look.Seen(releases(cluster)) : new Look.Failed(message);
    }

    @Override
    public void changed(ObjectName cluster) {}

    @Override
    public Newest newest(ChartSource source, ObjectName proxy) {
        return new Newest.Version(newest);
    }

    @Override
    public Answer read(ObjectName secret, String key) {
        var values = secrets.get(secret);
        return values == null
                ? new Answer.Absent("Secret %s is not there".formatted(secret))
                : new Answer.Found(values);
    }

    @Override
    public boolean isUnderWay(Key key) {
        return held.containsKey(key);
    }

    @Override
    public void begin(Key key, Run run) {
        begun.add(run);
        if (isHolding) {
            held.put(key, run);
        } else {
            results.put(key, result(key, run));
        }
    }

    private Result result(Key key, Run run) {
        var failure = nextFailure;
        nextFailure = null;
        var id = new ReleaseId(run.proxy().namespace(), run.proxy().releaseName());
        if (failure != null) {
            return new Result.Failed(run, failure);
        }
        return switch (run) {
            case Run.Install(_, var deployment, _) -> deployed(key, run, id, deployment);
            case Run.Upgrade(_, var deployment) -> deployed(key, run, id, deployment);
            case Run.Uninstall(_) -> {
                remove(key.cluster(), id);
                yield new Result.Done(run);
            }
            case Run.GiveUp(_, var revision) -> {
                put(key.cluster(), stored(id, revision, "failed", Map.of()));
                yield new Result.Done(run);
            }
            case Run.Inspect(_, var revision) -> {
                var found = contents.get("%s %s %d".formatted(key.cluster(), id, revision));
                yield found == null
                        ? new Result.Failed(
                                run, new Trouble(Trouble.Cause.HELM, "no such revision"))
                        : new Result.Inspected(found);
            }
        };
    }

    private Result deployed(Key key, Run run, ReleaseId id, Deployment deployment) {
        var before = find(key.cluster(), id);
        var revision = before == null ? 1 : before.revision() + 1;
        put(
                key.cluster(),
                stored(
                        id,
                        revision,
                        StoredRelease.DEPLOYED,
                        Map.of(
                                Marks.OWNER,
                                deployment.owner(),
                                Marks.WANTED,
                                deployment.wanted(),
                                Marks.RUN,
                                deployment.run())));
        return new Result.Done(run);
    }

    /// A revision that is as old as now.
    public StoredRelease stored(
            ReleaseId id, long revision, String status, Map<String, String> labels) {
        return new StoredRelease(id, revision, status, clock.instant(), new TreeMap<>(labels));
    }

    @Override
    public @Nullable Result take(Key key) {
        return results.remove(key);
    }

    @Override
    public void cancel(Key key) {
        if (held.remove(key) != null) {
            results.put(
                    key, new Result.Broken(new Trouble(Trouble.Cause.HELM, "the run was ended")));
        }
    }
}
