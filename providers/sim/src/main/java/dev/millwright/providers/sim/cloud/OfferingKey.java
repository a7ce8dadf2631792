package dev.millwright.providers.sim.cloud;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;

import java.util.Comparator;

/// What the simulated cloud has a stock of: a type, in a zone, bought one way.
record OfferingKey(String type, String zone, String capacityType)
        implements Comparable<OfferingKey> {

    private static final Comparator<OfferingKey> ORDER =
            Comparator.comparing(OfferingKey::type)
                    .thenComparing(OfferingKey::zone)
                    .thenComparing(OfferingKey::capacityType);

    static OfferingKey of(InstanceType type, Offering offering) {
        return new OfferingKey(type.name(), offering.zone(), offering.capacityType());
    }

    @Override
    public int compareTo(OfferingKey other) {
        return ORDER.compare(this, other);
    }
}
