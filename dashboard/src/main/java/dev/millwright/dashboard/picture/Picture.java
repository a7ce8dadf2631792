package dev.millwright.dashboard.picture;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// All that is shown of a fleet at one moment. The page, the terminal and the summary show this
/// value and know nothing else, so that they cannot disagree.
///
/// Nodes stand in the order in which they came, so that a new one moves no other.
public record Picture(
        String title,
        Pace pace,
        boolean isFrozen,
        List<Node> nodes,
        Workload workload,
        Price price,
        Counters counters,
        List<Decision> decisions,
        List<Upcoming> upcoming) {

    public Picture {
        nodes = List.copyOf(nodes);
        decisions = List.copyOf(decisions);
        upcoming = List.copyOf(upcoming);
    }

    /// Of a fleet from which nothing is about to be taken.
    public Picture(
            String title,
            Pace pace,
            boolean isFrozen,
            List<Node> nodes,
            Workload workload,
            Price price,
            Counters counters,
            List<Decision> decisions) {
        this(title, pace, isFrozen, nodes, workload, price, counters, decisions, List.of());
    }

    /// A picture of nothing, to be shown until there is something.
    public static Picture empty(String title, Instant now) {
        return new Picture(
                title,
                new Pace(now, now, 1, false),
                false,
                List.of(),
                new Workload(List.of(), List.of()),
                new Price(0, 0, List.of()),
                Counters.NONE,
                List.of());
    }

    public Picture withTitle(String other) {
        return new Picture(
                other, pace, isFrozen, nodes, workload, price, counters, decisions, upcoming);
    }

    public Picture withPace(Pace other) {
        return new Picture(
                title, other, isFrozen, nodes, workload, price, counters, decisions, upcoming);
    }

    public Picture withPrice(Price other) {
        return new Picture(
                title, pace, isFrozen, nodes, workload, other, counters, decisions, upcoming);
    }

    public Picture withUpcoming(List<Upcoming> others) {
        return new Picture(
                title, pace, isFrozen, nodes, workload, price, counters, decisions, others);
    }

    /// Where the fleet's own time is, and how much faster than ours it runs.
    public record Pace(Instant startedAt, Instant now, double speed, boolean isPaused) {}

    /// `kept` says why it is not taken away; empty where nothing was said.
    public record Node(
            String name,
            Machine machine,
            Phase phase,
            @Nullable Instant endsAt,
            Share cpuMillis,
            Share memoryBytes,
            List<Pod> pods,
            String kept) {

        public Node {
            pods = List.copyOf(pods);
        }

        /// About which nobody has said why it stays.
        public Node(
                String name,
                Machine machine,
                Phase phase,
                @Nullable Instant endsAt,
                Share cpuMillis,
                Share memoryBytes,
                List<Pod> pods) {
            this(name, machine, phase, endsAt, cpuMillis, memoryBytes, pods, "");
        }

        /// The share of the machine that is spoken for, by the resource that is scarcer.
        public double fill() {
            return Math.max(cpuMillis.part(), memoryBytes.part());
        }
    }

    /// What was bought, where and for how much.
    public record Machine(
            String pool,
            String type,
            String zone,
            CapacityType capacityType,
            double pricePerHour) {}

    public enum CapacityType {
        ON_DEMAND("on-demand"),
        SPOT("spot"),
        RESERVED("reserved");

        private final String label;

        CapacityType(String label) {
            this.label = label;
        }

        /// By the value of Karpenter's label; what is unknown is bought like any other machine.
        public static CapacityType of(String label) {
            return switch (label) {
                case "spot" -> SPOT;
                case "reserved" -> RESERVED;
                default -> ON_DEMAND;
            };
        }

        public String label() {
            return label;
        }

        /// Tells the types apart where there is no colour.
        public char letter() {
            return label.toUpperCase(Locale.ROOT).charAt(0);
        }
    }

    /// A machine's life as a watcher sees it.
    public enum Phase {
        /// Asked for; the cloud has not said that it runs.
        LAUNCHING,
        /// It runs, and no pod may run on it yet.
        STARTING,
        READY,
        /// Its pods are asked to leave.
        DRAINING,
        /// The cloud takes it back, at the node's `endsAt`.
        INTERRUPTED;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public record Share(long used, long total) {
        public double part() {
            return total <= 0 ? 0 : (double) used / total;
        }
    }

    /// A pod on a node; the owner is what made it, as a person knows it.
    public record Pod(String name, String owner, long cpuMillis, long memoryBytes) {}

    public record Workload(List<Deployment> deployments, List<WaitingPod> waiting) {
        public Workload {
            deployments = List.copyOf(deployments);
            waiting = List.copyOf(waiting);
        }
    }

    public record Deployment(
            String name, int wanted, int ready, long cpuMillis, long memoryBytes) {}

    /// A pod without a node, and why in words.
    public record WaitingPod(Pod pod, Instant since, String reason) {}

    /// What the fleet costs, the least that its pods could cost, and how both went.
    public record Price(double perHour, double lowerBoundPerHour, List<Moment> history) {
        public Price {
            history = List.copyOf(history);
        }
    }

    public record Moment(
            Instant at, double pricePerHour, double lowerBoundPerHour, int nodes, int pods) {}

    /// Counted since the beginning.
    public record Counters(
            long podsRun,
            long nodesLaunched,
            long nodesTerminated,
            long evictions,
            long interruptions,
            long invariantsBroken) {

        public static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0);
    }

    /// Nodes that are to go together: by which way and reason they were chosen, and what comes in
    /// their place, in words.
    public record Upcoming(
            List<String> nodes, String reason, String text, double savedPerHour, Stage stage) {
        public Upcoming {
            nodes = List.copyOf(nodes);
        }
    }

    /// How far a disruption is.
    public enum Stage {
        /// Looked at once more before it begins.
        DECIDED,
        BEGUN;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Something that was decided or happened, numbered so that a reader knows what is new.
    public record Decision(long number, Instant at, Kind kind, String text) {}

    public enum Kind {
        LAUNCH,
        REMOVE,
        INTERRUPT,
        FAILURE,
        WORKLOAD,
        VISITOR;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
