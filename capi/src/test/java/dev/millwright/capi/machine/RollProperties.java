package dev.millwright.capi.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.machine.RollModel.Happening;
import dev.millwright.capi.machine.RollModel.SetModel;
import dev.millwright.capi.machine.roll.Bounds;
import dev.millwright.capi.machine.roll.RollPlan.Strategy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// What holds at every moment of a rollout, whatever comes first.
final class RollProperties {

    private static final int REPLICAS_MAX = 3;
    private static final int SURGE_MAX = 2;

    static Stream<Arguments> smallRollouts() {
        var all = new ArrayList<Arguments>();
        for (var replicas = 1; replicas <= REPLICAS_MAX; replicas++) {
            for (var surge = 0; surge <= SURGE_MAX; surge++) {
                for (var unavailable = 0; unavailable <= replicas; unavailable++) {
                    for (var broken = 0; broken <= 1; broken++) {
                        if (surge + unavailable > 0) {
                            all.add(Arguments.of(replicas, surge, unavailable, broken));
                        }
                    }
                }
            }
        }
        return all.stream();
    }

    /// Every order of everything: decisions, writes, deletions, machines that become ready.
    @ParameterizedTest(name = "{0} replicas, surge {1}, unavailable {2}, {3} unready")
    @MethodSource("smallRollouts")
    void everyInterleavingOfARollingUpdateKeepsItsBounds(
            int replicas, int surge, int unavailable, int unready) {
        var bounds = new Bounds(replicas, surge, unavailable);
        var start =
                new RollModel(
                        bounds,
                        Strategy.ROLLING_UPDATE,
                        List.of(SetModel.of("set-0", unready, replicas - unready, bounds)),
                        false,
                        null);

        var seen = explored(start);

        assertThat(seen.ends()).isNotEmpty().allMatch(RollModel::isSettled);
        assertThat(seen.hasCycle()).as("a rollout that comes back to where it was").isFalse();
    }

    /// A rollout that was overtaken by the next one leaves two old sets.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void everyInterleavingOfAnOvertakenRolloutKeepsItsBounds(int unready) {
        var bounds = new Bounds(3, 1, 0);
        var start =
                new RollModel(
                        bounds,
                        Strategy.ROLLING_UPDATE,
                        List.of(
                                SetModel.of("set-0", 0, 2, bounds),
                                SetModel.of("set-1", Math.min(unready, 2), 2 - unready, bounds)),
                        false,
                        null);

        var seen = explored(start);

