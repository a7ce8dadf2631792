package dev.millwright.core.deliberation;

import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.LeftFleets;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What one [DisruptionPass] leaves for the next. A process that dies forgets it, and begins with
/// [#NONE]: the worst is that a command waits anew, or that a node is moved once more.
///
/// @param pending commands that wait to be looked at again; null when none do
/// @param inVain what each method saw when it found nothing
/// @param unseen pools or nodes that a method's last search did not come to
/// @param leftFleets from which fleets consolidations took nodes
/// @param quiet the last pass after which nothing was left to do
public record DisruptionMemory(
        @Nullable Pending pending,
        SequencedMap<DisruptionMethod, InVain> inVain,
        SequencedMap<DisruptionMethod, SortedSet<String>> unseen,
        LeftFleets leftFleets,
        Quiet quiet) {

    public static final DisruptionMemory NONE =
            new DisruptionMemory(
                    null, new TreeMap<>(), new TreeMap<>(), LeftFleets.NONE, Quiet.NEVER);

    /// Commands of one method, and when they are looked at again.
    public record Pending(List<Command> commands, Instant validAt) {

        public Pending {
            commands = List.copyOf(commands);
        }

        public DisruptionMethod method() {
            return commands.getFirst().method();
        }
    }

    /// What a method answered to a cluster in which it found nothing to do.
    record InVain(long fingerprint, Instant at, Decision decision) {

        /// After so long it is asked all the same: prices change without an object.
        private static final Duration TRUSTED_FOR = Duration.ofMinutes(5);

        boolean isStill(long seen, Instant now) {
            return seen == fingerprint && now.isBefore(at.plus(TRUSTED_FOR));
        }
    }

    /// A pass that found nothing to do, and the revision it had seen. Until something changes,
    /// another one would find as little, except for what time changes: prices without a word, and
    /// more often where an answer hangs on the hour.
    public record Quiet(long revision, Instant at, Duration trustedFor) {

        static final Duration LONG = Duration.ofMinutes(5);
        static final Duration SHORT = Duration.ofMinutes(1);
        static final Quiet NEVER = new Quiet(-1, Instant.EPOCH, Duration.ZERO);

        public boolean isSince(long seen, Instant now) {
            return seen == revision && now.isBefore(at.plus(trustedFor)) && !now.isBefore(at);
        }
    }

    public DisruptionMemory {
        inVain = Collections.unmodifiableSequencedMap(new TreeMap<>(inVain));
        unseen = Collections.unmodifiableSequencedMap(new TreeMap<>(unseen));
    }

    /// Without what waits: somebody forbade it, or does not wait for it.
    public DisruptionMemory withoutPending() {
        return new DisruptionMemory(null, inVain, unseen, leftFleets, quiet);
    }

    /// Whether a search did not come to the end of what it looks at.
    public boolean isUnfinished() {
        return unseen.values().stream().anyMatch(each -> !each.isEmpty());
    }

    SortedSet<String> unseen(DisruptionMethod method) {
        return unseen.getOrDefault(method, Collections.emptySortedSet());
    }

    static SortedSet<String> sorted(List<String> names) {
        return Collections.unmodifiableSortedSet(new TreeSet<>(names));
    }
}
