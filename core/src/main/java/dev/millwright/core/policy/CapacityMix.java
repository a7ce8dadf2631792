package dev.millwright.core.policy;

import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.LabelKeys;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How many of a pool's nodes are to be on-demand: a base first, and a share of all that come on
/// top of it. The rest is spot.
public record CapacityMix(int onDemandBase, int spotPercent) {

    private static final int BASE_MAX = 100_000;
    private static final int PERCENT_MAX = 100;

    public CapacityMix {
        if (onDemandBase < 0 || spotPercent < 0 || spotPercent > PERCENT_MAX) {
            throw new IllegalArgumentException(
                    "base %d must not be negative, and percent %d be within 0 and 100"
                            .formatted(onDemandBase, spotPercent));
        }
    }

    /// What a pool's annotations say; no mix when they say nothing, or nothing that makes sense.
    public record Reading(@Nullable CapacityMix mix, List<String> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    /// A pool's nodes, those that are about to be launched included.
    public record Counts(int onDemand, int spot) {

        public static final Counts NONE = new Counts(0, 0);

        /// Capacity types other than these two count as neither.
        public Counts and(String capacityType) {
            return switch (capacityType) {
                case LabelKeys.CAPACITY_TYPE_ON_DEMAND -> new Counts(onDemand + 1, spot);
                case LabelKeys.CAPACITY_TYPE_SPOT -> new Counts(onDemand, spot + 1);
                default -> this;
            };
        }

        int all() {
            return onDemand + spot;
        }
    }

    /// A base alone leaves the rest to spot; a share alone has no base.
    public static Reading of(Map<String, String> annotations) {
        var problems = new ArrayList<String>();
        var base = number(annotations, ControlKeys.ON_DEMAND_BASE, BASE_MAX, problems);
        var percent = number(annotations, ControlKeys.SPOT_PERCENT, PERCENT_MAX, problems);
        return new Reading(
                base == null && percent == null
                        ? null
                        : new CapacityMix(
                                base == null ? 0 : base, percent == null ? PERCENT_MAX : percent),
                problems);
    }

    private static @Nullable Integer number(
            Map<String, String> annotations, String key, int max, List<String> problems) {
        var text = annotations.get(key);
        if (text == null) {
            return null;
        }
        var isNumber =
                !text.isEmpty()
                        && text.length() <= String.valueOf(max).length()
                        && text.chars().allMatch(each -> each >= '0' && each <= '9');
        if (isNumber && Integer.parseInt(text) <= max) {
            return Integer.parseInt(text);
        }
        problems.add(
                "metadata.annotations[%s]: found \"%s\"; wanted a whole number from 0 to %d"
                        .formatted(key, SpotReturn.shortened(text), max));
        return null;
    }

    /// What the next node is to be.
    public String next(Counts now) {
        return now.onDemand() < onDemandOf(now.all() + 1)
                ? LabelKeys.CAPACITY_TYPE_ON_DEMAND
                : LabelKeys.CAPACITY_TYPE_SPOT;
    }

    /// Whether fewer of these nodes might be on-demand.
    public boolean isOnDemandSpare(Counts now) {
        return now.onDemand() > onDemandOf(now.all());
    }

    /// Of so many nodes. Rounded up: what is promised to be on-demand is at least that.
    int onDemandOf(int nodes) {
        var above = Math.max(0, nodes - onDemandBase);
        var share = ((long) above * (PERCENT_MAX - spotPercent) + PERCENT_MAX - 1) / PERCENT_MAX;
        return (int) (Math.min(nodes, onDemandBase) + share);
    }

    /// What stands in for nodes that go, so that the mix stays: on-demand when one of them was.
    /// Null where it does not matter.
    public static @Nullable String inPlaceOf(List<String> capacityTypes) {
        if (capacityTypes.contains(LabelKeys.CAPACITY_TYPE_ON_DEMAND)) {
            return LabelKeys.CAPACITY_TYPE_ON_DEMAND;
        }
        return !capacityTypes.isEmpty()
                        && capacityTypes.stream().allMatch(LabelKeys.CAPACITY_TYPE_SPOT::equals)
                ? LabelKeys.CAPACITY_TYPE_SPOT
                : null;
    }
}
