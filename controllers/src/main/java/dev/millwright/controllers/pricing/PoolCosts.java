package dev.millwright.controllers.pricing;

import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Meta;
import dev.millwright.spi.CatalogAnswer;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the machines of each pool cost by the hour, at the prices of the moment.
///
/// `perHour` has the pools with at least one machine that says what it is, `shares` the same by how
/// machines were bought; `unknown` has, for each such pool, what has no price. Those count nothing.
public record PoolCosts(
        SequencedMap<String, Double> perHour,
        SequencedMap<PoolCosts.Share, Double> shares,
        SequencedMap<String, SequencedSet<PoolCosts.Bought>> unknown) {

    /// The machines of a pool that were bought alike. There are no more than pools times the
    /// capacity types of a catalogue: what has no price has no share.
    public record Share(String nodePool, String capacityType) implements Comparable<Share> {

        private static final Comparator<Share> ORDER =
                Comparator.comparing(Share::nodePool).thenComparing(Share::capacityType);

        @Override
        public int compareTo(Share other) {
            return ORDER.compare(this, other);
        }
    }

    /// A way a machine was bought.
    public record Bought(String instanceType, String zone, String capacityType)
            implements Comparable<Bought> {

        private static final Comparator<Bought> ORDER =
                Comparator.comparing(Bought::instanceType)
                        .thenComparing(Bought::zone)
                        .thenComparing(Bought::capacityType);

        @Override
        public int compareTo(Bought other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return "%s (%s, %s)".formatted(instanceType, zone, capacityType);
        }

        /// Null while the claim does not say all of it.
        static @Nullable Bought of(Meta meta) {
            var bought =
                    new Bought(
                            meta.label(LabelKeys.INSTANCE_TYPE),
                            meta.label(LabelKeys.ZONE),
                            meta.label(LabelKeys.CAPACITY_TYPE));
            var isWhole =
                    !bought.instanceType().isEmpty()
                            && !bought.zone().isEmpty()
                            && !bought.capacityType().isEmpty();
            return isWhole ? bought : null;
        }
    }

    public PoolCosts {
        perHour = Collections.unmodifiableSequencedMap(new TreeMap<>(perHour));
        shares = Collections.unmodifiableSequencedMap(new TreeMap<>(shares));
        unknown = Collections.unmodifiableSequencedMap(new TreeMap<>(unknown));
    }

    /// Grows with claims, and with the types of pools that have some.
    public static PoolCosts of(View view, Catalogs catalogs) {
        var counts = new TreeMap<String, TreeMap<Bought, Integer>>();
        for (var claim : view.claims()) {
            var bought = Bought.of(claim.meta());
            if (bought != null && isCounted(view, claim)) {
                counts.computeIfAbsent(claim.nodePool(), _ -> new TreeMap<>())
                        .merge(bought, 1, Integer::sum);
            }
        }
        var perHour = new TreeMap<String, Double>();
        var shares = new TreeMap<Share, Double>();
        var unknown = new TreeMap<String, SequencedSet<Bought>>();
        counts.forEach(
                (pool, ways) -> {
                    var prices = prices(view, catalogs, pool, ways.keySet());
                    var sum = 0.0;
                    var missing = new TreeSet<Bought>();
                    for (var way : ways.entrySet()) {
                        var price = prices.get(way.getKey());
                        if (price == null) {
                            missing.add(way.getKey());
                        } else {
                            sum += price * way.getValue();
                            shares.merge(
                                    new Share(pool, way.getKey().capacityType()),
                                    price * way.getValue(),
                                    Double::sum);
                        }
                    }
                    perHour.put(pool, sum);
                    if (!missing.isEmpty()) {
                        unknown.put(pool, missing);
                    }
                });
        return new PoolCosts(perHour, shares, unknown);
    }

    /// What the claim's machine costs by the hour; null while it does not say what it is, or where
    /// nobody knows a price.
    public static @Nullable Double perHour(View view, Catalogs catalogs, ClaimObject claim) {
        var bought = Bought.of(claim.meta());
        return bought == null || !isCounted(view, claim)
                ? null
                : prices(view, catalogs, claim.nodePool(), Set.of(bought)).get(bought);
    }

    private static boolean isCounted(View view, ClaimObject claim) {
        return !claim.nodePool().isEmpty() && view.isManaged(claim.spec().nodeClassRef());
    }

    /// The first offering of a kind tells its price, available or not.
    private static Map<Bought, Double> prices(
            View view, Catalogs catalogs, String name, Set<Bought> ways) {
        var bought = new HashSet<String>();
        ways.forEach(way -> bought.add(way.instanceType()));
        var pool = view.pool(name);
        List<InstanceType> types =
                pool != null && catalogs.of(pool.pool()) instanceof CatalogAnswer.Types(var found)
                        ? found
                        : List.of();
        var prices = new HashMap<Bought, Double>();
        for (var type : types) {
            if (!bought.contains(type.name())) {
                continue;
            }
            for (var offering : type.offerings()) {
                prices.putIfAbsent(
                        new Bought(type.name(), offering.zone(), offering.capacityType()),
                        offering.pricePerHour());
            }
        }
        return prices;
    }
}