        assertThat(seen.ends()).isNotEmpty().allMatch(RollModel::isSettled);
        assertThat(seen.hasCycle()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRecreationNeverHasTwoTemplatesAtOnceAndEnds(int unready) {
        var bounds = new Bounds(2, 1, 0);
        var start =
                new RollModel(
                        bounds,
                        Strategy.RECREATE,
                        List.of(SetModel.of("set-0", unready, 2 - unready, bounds)),
                        false,
                        null);

        var seen = exploredFreely(start);

        assertThat(seen.states().keySet())
                .allMatch(
                        state ->
                                state.sets().size() < 2
                                        || state.sets().getFirst().live() == 0
                                        || state.sets().getLast().live() == 0);
        assertThat(seen.ends()).isNotEmpty().allMatch(RollModel::isSettled);
        assertThat(seen.hasCycle()).isFalse();
    }

    private record Seen(Map<RollModel, List<RollModel>> states) {

        List<RollModel> ends() {
            return states.entrySet().stream()
                    .filter(entry -> entry.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
        }

        /// By taking away ends until none is left.
        boolean hasCycle() {
            var open = new HashMap<RollModel, Integer>();
            var before = new HashMap<RollModel, List<RollModel>>();
            var ready = new ArrayDeque<RollModel>();
            states.forEach(
                    (state, next) -> {
                        open.put(state, next.size());
                        next.forEach(
                                each ->
                                        before.computeIfAbsent(each, _ -> new ArrayList<>())
                                                .add(state));
                        if (next.isEmpty()) {
                            ready.add(state);
                        }
                    });
            var taken = 0;
            while (!ready.isEmpty()) {
                taken++;
                for (var each : before.getOrDefault(ready.remove(), List.of())) {
                    if (open.merge(each, -1, Integer::sum) == 0) {
                        ready.add(each);
                    }
                }
            }
            return taken < states.size();
        }
    }

    private static Seen explored(RollModel start) {
        return explored(start, true);
    }

    private static Seen exploredFreely(RollModel start) {
        return explored(start, false);
    }

    private static Seen explored(RollModel start, boolean isChecked) {
        var states = new HashMap<RollModel, List<RollModel>>();
        var open = new ArrayDeque<RollModel>();
        open.add(start);
        while (!open.isEmpty()) {
            var state = open.remove();
            if (states.containsKey(state)) {
                continue;
            }
            var next = new ArrayList<RollModel>();
            for (var happening : state.happenings()) {
                if (isChecked) {
                    check(state, happening);
                }
                next.add(happening.after());
                open.add(happening.after());
            }
            states.put(state, next);
        }
        return new Seen(states);
    }

    /// With nobody but us about.
    private static void check(RollModel before, Happening happening) {
        var after = happening.after();
        if (after.live() > Math.max(before.live(), after.bounds().most())) {
            throw new AssertionError(
                    "%d machines where %d may be, after %s came %s"
                            .formatted(after.live(), after.bounds().most(), before, after));
        }
        if (happening.isDeletion()
                && after.ready() < Math.min(before.ready(), after.bounds().least())) {
            throw new AssertionError(
                    "%d ready where %d must be, after %s came %s"
                            .formatted(after.ready(), after.bounds().least(), before, after));
        }
    }

    /// Where others change numbers and break machines, what holds is what we tell the sets.
    private static void checkWord(RollModel before, RollModel after) {
        var bounds = after.bounds();
        if (after.occupied() > Math.max(before.occupied(), bounds.most())) {
            throw new AssertionError(
                    "sets may have %d machines where %d may be, after %s came %s"
                            .formatted(after.occupied(), bounds.most(), before, after));
        }
        if (after.safe() < Math.min(before.safe(), bounds.least())) {
            throw new AssertionError(
                    "%d stay ready where %d must be, after %s came %s"
                            .formatted(after.safe(), bounds.least(), before, after));
        }
    }

    /// Larger ones by chance, with machines that break, templates and numbers that change in the
    /// middle, and processes that die between a decision and its write.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aRolloutUnderFireKeepsItsBoundsAndEnds(long seed) {
        var random = new SplittableRandom(seed);
        for (var run = 0; run < 200; run++) {
            var troubles = 40;
            var state = anyStart(random);
            for (var step = 0; step < 20_000; step++) {
                var all = state.happenings();
                if (troubles > 0 && random.nextInt(10) == 0) {
                    troubles--;
                    state = trouble(state, random);
                    continue;
                }
                if (all.isEmpty()) {
                    break;
                }
                // At once: a machine that becomes ready before the write could not be foreseen.
                var after = all.get(random.nextInt(all.size())).after().settledOn();
                checkWord(state, after);
                state = after;
            }
            assertThat(state.isSettled()).as("seed %d, run %d: %s", seed, run, state).isTrue();
        }
    }

    private static RollModel anyStart(SplittableRandom random) {
        var bounds = anyBounds(random);
        var unready = random.nextInt(bounds.replicas() + 1);
        return new RollModel(
                bounds,
                Strategy.ROLLING_UPDATE,
                List.of(SetModel.of("set-0", unready, bounds.replicas() - unready, bounds)),
                false,
                null);
    }

    private static Bounds anyBounds(SplittableRandom random) {
        var surge = random.nextInt(4);
        return new Bounds(
                random.nextInt(13), surge, surge == 0 ? 1 + random.nextInt(3) : random.nextInt(4));
    }

    /// Comes between decisions: what happens between a decision and its write cannot be foreseen.
    private static RollModel trouble(RollModel before, SplittableRandom random) {
        var state = before.restarted();
        return switch (random.nextInt(4)) {
            case 0 -> state;
            case 1 -> state.withNewTemplate();
            case 2 -> state.with(anyBounds(random));
            default -> {
                var index = random.nextInt(state.sets().size());
                var set = state.sets().get(index);
                yield set.ready() == 0 || set.isActing() ? state : state.with(index, set.broken());
            }
        };
    }

    @Test
    void aTenMachineRolloutWithoutSparesNeverHasFewerThanTen() {
        var bounds = new Bounds(10, 1, 0);
        for (var seed = 0L; seed < 100; seed++) {
            var random = new SplittableRandom(seed);
            var state =
                    new RollModel(
                            bounds,
                            Strategy.ROLLING_UPDATE,
                            List.of(SetModel.of("set-0", 0, 10, bounds)),
                            false,
                            null);
            for (var all = state.happenings(); !all.isEmpty(); all = state.happenings()) {
                state = all.get(random.nextInt(all.size())).after();
                assertThat(state.ready()).as("seed %d", seed).isGreaterThanOrEqualTo(10);
                assertThat(state.live()).as("seed %d", seed).isLessThanOrEqualTo(11);
            }
            assertThat(state.isSettled()).isTrue();
        }
    }
}
