package dev.millwright.controllers.metrics.sync;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Tells how many machines are known and for how long the cloud has owed an answer. While it owes
/// one, no node is launched and none removed: after a while a person must know.
public final class SyncMetrics implements Singleton {

    private static final String NAME = "metrics.clusterstate";
    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration REPEAT = Duration.ofSeconds(10);

    private static final List<Kind<?>> COUNTED = List.of(Kind.NODE_CLAIM, Kind.NODE);

    /// Claims that a line names.
    private static final int NAMED_MAX = 5;

    /// There is one key, so that one step at a time comes here.
    private @Nullable Instant unsyncedSince;

    private @Nullable Instant toldAt;

    /// The state of the cluster that the gauges tell of.
    private long toldRevision = -1;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var revision = view.revision(COUNTED);
        if (revision == toldRevision && unsyncedSince == null) {
            return Step.again(PERIOD);
        }
        var unanswered = ClusterState.unanswered(view);
        var waited = waited(unanswered.isEmpty(), now);
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Gauges(
                        NAME,
                        List.of(
                                gauge(Families.CLUSTER_STATE_NODES, ClusterState.machines(view)),
                                gauge(Families.CLUSTER_STATE_SYNCED, unanswered.isEmpty() ? 1 : 0),
                                gauge(
                                        Families.CLUSTER_STATE_UNSYNCED_TIME,
                                        waited.toMillis() / 1e3))));
        toldRevision = revision;
        if (waited.compareTo(PATIENCE) > 0 && isTime(now)) {
            toldAt = now;
            effects.add(line(unanswered, waited));
        }
        return Step.of(effects).thenAgain(PERIOD);
    }

    private Duration waited(boolean isSynced, Instant now) {
        if (isSynced) {
            unsyncedSince = null;
            toldAt = null;
            return Duration.ZERO;
        }
        if (unsyncedSince == null) {
            unsyncedSince = now;
        }
        return Duration.between(unsyncedSince, now);
    }

    private boolean isTime(Instant now) {
        return toldAt == null || Duration.between(toldAt, now).compareTo(REPEAT) >= 0;
    }

    private static GaugeSample gauge(MetricFamily family, double value) {
        return new GaugeSample(family, value, List.of());
    }

    private static Effect line(List<ClaimObject> unanswered, Duration waited) {
        var names = unanswered.stream().limit(NAMED_MAX).map(claim -> claim.name().name()).toList();
        return new Effect.Say(
                LogLevel.ERROR,
                "waiting for nodeclaims without a providerID, no node is launched or removed",
                "durationSeconds",
                waited.toSeconds(),
                "nodeclaims",
                unanswered.size(),
                "first",
                String.join(", ", names));
    }
}
