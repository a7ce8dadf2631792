package dev.millwright.capi.machine.roll;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// What a deployment does next about its sets.
public sealed interface RollPlan {

    /// Nothing until something changes.
    record Wait(String reason) implements RollPlan {}

    /// A set for the template, with so many machines.
    record Make(int replicas) implements RollPlan {}

    /// New numbers for sets. One may stay as it is: then only what was desired is noted on it.
    record Resize(List<Size> sizes) implements RollPlan {
        public Resize {
            sizes = List.copyOf(sizes);
        }
    }

    /// Every machine is of the template, or will be without another word.
    record Settled() implements RollPlan {}

    record Size(String set, int replicas) {}

    enum Strategy {
        ROLLING_UPDATE,
        RECREATE
    }

    /// The sets of a deployment.
    ///
    /// @param newest the one of the present template; null while there is none
    /// @param old the others, the oldest first
    record Sets(@Nullable SetCount newest, List<SetCount> old) {
        public Sets {
            old = List.copyOf(old);
        }

        /// The oldest first.
        public List<SetCount> all() {
            var all = new ArrayList<>(old);
            if (newest != null) {
                all.add(newest);
            }
            return all;
        }

        public List<SetCount> active() {
            return all().stream().filter(SetCount::isActive).toList();
        }

        public int occupied() {
            return bounded(all().stream().mapToLong(SetCount::occupied).sum());
        }

        public int safe() {
            return bounded(all().stream().mapToLong(SetCount::safe).sum());
        }

        public int wanted() {
            return bounded(all().stream().mapToLong(SetCount::wanted).sum());
        }

        private static int bounded(long machines) {
            return (int) Math.min(Integer.MAX_VALUE, machines);
        }
    }

    static RollPlan of(Strategy strategy, boolean isPaused, Bounds bounds, Sets sets) {
        for (var set : sets.all()) {
            if (!set.isObserved()) {
                return new Wait("set %s has not acted on its number yet".formatted(set.name()));
            }
        }
        if (isPaused) {
            return Scaling.paused(strategy, bounds, sets);
        }
        if (Scaling.isDue(bounds, sets)) {
            return Scaling.plan(strategy, bounds, sets);
        }
        return switch (strategy) {
            case ROLLING_UPDATE -> Rollout.rolling(bounds, sets);
            case RECREATE -> Rollout.recreate(bounds, sets);
        };
    }
}
