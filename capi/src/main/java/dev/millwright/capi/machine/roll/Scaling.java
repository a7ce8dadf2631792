package dev.millwright.capi.machine.roll;

import dev.millwright.capi.machine.roll.RollPlan.Resize;
import dev.millwright.capi.machine.roll.RollPlan.Sets;
import dev.millwright.capi.machine.roll.RollPlan.Settled;
import dev.millwright.capi.machine.roll.RollPlan.Size;
import dev.millwright.capi.machine.roll.RollPlan.Strategy;
import dev.millwright.capi.machine.roll.RollPlan.Wait;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Another number of machines for the whole deployment, shared out among the sets it has, so that a
/// rollout under way goes on where it was.
final class Scaling {

    private Scaling() {}

    static boolean isDue(Bounds bounds, Sets sets) {
        return sets.active().stream()
                .anyMatch(set -> set.desired() != null && set.desired() != bounds.replicas());
    }

    static RollPlan plan(Strategy strategy, Bounds bounds, Sets sets) {
        var active = sets.active();
        if (active.size() == 1) {
            return new Resize(List.of(alone(active.getFirst(), bounds, sets)));
        }
        return switch (strategy) {
            case ROLLING_UPDATE -> new Resize(inProportion(bounds, sets));
            // The old ones go down to nothing by themselves, then the newest gets the number.
            case RECREATE ->
                    new Resize(
                            active.stream()
                                    .map(set -> new Size(set.name(), set.wanted()))
                                    .toList());
        };
    }

    /// A deployment that is paused changes its number of machines, but not their template.
    static RollPlan paused(Strategy strategy, Bounds bounds, Sets sets) {
        if (isDue(bounds, sets)) {
            return plan(strategy, bounds, sets);
        }
        var lone = lone(sets);
        if (lone != null) {
            var size = alone(lone, bounds, sets);
            return size.replicas() == lone.wanted() ? new Settled() : new Resize(List.of(size));
        }
        return new Wait("paused");
    }

    /// The only set that has a number, else the one that should have; null when several have.
    private static @Nullable SetCount lone(Sets sets) {
        var active = sets.active();
        if (active.size() > 1 || sets.all().isEmpty()) {
            return null;
        }
        return active.isEmpty() ? sets.all().getLast() : active.getFirst();
    }

    /// Others may still have machines on their way out.
    private static Size alone(SetCount set, Bounds bounds, Sets sets) {
        var room = Math.max(0, bounds.most() - (sets.occupied() - set.occupied()));
        return new Size(
                set.name(),
                bounds.replicas() <= set.wanted()
                        ? bounds.replicas()
                        : Math.max(set.wanted(), Math.min(bounds.replicas(), room)));
    }

    private static List<Size> inProportion(Bounds bounds, Sets sets) {
        var change = bounds.allowed() - sets.occupied();
        var sizes = new LinkedHashMap<String, Integer>();
        var ordered = ordered(sets.active(), change > 0);
        var given = 0;
        for (var set : ordered) {
            var part = part(set, bounds);
            var left = change - given;
            var taken =
                    change > 0
                            ? Math.clamp(part, 0, Math.max(0, left))
                            : Math.clamp(part, Math.min(0, left), 0);
            sizes.put(set.name(), set.wanted() + taken);
            given += taken;
        }
        var first = ordered.getFirst().name();
        sizes.merge(first, change - given, (size, rest) -> Math.max(0, size + rest));
        return safely(bounds, sets, ordered, sizes);
    }

    /// The largest first; of equal ones the newest grows and the oldest shrinks first.
    private static List<SetCount> ordered(List<SetCount> oldestFirst, boolean isGrowing) {
        var ordered = new ArrayList<>(isGrowing ? oldestFirst.reversed() : oldestFirst);
        ordered.sort(Comparator.comparingInt(SetCount::wanted).reversed());
        return ordered;
    }

    /// What a set gains or loses when it keeps its part of the whole.
    private static int part(SetCount set, Bounds bounds) {
        if (bounds.replicas() == 0) {
            return -set.wanted();
        }
        var before = set.most() == null || set.most() <= 0 ? bounds.most() : set.most();
        var after = Math.round((double) set.wanted() * bounds.most() / before);
        return (int) Math.min(Integer.MAX_VALUE, after) - set.wanted();
    }

    /// Kubernetes shrinks a set whatever its machines do. Here what is available is cut only as far
    /// as it can be spared; the rollout takes the rest away later.
    private static List<Size> safely(
            Bounds bounds,
            Sets sets,
            List<SetCount> ordered,
            SequencedMap<String, Integer> wanted) {
        var spare = Math.max(0, sets.safe() - bounds.least());
        var sizes = new ArrayList<Size>();
        for (var set : ordered) {
            int size = wanted.getOrDefault(set.name(), set.wanted());
            var lost = Math.max(0, set.safe() - Math.min(set.available(), size));
            var spared = Math.min(lost, spare);
            spare -= spared;
            sizes.add(new Size(set.name(), lost > spared ? set.safe() - spared : size));
        }
        return sizes;
    }
}
