package dev.millwright.world.story;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.invariant.Prices;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Counts what a world did. What happens once users delete everything costs and moves nothing that
/// anybody would mind: evictions and the price are those until then.
final class Figures implements Witness {

    private static final double MILLIS_PER_HOUR = 3.6e6;

    private final Prices prices;
    private final Instant start;
    private final Instant destroyedAt;
    private final Map<String, Double> priceById = new HashMap<>();
    private Instant lastAt;
    private double pricePerHour;
    private double cost;
    private long evictions;
    private long launches;
    private long terminations;
    private long pods;
    private long happenings;

    Figures(Prices prices, Instant start, Instant destroyedAt) {
        this.prices = prices;
        this.start = start;
        this.destroyedAt = destroyedAt;
        this.lastAt = start;
    }

    @Override
    public void saw(Happening happening) {
        happenings++;
        switch (happening) {
            case Happening.Evicted(var at, _, _, _, var answer) ->
                    evictions += answer.isDone() && at.isBefore(destroyedAt) ? 1 : 0;
            case Happening.Started(var at, var machine, _) -> {
                pass(at);
                launches++;
                priceById.put(machine.providerId(), prices.perHour(machine.labels()));
                pricePerHour = sum();
            }
            case Happening.Stopped(var at, var providerId, _) -> {
                pass(at);
                terminations++;
                priceById.remove(providerId);
                pricePerHour = sum();
            }
            case Happening.Changed(_, _, var type, var before, _) ->
                    pods += before == null && type.equals(ResourceType.POD) ? 1 : 0;
            case Happening.Asked _,
                    Happening.Noticed _,
                    Happening.Led _,
                    Happening.Acted _,
                    Happening.Said _,
                    Happening.Decided _,
                    Happening.Published _,
                    Happening.Struck _ -> {}
        }
    }

    /// Added up anew each time: a running sum would keep the rounding of machines long gone.
    private double sum() {
        return priceById.values().stream().mapToDouble(Double::doubleValue).sorted().sum();
    }

    private void pass(Instant at) {
        var until = earlier(at, destroyedAt);
        cost += pricePerHour * Duration.between(lastAt, until).toMillis() / MILLIS_PER_HOUR;
        lastAt = until;
    }

    long evictions() {
        return evictions;
    }

    long launches() {
        return launches;
    }

    long terminations() {
        return terminations;
    }

    long pods() {
        return pods;
    }

    long happenings() {
        return happenings;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /// What the machines cost an hour, on average over the time until then.
    double pricePerHourMean(Instant until) {
        pass(until);
        var millis = Duration.between(start, lastAt).toMillis();
        return millis == 0 ? 0 : cost * MILLIS_PER_HOUR / millis;
    }
}
