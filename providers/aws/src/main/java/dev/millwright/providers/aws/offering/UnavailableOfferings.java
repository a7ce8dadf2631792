package dev.millwright.providers.aws.offering;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// What EC2 lately refused: it is not tried again for a while. A refusal repeated is remembered
/// anew.
///
/// Whoever keeps offerings asks for a number, which is another one whenever they may have changed,
/// because something was refused or because a refusal was forgotten.
public final class UnavailableOfferings {

    public static final Duration REMEMBERED = Duration.ofMinutes(3);

    /// Every type in every zone in some placement groups. What is beyond is not remembered, and so
    /// refused by EC2 once more.
    private static final int MARKS_MAX = 200_000;

    /// Where a refusal holds: anywhere, in a placement group, or in one of its partitions.
    ///
    /// @param group empty for anywhere
    /// @param partition empty for all of them
    public record Scope(String group, String partition) {

        public static final Scope ANYWHERE = new Scope("", "");

        public static Scope group(String id) {
            return new Scope(id, "");
        }

        public static Scope partition(String groupId, String partition) {
            return new Scope(groupId, partition);
        }
    }

    public record Mark(String capacityType, String type, String zone, Scope scope) {}

    /// All that is refused at one moment.
    ///
    /// @param sequence another number whenever anything changed
    /// @param sequenceByType how often each type was concerned; types that never were are not here
    /// @param sequenceOfAll how often all types were concerned at once
    public record Marks(
            Set<Mark> offerings,
            Set<String> capacityTypes,
            Set<String> subnets,
            long sequence,
            Map<String, Long> sequenceByType,
            long sequenceOfAll) {

        public static final Marks NONE = new Marks(Set.of(), Set.of(), Set.of(), 0, Map.of(), 0);

        public Marks {
            offerings = Collections.unmodifiableSet(new HashSet<>(offerings));
            capacityTypes = Collections.unmodifiableSet(new HashSet<>(capacityTypes));
            subnets = Collections.unmodifiableSet(new HashSet<>(subnets));
            sequenceByType = Collections.unmodifiableMap(new HashMap<>(sequenceByType));
        }

        /// Another number whenever something changed that concerns the type.
        public long sequence(String type) {
            return sequenceByType.getOrDefault(type, 0L) + sequenceOfAll;
        }

        public boolean has(Mark mark) {
            return !offerings.isEmpty() && offerings.contains(mark);
        }
    }

    private final Map<Mark, Instant> offerings = new HashMap<>();
    private final Map<String, Instant> capacityTypes = new HashMap<>();
    private final Map<String, Instant> subnets = new HashMap<>();

    private final Map<String, Long> sequenceByType = new HashMap<>();
    private long sequenceOfAll;
    private long sequence;
    private Marks marks = Marks.NONE;

    public void mark(String capacityType, String type, String zone, Instant now) {
        mark(new Mark(capacityType, type, zone, Scope.ANYWHERE), now);
    }

    public synchronized void mark(Mark mark, Instant now) {
        if (keep(offerings, mark, now)) {
            changed(mark.type());
        }
    }

    /// No machine of the capacity type can be had, whatever its type and zone.
    public synchronized void markCapacityType(String capacityType, Instant now) {
        if (keep(capacityTypes, capacityType, now)) {
            changedAll();
        }
    }

    /// The subnet has no address left. Its zone is out when all the class's subnets there are.
    public synchronized void markSubnet(String subnetId, Instant now) {
        if (keep(subnets, subnetId, now)) {
            changedAll();
        }
    }

    private <K> boolean keep(Map<K, Instant> marks, K mark, Instant now) {
        forget(now);
        if (marks.size() >= MARKS_MAX && !marks.containsKey(mark)) {
            return false;
        }
        marks.put(mark, now.plus(REMEMBERED));
        return true;
    }

    /// The same object until anything changed.
    public synchronized Marks marks(Instant now) {
        forget(now);
        if (marks.sequence() != sequence) {
            marks =
                    new Marks(
                            offerings.keySet(),
                            capacityTypes.keySet(),
                            subnets.keySet(),
                            sequence,
                            sequenceByType,
                            sequenceOfAll);
        }
        return marks;
    }

    private void forget(Instant now) {
        forget(offerings, now, mark -> changed(mark.type()));
        forget(capacityTypes, now, _ -> changedAll());
        forget(subnets, now, _ -> changedAll());
    }

    private static <K> void forget(Map<K, Instant> marks, Instant now, Consumer<K> changed) {
        marks.entrySet()
                .removeIf(
                        entry -> {
                            var isPast = !entry.getValue().isAfter(now);
                            if (isPast) {
                                changed.accept(entry.getKey());
                            }
                            return isPast;
                        });
    }

    private void changed(String type) {
        sequence++;
        sequenceByType.merge(type, 1L, Long::sum);
    }

    private void changedAll() {
        sequence++;
        sequenceOfAll++;
    }
}
