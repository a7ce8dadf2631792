package dev.millwright.core.disruption;

import dev.millwright.core.scheduling.PlannedClaim;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// Nodes to take away together, and what must be there first.
///
/// `nominated` are nodes that stay and take pods of those that go.
public record Command(
        DisruptionMethod method,
        List<Candidate> candidates,
        List<Replacement> replacements,
        List<String> nominated,
        Terms terms) {

    private static final Duration TIME_PER_NODE = Duration.ofMillis(80);
    private static final Duration TIMEOUT_MIN = Duration.ofMinutes(10);
    private static final Duration TIMEOUT_MAX = Duration.ofHours(1);

    /// A claim to make before nodes go.
    public sealed interface Replacement {

        String nodePool();

        /// For pods: of the types that a plan chose.
        record Planned(PlannedClaim claim) implements Replacement {
            @Override
            public String nodePool() {
                return claim.nodePool();
            }
        }

        /// For a static pool: of its template alone.
        record Template(String nodePool) implements Replacement {}
    }

    /// What comes first. `TERMINATE_FIRST`: a replacement has no room beside the node and is left
    /// to whoever fills the pool; `REBOOT`: the node stays what it is.
    public enum Order {
        REPLACEMENT_FIRST,
        TERMINATE_FIRST,
        REBOOT
    }

    /// On what terms the nodes go. `drainMax` bounds how long pods may take to leave, where not
    /// only the claim says; `diagnosis` is of a node that is repaired.
    public record Terms(Order order, @Nullable Duration drainMax, @Nullable Diagnosis diagnosis) {

        public static final Terms USUAL = new Terms(Order.REPLACEMENT_FIRST, null, null);

        static final Terms TERMINATE_FIRST = new Terms(Order.TERMINATE_FIRST, null, null);
    }

    /// On the usual terms.
    public Command(
            DisruptionMethod method,
            List<Candidate> candidates,
            List<Replacement> replacements,
            List<String> nominated) {
        this(method, candidates, replacements, nominated, Terms.USUAL);
    }

    public Command {
        candidates = List.copyOf(candidates);
        replacements = List.copyOf(replacements);
        nominated = List.copyOf(nominated);
        if (candidates.isEmpty()) {
            throw new IllegalArgumentException("a command takes at least one node away");
        }
    }

    /// As metrics tell it.
    public String decision() {
        return switch (terms.order()) {
            case REPLACEMENT_FIRST -> replacements.isEmpty() ? "delete" : "replace";
            case TERMINATE_FIRST -> "terminate-first";
            case REBOOT -> "reboot";
        };
    }

    /// What the nodes cost less what their replacements will cost at best, fees of nodes included.
    public double savedPerHour() {
        var saved = candidates.stream().mapToDouble(Candidate::spendPerHour).sum();
        for (var replacement : replacements) {
            if (replacement instanceof Replacement.Planned(var claim) && !claim.types().isEmpty()) {
                saved -= claim.spendPerHour();
            }
        }
        return saved;
    }

    /// In a few words: what goes, and what comes.
    public String summary() {
        var comes = replacements.isEmpty() ? "" : " for " + replacements.size() + " new";
        return "%s %s%s".formatted(decision(), String.join(", ", nodes()), comes);
    }

    /// How long a command may take when so many nodes are to go: the more there are, the slower the
    /// cloud answers.
    public static Duration timeout(int queuedNodes) {
        var wanted = TIME_PER_NODE.multipliedBy(queuedNodes);
        if (wanted.compareTo(TIMEOUT_MIN) < 0) {
            return TIMEOUT_MIN;
        }
        return wanted.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : wanted;
    }

    /// The same for some of the nodes only.
    public Command of(List<Candidate> fewer) {
        return new Command(method, fewer, replacements, nominated, terms);
    }

    public List<String> nodes() {
        return candidates.stream().map(Candidate::name).toList();
    }
}
