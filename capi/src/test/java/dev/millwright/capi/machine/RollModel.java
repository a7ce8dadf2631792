package dev.millwright.capi.machine;

import dev.millwright.capi.machine.roll.Bounds;
import dev.millwright.capi.machine.roll.RollPlan;
import dev.millwright.capi.machine.roll.RollPlan.Sets;
import dev.millwright.capi.machine.roll.RollPlan.Size;
import dev.millwright.capi.machine.roll.RollPlan.Strategy;
import dev.millwright.capi.machine.roll.SetCount;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A deployment, its sets and their machines as one value, and all that may happen next. A decision
/// and its writes are two happenings, and anything may come between.
///
/// @param newest whether the last of the sets is that of the template
/// @param plan what the deployment has decided and not yet written
record RollModel(
        Bounds bounds,
        Strategy strategy,
        List<SetModel> sets,
        boolean newest,
        @Nullable RollPlan plan) {

    /// @param doomedUnready machines that the set has decided to delete, unready when it did
    /// @param doomedLate those of them that became ready since: no one could have counted on them
    /// @param making machines that it has decided to make
    /// @param isActing whether it has decided something and not yet done it
    /// @param isStale whether its number changed since it decided
    record SetModel(
            String name,
            int wanted,
            boolean isObserved,
            int unready,
            int ready,
            int doomedUnready,
            int doomedReady,
            int doomedLate,
            int making,
            boolean isActing,
            boolean isStale,
            int desired,
            int most) {

        static SetModel of(String name, int unready, int ready, Bounds bounds) {
            return new SetModel(
                    name,
                    unready + ready,
                    true,
                    unready,
                    ready,
                    0,
                    0,
                    0,
                    0,
                    false,
                    false,
                    bounds.replicas(),
                    bounds.most());
        }

        int live() {
            return unready + ready + doomedUnready + doomedReady + doomedLate;
        }

        int available() {
            return ready + doomedReady + doomedLate;
        }

        int occupied() {
            return count().occupied();
        }

        SetCount count() {
            return new SetCount(
                    name, wanted, live(), available(), live(), isObserved, desired, most);
        }

        SetModel told(int size, Bounds bounds) {
            var isNews = size != wanted;
            return new SetModel(
                    name,
                    size,
                    isObserved && !isNews,
                    unready,
                    ready,
                    doomedUnready,
                    doomedReady,
                    doomedLate,
                    making,
                    isActing,
                    isStale || (isActing && isNews),
                    bounds.replicas(),
                    bounds.most());
        }

        boolean isBehind() {
            return !isActing && (live() != wanted || !isObserved);
        }

        SetModel decided() {
            var surplus = Math.max(0, live() - wanted);
            var first = Math.min(surplus, unready);
            var then = surplus - first;
            return new SetModel(
                    name,
                    wanted,
                    isObserved,
                    unready - first,
                    ready - then,
                    first,
                    then,
                    0,
                    Math.max(0, wanted - live()),
                    true,
                    false,
                    desired,
                    most);
        }

        SetModel acted() {
            return new SetModel(
                    name,
                    wanted,
                    isObserved || !isStale,
                    unready + making,
                    ready,
                    0,
                    0,
                    0,
                    0,
                    false,
                    false,
                    desired,
                    most);
        }

        /// One machine more is ready, each kind of them for itself.
        List<SetModel> readier() {
            var next = new ArrayList<SetModel>();
            if (unready > 0) {
                next.add(with(unready - 1, ready + 1, doomedUnready, doomedLate));
            }
            if (doomedUnready > 0) {
                next.add(with(unready, ready, doomedUnready - 1, doomedLate + 1));
            }
            return next;
        }

        /// A machine broke; nobody of us did it.
        SetModel broken() {
            return with(unready + 1, ready - 1, doomedUnready, doomedLate);
        }

        private SetModel with(int unready, int ready, int doomedUnready, int doomedLate) {
            return new SetModel(
                    name,
                    wanted,
                    isObserved,
                    unready,
                    ready,
                    doomedUnready,
                    doomedReady,
                    doomedLate,
                    making,
                    isActing,
                    isStale,
                    desired,
                    most);
        }
    }

    /// @param isDeletion whether machines went because we said so
    record Happening(RollModel after, boolean isDeletion) {}

    RollModel {
        sets = List.copyOf(sets);
    }

    int live() {
        return sets.stream().mapToInt(SetModel::live).sum();
    }

    /// Machines that somebody could count on.
    int ready() {
        return sets.stream().mapToInt(set -> set.ready() + set.doomedReady()).sum();
    }

    /// Machines there are or may be by what the sets were told.
    int occupied() {
        return sets.stream().mapToInt(SetModel::occupied).sum();
    }

    /// Machines that stay ready when the sets have done what they were told.
    int safe() {
        return sets.stream()
                .mapToInt(set -> Math.min(set.ready() + set.doomedReady(), set.wanted()))
                .sum();
    }

    boolean isSettled() {
        return newest && live() == bounds.replicas() && sets.getLast().ready() == bounds.replicas();
    }

    RollPlan decision() {
        var counts = sets.stream().map(SetModel::count).toList();
        return RollPlan.of(
                strategy,
                false,
                bounds,
                newest
                        ? new Sets(counts.getLast(), counts.subList(0, counts.size() - 1))
                        : new Sets(null, counts));
    }

    List<Happening> happenings() {
        var next = new ArrayList<Happening>();
        if (plan != null) {
            next.add(new Happening(written(plan), false));
        } else {
            switch (decision()) {
                case RollPlan.Wait(_), RollPlan.Settled() -> {}
                case RollPlan.Make make -> next.add(new Happening(with(make), false));
                case RollPlan.Resize resize -> next.add(new Happening(with(resize), false));
            }
        }
        for (var index = 0; index < sets.size(); index++) {
            var set = sets.get(index);
            for (var readier : set.readier()) {
                next.add(new Happening(with(index, readier), false));
            }
            if (set.isActing()) {
                var isDeletion = set.doomedReady() + set.doomedUnready() > 0;
                next.add(new Happening(with(index, set.acted()), isDeletion));
            } else if (set.isBehind()) {
                next.add(new Happening(with(index, set.decided()), false));
            }
        }
        return next;
    }

    RollModel with(@Nullable RollPlan decided) {
        return new RollModel(bounds, strategy, sets, newest, decided);
    }

    RollModel with(int index, SetModel set) {
        var next = new ArrayList<>(sets);
        next.set(index, set);
        return new RollModel(bounds, strategy, next, newest, plan);
    }

    RollModel with(Bounds other) {
        return new RollModel(other, strategy, sets, newest, plan);
    }

    /// The template changed: no set is of it.
    RollModel withNewTemplate() {
        return new RollModel(bounds, strategy, sets, false, plan);
    }

    /// The process died between its decision and its write.
    RollModel restarted() {
        return with((RollPlan) null);
    }

    /// As it is once what was decided is written.
    RollModel settledOn() {
        return plan == null ? this : written(plan);
    }

    private RollModel written(RollPlan decided) {
        return switch (decided) {
            case RollPlan.Make(var replicas) -> {
                var next = new ArrayList<>(sets);
                next.add(SetModel.of("set-" + sets.size(), 0, 0, bounds).told(replicas, bounds));
                yield new RollModel(bounds, strategy, next, true, null);
            }
            case RollPlan.Resize(var sizes) -> resized(sizes);
            case RollPlan.Wait(_), RollPlan.Settled() -> with((RollPlan) null);
        };
    }

    private RollModel resized(List<Size> sizes) {
        var next = new ArrayList<>(sets);
        for (var size : sizes) {
            next.replaceAll(
                    set -> set.name().equals(size.set()) ? set.told(size.replicas(), bounds) : set);
        }
        return new RollModel(bounds, strategy, next, newest, null);
    }
}
