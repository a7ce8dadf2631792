package dev.millwright.providers.sim.cloud;

import dev.millwright.providers.sim.cloud.SimSettings.Capacity;
import dev.millwright.providers.sim.cloud.SimSettings.CapacityRule;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// How many machines of each offering are left.
final class Stock {

    /// @param isDry whether a rule's machines are all taken, so that one given back ends it
    private record Outage(Instant until, boolean isDry) {}

    private final Chance chance;
    private final Map<OfferingKey, Integer> taken = new HashMap<>();
    private final Map<OfferingKey, Outage> outages = new HashMap<>();
    private Capacity settings;

    Stock(Capacity settings, Chance chance) {
        this.settings = settings;
        this.chance = chance;
    }

    void change(Capacity next) {
        settings = next;
    }

    /// Takes a machine; false where none is left.
    boolean take(OfferingKey key, Instant now) {
        if (isOut(key, now)) {
            return false;
        }
        var rule = rule(key);
        if (rule != null && taken.getOrDefault(key, 0) >= rule.machines()) {
            outages.put(key, new Outage(now.plus(settings.outage()), true));
            return false;
        }
        if (chance.happens(settings.outageRate())) {
            close(key, now);
            return false;
        }
        taken.merge(key, 1, Integer::sum);
        return true;
    }

    private boolean isOut(OfferingKey key, Instant now) {
        var outage = outages.get(key);
        if (outage == null) {
            return false;
        }
        if (now.isBefore(outage.until())) {
            return true;
        }
        outages.remove(key);
        var rule = rule(key);
        if (outage.isDry() && rule != null && rule.recovers()) {
            taken.remove(key);
        }
        return false;
    }

    void giveBack(OfferingKey key) {
        taken.computeIfPresent(key, (_, count) -> count > 1 ? count - 1 : null);
        outages.computeIfPresent(key, (_, outage) -> outage.isDry() ? null : outage);
    }

    /// The cloud has none of this offering for a while.
    void close(OfferingKey key, Instant now) {
        outages.put(key, new Outage(now.plus(settings.outage()), false));
    }

    private @Nullable CapacityRule rule(OfferingKey key) {
        for (var rule : settings.rules()) {
            if (rule.matches(key)) {
                return rule;
            }
        }
        return null;
    }
}
