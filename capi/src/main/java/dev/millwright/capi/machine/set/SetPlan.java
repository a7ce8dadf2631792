package dev.millwright.capi.machine.set;

import dev.millwright.capi.machine.object.MachineFacts;
import dev.millwright.capi.machine.object.Values;
import dev.millwright.kube.document.Tree;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// What a set lacks, or has too many of.
sealed interface SetPlan {

    /// Names of machines to be made.
    record Make(List<String> names) implements SetPlan {
        public Make {
            names = List.copyOf(names);
        }
    }

    record Delete(List<MachineFacts> machines) implements SetPlan {
        public Delete {
            machines = List.copyOf(machines);
        }
    }

    record Enough() implements SetPlan {}

    /// Machines made or deleted in one step; the change of the first wakes the next step.
    int CHANGED_MAX = 100;

    int SUFFIX_LENGTH = 5;

    /// @param live machines that are not being deleted
    /// @param taken names that no new machine can have
    static SetPlan of(
            SetName set, Wish wish, List<MachineFacts> live, Set<String> taken, Instant now) {
        var missing = wish.replicas() - live.size();
        if (missing > 0) {
            return new Make(names(set, Math.min(missing, CHANGED_MAX), taken));
        }
        if (missing < 0) {
            return new Delete(
                    live.stream()
                            .sorted(leastMissed(wish.minReady(), now))
                            .limit(Math.min(-missing, CHANGED_MAX))
                            .toList());
        }
        return new Enough();
    }

    /// What a set is to have.
    record Wish(int replicas, Duration minReady) {}

    /// Unready machines first, then those that are not available yet, then the newest. A deployment
    /// builds on it: what is available goes last.
    private static Comparator<MachineFacts> leastMissed(Duration minReady, Instant now) {
        return Comparator.comparing(MachineFacts::isReady)
                .thenComparing(each -> each.isAvailable(minReady, now))
                .thenComparing(
                        (MachineFacts each) -> each.object().meta().createdAt(),
                        Comparator.reverseOrder())
                .thenComparing(each -> each.object().name());
    }

    /// A set as names of machines are made of it.
    record SetName(String name, String uid) {}

    /// Names that look made by chance and are not: whoever makes the same machine twice, because
    /// the first answer was lost or came late, is told that it is there.
    private static List<String> names(SetName set, int count, Set<String> taken) {
        var names = new ArrayList<String>();
        for (var ordinal = 0; names.size() < count; ordinal++) {
            var suffix = Values.hash(Tree.text(set.uid()), "/" + ordinal);
            var name = set.name() + "-" + suffix.substring(0, SUFFIX_LENGTH);
            if (!taken.contains(name) && !names.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }
}
