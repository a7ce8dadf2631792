package dev.millwright.controllers.pricing;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.pricing.PoolCosts.Bought;
import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Tells what pools cost, as a whole and by how machines were bought. What has no price is told
/// once.
public final class PricingController implements Singleton {

    private static final Duration RECHECK = Duration.ofSeconds(10);

    private final Catalogs catalogs;
    private final ToldPrices told;

    public PricingController(Catalogs catalogs, ToldPrices told) {
        this.catalogs = catalogs;
        this.told = told;
    }

    @Override
    public String name() {
        return "state.pricing";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var costs = PoolCosts.of(view, catalogs);
        var samples = new ArrayList<GaugeSample>();
        costs.perHour()
                .forEach(
                        (pool, cost) ->
                                samples.add(
                                        new GaugeSample(
                                                Families.NODEPOOLS_COST, cost, List.of(pool))));
        costs.shares()
                .forEach(
                        (share, cost) ->
                                samples.add(
                                        new GaugeSample(
                                                OwnFamilies.POOL_PRICE,
                                                cost,
                                                List.of(share.nodePool(), share.capacityType()))));
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Gauges(name(), samples));
        for (var unknown : told.untold(costs)) {
            effects.add(
                    new Effect.Count(Families.NODEPOOLS_COST_TRACKER_ERRORS, unknown.nodePool()));
            effects.add(said(unknown.nodePool(), unknown.bought()));
        }
        return Step.of(effects).thenAgain(RECHECK);
    }

    private static Effect said(String pool, Bought bought) {
        return new Effect.Say(
                LogLevel.ERROR,
                "price is not known, node counts as free",
                "NodePool",
                pool,
                "instanceType",
                bought.instanceType(),
                "zone",
                bought.zone(),
                "capacityType",
                bought.capacityType());
    }
}
