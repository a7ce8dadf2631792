package dev.millwright.core.explain;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// Searches the smallest set of changes that is enough, best first: fewer changes before more, less
/// effort before more, and the same answer every time.
///
/// @param <C> a change
/// @param <A> what comes of a set that is enough
final class SmallestSet<C, A> {

    /// What comes of trying a set of changes.
    sealed interface Trial<C, A> {

        record Enough<C, A>(A answer) implements Trial<C, A> {}

        /// It was not enough; one of these may be what is missing.
        record More<C, A>(List<C> next) implements Trial<C, A> {
            public More {
                next = List.copyOf(next);
            }
        }
    }

    /// A set that was enough, in the order the search came to its changes.
    record Found<C, A>(List<C> changes, A answer) {}

    private final Comparator<List<C>> order;
    private final int changesMax;
    private final int trialsMax;

    SmallestSet(ToDoubleFunction<C> effort, int changesMax, int trialsMax) {
        this.order =
                Comparator.comparingInt((List<C> changes) -> changes.size())
                        .thenComparingDouble(changes -> changes.stream().mapToDouble(effort).sum())
                        .thenComparing(List::toString);
        this.changesMax = changesMax;
        this.trialsMax = trialsMax;
    }

    /// @param first what might help, before anything is changed
    /// @param trial tries a set; not asked for more than `trialsMax` of them
    @Nullable Found<C, A> search(List<C> first, Function<List<C>, Trial<C, A>> trial) {
        var found = search(first, trial, new Choice<>(1, 0, Object::toString));
        return found.isEmpty() ? null : found.getFirst();
    }

    /// How many sets that are enough are wanted, and what tells them apart.
    ///
    /// @param sets at most; the others are no larger than the first
    /// @param moreTrials what looking for others may cost once one is found
    /// @param topic of a change; a set that holds all topics of an earlier one is no other way
    record Choice<C>(int sets, int moreTrials, Function<C, String> topic) {}

    List<Found<C, A>> search(
            List<C> first, Function<List<C>, Trial<C, A>> trial, Choice<C> choice) {
        var open = new PriorityQueue<>(order);
        var seen = new HashSet<Set<C>>();
        var found = new ArrayList<Found<C, A>>();
        expand(List.of(), first, open, seen);
        var trialsLeft = trialsMax;
        while (!open.isEmpty() && trialsLeft > 0 && found.size() < choice.sets()) {
            var changes = open.poll();
            if (!found.isEmpty() && changes.size() > found.getFirst().changes().size()) {
                break;
            }
            if (isSame(changes, found, choice)) {
                continue;
            }
            trialsLeft--;
            switch (trial.apply(changes)) {
                case Trial.Enough<C, A>(var answer) -> {
                    if (found.isEmpty()) {
                        trialsLeft = Math.min(trialsLeft, choice.moreTrials());
                    }
                    found.add(new Found<>(changes, answer));
                }
                case Trial.More<C, A>(var next) -> {
                    if (changes.size() < changesMax) {
                        expand(changes, next, open, seen);
                    }
                }
            }
        }
        return found;
    }

    private boolean isSame(List<C> changes, List<Found<C, A>> found, Choice<C> choice) {
        var topics = changes.stream().map(choice.topic()).toList();
        return found.stream()
                .anyMatch(
                        each ->
                                topics.containsAll(
                                        each.changes().stream().map(choice.topic()).toList()));
    }

    private void expand(
            List<C> changes, List<C> next, PriorityQueue<List<C>> open, Set<Set<C>> seen) {
        for (var change : next) {
            if (!changes.contains(change)) {
                var more = new ArrayList<>(changes);
                more.add(change);
                if (seen.add(Set.copyOf(more))) {
                    open.add(List.copyOf(more));
                }
            }
        }
    }
}
