package dev.millwright.core.forecast;

import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.scheduling.Plan.WaitingPod;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What the operator would do from now on if nobody else did anything: its deeds in order, the
/// fleet before and after, and for every node that stays and every pod that waits at the end a
/// reason.
public record Forecast(
        Fleet before,
        Fleet after,
        List<Action> actions,
        SequencedMap<String, KeepReason> kept,
        List<WaitingPod> waiting,
        Ending ending) {

    /// The hours of a month, by which clouds count.
    public static final double HOURS_PER_MONTH = 730;

    /// The nodes that pools own at a moment, by name.
    ///
    /// The lower bound is proven: the pods that run cannot cost less on any fleet of these pools,
    /// fees of nodes included. No price contains a fee.
    public record Fleet(
            List<Purchase> nodes,
            int pods,
            int waiting,
            double nodeFeesPerHour,
            double lowerBoundPerHour) {
        public Fleet {
            nodes = List.copyOf(nodes);
        }

        public double pricePerHour() {
            return nodes.stream().mapToDouble(Purchase::pricePerHour).sum();
        }

        public double pricePerMonth() {
            return pricePerHour() * HOURS_PER_MONTH;
        }

        /// The price with the fees of the nodes.
        public double spendPerMonth() {
            return (pricePerHour() + nodeFeesPerHour) * HOURS_PER_MONTH;
        }
    }

    /// How far it was told.
    public sealed interface Ending {

        Duration after();

        /// Nothing more would be done.
        record Quiet(Duration after) implements Ending {}

        /// It would go on; so much was enough.
        record Unfinished(Duration after, String why) implements Ending {}
    }

    public Forecast {
        actions = List.copyOf(actions);
        kept = Collections.unmodifiableSequencedMap(new TreeMap<>(kept));
        waiting = List.copyOf(waiting);
    }

    public int evictions() {
        return actions.stream()
                .mapToInt(each -> each instanceof Action.Remove gone ? gone.evicted().size() : 0)
                .sum();
    }

    /// Fees of nodes included.
    public double savedPerMonth() {
        return before.spendPerMonth() - after.spendPerMonth();
    }
}
