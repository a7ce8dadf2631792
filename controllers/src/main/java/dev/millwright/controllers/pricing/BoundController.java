package dev.millwright.controllers.pricing;

import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.controllers.provisioning.Market;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.FleetBound;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;

/// Tells how far the fleet is from the least that its pods could cost.
///
/// A look plans for every pod that runs, so that it comes at most once a minute, only when
/// something changed, and the more seldom the longer it takes.
public final class BoundController implements Singleton {

    private static final String NAME = "state.bound";
    private static final Duration PERIOD = Duration.ofMinutes(1);

    /// Prices change without an object.
    private static final Duration TRUSTED_FOR = Duration.ofMinutes(5);

    /// For each second of a look so many pass until the next: a fiftieth of a processor at most.
    private static final int REST = 49;

    private final ClusterState state;
    private final Catalogs catalogs;
    private final SchedulingPolicy policy;
    private final LongSupplier nanos;

    /// What the last look saw. There is one key, so that one step at a time comes here.
    private Look last = new Look(-1, Instant.EPOCH);

    private record Look(long revision, Instant at) {
        private boolean isTrusted(long now, Instant at) {
            return now == revision && at.isBefore(this.at.plus(TRUSTED_FOR));
        }
    }

    /// `nanos` measures how long a look takes, and how long the next can wait; the bound does not
    /// depend on it.
    public BoundController(
            ClusterState state, Catalogs catalogs, SchedulingPolicy policy, LongSupplier nanos) {
        this.state = state;
        this.catalogs = catalogs;
        this.policy = policy;
        this.nanos = nanos;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var revision = view.revision();
        if (last.isTrusted(revision, now)) {
            return Step.again(PERIOD);
        }
        last = new Look(revision, now);
        var begun = nanos.getAsLong();
        var bound =
                FleetBound.of(
                        Market.open(view, catalogs).problem(state.snapshot(view, now), policy));
        var took = Duration.ofNanos(nanos.getAsLong() - begun);
        var rest = took.multipliedBy(REST);
        return Step.of(
                        new Effect.Gauges(NAME, samples(bound)),
                        new Effect.Observe(
                                OwnFamilies.FLEET_BOUND_DURATION, took.toNanos() / 1e9, List.of()))
                .thenAgain(rest.compareTo(PERIOD) > 0 ? rest : PERIOD);
    }

    private static List<GaugeSample> samples(FleetBound bound) {
        return List.of(
                new GaugeSample(OwnFamilies.FLEET_PRICE, bound.pricePerHour(), List.of()),
                new GaugeSample(
                        OwnFamilies.FLEET_LOWER_BOUND, bound.lowerBoundPerHour(), List.of()),
                new GaugeSample(OwnFamilies.FLEET_GAP, bound.gap(), List.of()));
    }
}
