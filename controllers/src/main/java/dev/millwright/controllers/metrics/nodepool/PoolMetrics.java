package dev.millwright.controllers.metrics.nodepool;

import dev.millwright.controllers.metrics.Amounts;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Tells a pool's limits and what its status says it uses. Both stand in the pool: a look at each
/// change is enough, where Karpenter comes back every ten seconds.
public final class PoolMetrics implements Controller {

    private static final String NAME = "metrics.nodepool";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(Kind.NODE_POOL));
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pool = view.pool(key.name());
        var owner = NAME + "/" + key.name();
        return pool != null && view.isManaged(pool.pool().template().nodeClassRef())
                ? Step.of(new Effect.Gauges(owner, samples(pool)))
                : Step.of(new Effect.Gauges(owner, List.of()));
    }

    private static List<GaugeSample> samples(PoolObject pool) {
        var name = pool.name().name();
        var samples = new ArrayList<GaugeSample>();
        samples.addAll(
                Amounts.gauges(
                        Families.NODEPOOLS_LIMIT,
                        pool.pool().limits(),
                        resource -> List.of(resource, name)));
        samples.addAll(
                Amounts.gauges(
                        Families.NODEPOOLS_USAGE,
                        pool.status().resources(),
                        resource -> List.of(resource, name)));
        return samples;
    }
}
