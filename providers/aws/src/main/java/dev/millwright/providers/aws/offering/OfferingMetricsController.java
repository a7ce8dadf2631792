package dev.millwright.providers.aws.offering;

import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.instancetype.TypeFamilies;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CatalogAnswer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Tells by gauges which offerings there are and what they cost. An offering is available when it
/// is to any pool; of several prices the last pool's is told.
public final class OfferingMetricsController implements Singleton {

    private static final Duration EVERY = Duration.ofMinutes(1);

    private final Catalogs catalogs;
    private final boolean isReservedCapacityOn;

    public OfferingMetricsController(Catalogs catalogs, boolean isReservedCapacityOn) {
        this.catalogs = catalogs;
        this.isReservedCapacityOn = isReservedCapacityOn;
    }

    @Override
    public String name() {
        return "cloudprovider.metrics";
    }

    private record Place(String type, String capacityType, String zone)
            implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            return labels().toString().compareTo(other.labels().toString());
        }

        List<String> labels() {
            return List.of(type, capacityType, zone);
        }
    }

    private record Told(boolean isAvailable, double price) {

        static final Told NOTHING = new Told(false, 0);

        Told and(boolean isMoreAvailable, double newerPrice) {
            return new Told(isAvailable || isMoreAvailable, newerPrice);
        }
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var told = new TreeMap<Place, Told>();
        var effects = new ArrayList<Effect>();
        for (var pool : view.pools()) {
            if (!view.isManaged(pool.pool().template().nodeClassRef())) {
                continue;
            }
            switch (catalogs.of(pool.pool())) {
                case CatalogAnswer.Types(var types) -> types.forEach(type -> tell(told, type));
                case CatalogAnswer.Unevaluated() -> {}
                case CatalogAnswer.Failed(var message) ->
                        effects.add(untold(pool.pool().name(), message));
            }
        }
        effects.add(new Effect.Gauges(name(), samples(told)));
        return Step.of(effects).thenAgain(EVERY);
    }

    /// Told each time we look, not sooner again: a class that has no subnets yet is nothing
    /// unusual, and its conditions say what it waits for.
    private static Effect untold(String pool, String why) {
        return new Effect.Say(
                LogLevel.INFO,
                "the offerings of a NodePool are not told by gauges yet",
                "NodePool",
                pool,
                "reason",
                why);
    }

    private void tell(SequencedMap<Place, Told> told, InstanceType type) {
        for (var offering : type.offerings()) {
            told.merge(
                    new Place(type.name(), offering.capacityType(), offering.zone()),
                    Told.NOTHING.and(offering.isAvailable(), offering.pricePerHour()),
                    (before, latest) -> before.and(latest.isAvailable(), latest.price()));
            if (isReservedCapacityOn) {
                told.putIfAbsent(
                        new Place(type.name(), LabelKeys.CAPACITY_TYPE_RESERVED, offering.zone()),
                        Told.NOTHING);
            }
        }
    }

    private static List<GaugeSample> samples(SequencedMap<Place, Told> told) {
        var samples = new ArrayList<GaugeSample>();
        told.forEach(
                (place, found) -> {
                    samples.add(
                            new GaugeSample(
                                    TypeFamilies.OFFERING_AVAILABLE,
                                    found.isAvailable() ? 1 : 0,
                                    place.labels()));
                    samples.add(
                            new GaugeSample(
                                    TypeFamilies.OFFERING_PRICE, found.price(), place.labels()));
                });
        return samples;
    }
}
