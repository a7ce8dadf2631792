package dev.millwright.core.policy;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.LabelVocabulary;

import java.util.List;

/// The operator's choices that a plan depends on. `nodeFeePerHour` is what a node costs beside its
/// machine, where its pool does not say.
public record SchedulingPolicy(
        Preferences preferences,
        MinValues minValues,
        Reservations reservations,
        boolean ignoresResourceClaims,
        Packing packing,
        long effort,
        List<SpreadConstraint> defaultSpread,
        UnsupportedStorage unsupportedStorage,
        LabelVocabulary vocabulary,
        double nodeFeePerHour) {

    /// Whether wishes (preferred affinities, soft spread) are tried before they are given up.
    public enum Preferences {
        RESPECT,
        IGNORE
    }

    /// What happens when fewer values remain than a pool's minValues asks for.
    public enum MinValues {
        STRICT,
        BEST_EFFORT
    }

    /// How reserved capacity is used. `STRICT` waits for a reservation that another claim of the
    /// pass may give back; `FALLBACK` buys otherwise at once; `OFF` does not look at reservations.
    public enum Reservations {
        STRICT,
        FALLBACK,
        OFF
    }

    /// Volumes the provider cannot attach: pods that need them are not planned for.
    public record UnsupportedStorage(List<String> drivers, List<String> topologyKeys) {
        public static final UnsupportedStorage NONE = new UnsupportedStorage(List.of(), List.of());

        public UnsupportedStorage {
            drivers = List.copyOf(drivers);
            topologyKeys = List.copyOf(topologyKeys);
        }
    }

    /// How pods are packed: as Karpenter does, or into the cheapest fleet found.
    public enum Packing {
        FIRST_FIT("first-fit"),
        CHEAPEST("cheapest");

        private final String text;

        Packing(String text) {
            this.text = text;
        }

        /// As flags, chart values and answers spell it.
        public String text() {
            return text;
        }
    }

    /// Steps of search per second of time limit. Steps are counted, not timed, so that a plan is
    /// the same on every machine.
    public static final long EFFORT_PER_SECOND = 1_000_000L;

    /// Every command plans by it unless a flag or a file says otherwise.
    public static final SchedulingPolicy DEFAULT =
            new SchedulingPolicy(
                    Preferences.RESPECT,
                    MinValues.STRICT,
                    Reservations.STRICT,
                    true,
                    Packing.CHEAPEST,
                    4 * EFFORT_PER_SECOND,
                    List.of(),
                    UnsupportedStorage.NONE,
                    LabelVocabulary.CORE,
                    0);

    public SchedulingPolicy {
        defaultSpread = List.copyOf(defaultSpread);
        if (effort < 0) {
            throw new IllegalArgumentException("effort %d must not be negative".formatted(effort));
        }
        if (!(nodeFeePerHour >= 0)) {
            throw new IllegalArgumentException(
                    "node fee %s must not be negative".formatted(nodeFeePerHour));
        }
    }

    public SchedulingPolicy withPacking(Packing other) {
        return new SchedulingPolicy(
                preferences,
                minValues,
                reservations,
                ignoresResourceClaims,
                other,
                effort,
                defaultSpread,
                unsupportedStorage,
                vocabulary,
                nodeFeePerHour);
    }

    public SchedulingPolicy withPreferences(Preferences other) {
        return new SchedulingPolicy(
                other,
                minValues,
                reservations,
                ignoresResourceClaims,
                packing,
                effort,
                defaultSpread,
                unsupportedStorage,
                vocabulary,
                nodeFeePerHour);
    }

    public SchedulingPolicy withMinValues(MinValues other) {
        return new SchedulingPolicy(
                preferences,
                other,
                reservations,
                ignoresResourceClaims,
                packing,
                effort,
                defaultSpread,
                unsupportedStorage,
                vocabulary,
                nodeFeePerHour);
    }

    public SchedulingPolicy withReservations(Reservations other) {
        return new SchedulingPolicy(
                preferences,
                minValues,
                other,
                ignoresResourceClaims,
                packing,
                effort,
                defaultSpread,
                unsupportedStorage,
                vocabulary,
                nodeFeePerHour);
    }

    public SchedulingPolicy withEffort(long other) {
        return new SchedulingPolicy(
                preferences,
                minValues,
                reservations,
                ignoresResourceClaims,
                packing,
                other,
                defaultSpread,
                unsupportedStorage,
                vocabulary,
                nodeFeePerHour);
    }

    public SchedulingPolicy withDefaultSpread(List<SpreadConstraint> constraints) {
        return new SchedulingPolicy(
                preferences,
                minValues,
                reservations,
                ignoresResourceClaims,
                packing,
                effort,
                constraints,
                unsupportedStorage,
                vocabulary,
                nodeFeePerHour);
    }

    public SchedulingPolicy withUnsupportedStorage(UnsupportedStorage other) {
        return new SchedulingPolicy(
                preferences,
                minValues,
                reservations,
                ignoresResourceClaims,
                packing,
                effort,
                defaultSpread,
                other,
                vocabulary,
                nodeFeePerHour);
    }

    public SchedulingPolicy withVocabulary(LabelVocabulary other) {
        return new SchedulingPolicy(
                preferences,
                minValues,
                reservations,
                ignoresResourceClaims,
                packing,
                effort,
                defaultSpread,
                unsupportedStorage,
                other,
                nodeFeePerHour);
    }

    public SchedulingPolicy withNodeFee(double perHour) {
        return new SchedulingPolicy(
                preferences,
                minValues,
                reservations,
                ignoresResourceClaims,
                packing,
                effort,
                defaultSpread,
                unsupportedStorage,
                vocabulary,
                perHour);
    }
}
