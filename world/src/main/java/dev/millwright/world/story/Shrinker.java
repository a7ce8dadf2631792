package dev.millwright.world.story;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.invariant.Breach;
import dev.millwright.world.scenario.Deed;
import dev.millwright.world.scenario.Line;
import dev.millwright.world.scenario.Script;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;

/// Leaves out of a scene that fails whatever it fails without: time, faults, deeds, pods.
public final class Shrinker {

    /// Runs that one scene is worth.
    private static final int RUNS_MAX = 200;

    /// What must still happen after a breach for it to be seen.
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Function<Scene, Ending> play;
    private final String invariant;
    private Scene best;
    private Breach breach;
    private int runs;

    private Shrinker(Function<Scene, Ending> play, Scene scene, Breach breach) {
        this.play = play;
        this.invariant = breach.invariant();
        this.best = scene;
        this.breach = breach;
    }

    /// A scene that breaks the same invariant, and how.
    public record Shrunk(Scene scene, Breach breach, int runs) {}

    /// `play` is asked for each smaller scene.
    public static Shrunk shrink(Function<Scene, Ending> play, Scene scene, Breach breach) {
        var shrinker = new Shrinker(play, scene, breach);
        shrinker.shrink();
        return new Shrunk(shrinker.best, shrinker.breach, shrinker.runs);
    }

    private void shrink() {
        cutTime();
        leaveOut(
                List.copyOf(best.faults()),
                kept ->
                        best.with(
                                kept.isEmpty()
                                        ? EnumSet.noneOf(Fault.class)
                                        : EnumSet.copyOf(kept)));
        leaveOutDeeds();
        halvePods();
        cutTime();
        leaveOutDeeds();
    }

    /// Without pools and classes every pod would wait, which is another story.
    private void leaveOutDeeds() {
        var grounds = best.script().lines().stream().filter(Shrinker::isGround).toList();
        leaveOut(
                best.script().lines().stream().filter(line -> !isGround(line)).toList(),
                kept -> {
                    var lines = new ArrayList<>(grounds);
                    lines.addAll(kept);
                    return best.with(new Script(lines));
                });
    }

    private static boolean isGround(Line line) {
        return line.deed() instanceof Deed.Create(var type, _, _)
                && !type.isNamespaced()
                && line.at().isZero();
    }

    /// The world ends where it broke, when it breaks there: some invariants are only judged at the
    /// end.
    private void cutTime() {
        var length = Duration.between(WorldSettings.START, breach.at()).plus(MARGIN);
        if (length.compareTo(best.end()) < 0) {
            tryScene(best.endingAt(length));
        }
    }

    /// Takes away halves, then quarters, down to single ones, as long as it still fails.
    private <T> void leaveOut(List<T> all, Function<List<T>, Scene> scene) {
        var kept = new ArrayList<>(all);
        for (var size = Math.max(1, kept.size() / 2); size >= 1 && !kept.isEmpty(); size /= 2) {
            for (var from = 0; from < kept.size(); ) {
                var fewer = new ArrayList<>(kept);
                fewer.subList(from, Math.min(kept.size(), from + size)).clear();
                if (tryScene(scene.apply(fewer))) {
                    kept = fewer;
                } else {
                    from += size;
                }
            }
        }
    }

    private void halvePods() {
        while (tryScene(best.with(halved(best.script())))) {
            // Each success is smaller than the one before; at one pod each nothing is halved.
        }
    }

    private static Script halved(Script script) {
        return new Script(script.lines().stream().map(Shrinker::halved).toList());
    }

    private static Line halved(Line line) {
        return switch (line.deed()) {
            case Deed.Create(var type, var namespace, var body) ->
                    new Line(
                            line.at(),
                            new Deed.Create(type, namespace, halved(body)),
                            line.words());
            case Deed.Change(var type, var name, var patch) ->
                    new Line(line.at(), new Deed.Change(type, name, halved(patch)), line.words());
            case Deed.Delete _, Deed.DeleteNode _, Deed.Publish _ -> line;
        };
    }

    private static Value.Mapping halved(Value.Mapping object) {
        if (!(object.fields().get("spec") instanceof Value.Mapping spec)) {
            return object;
        }
        var smaller = Tree.of();
        spec.fields()
                .forEach(
                        (name, value) -> {
                            var half = half(name, value);
                            if (half == null) {
                                smaller.put(name, value);
                            } else {
                                smaller.put(name, half);
                            }
                        });
        var copy = Tree.of();
        object.fields().forEach(copy::put);
        return copy.put("spec", smaller).mapping();
    }

    private static @Nullable Long half(String name, Value value) {
        var isCount =
                name.equals("replicas") || name.equals("parallelism") || name.equals("completions");
        return isCount && value instanceof Value.Numeral(_, var text)
                ? Long.valueOf((Long.parseLong(text) + 1) / 2)
                : null;
    }

    /// Whether the scene fails too; it is the best then.
    private boolean tryScene(Scene scene) {
        if (runs >= RUNS_MAX || scene.equals(best)) {
            return false;
        }
        runs++;
        var found = play.apply(scene).breach(invariant);
        if (found == null) {
            return false;
        }
        best = scene;
        breach = found;
        return true;
    }
}
