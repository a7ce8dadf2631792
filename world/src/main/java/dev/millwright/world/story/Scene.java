package dev.millwright.world.story;

import dev.millwright.providers.sim.cloud.SimSettings;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.scenario.Plot;
import dev.millwright.world.scenario.Script;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// All that a run is made from, spelled out, so that parts of it can be left out.
///
/// @param calmAfter when faults and users are done
/// @param end when the world ends
public record Scene(
        long seed,
        Set<Fault> faults,
        SimSettings cloud,
        Script script,
        Duration calmAfter,
        Duration end) {

    /// Time without faults and users in which all must come right: the bound on waiting pods and
    /// some more.
    public static final Duration CALM = Duration.ofMinutes(35);

    /// Time after users have deleted everything, in which all machines must go.
    public static final Duration DESTRUCTION = Duration.ofMinutes(30);

    public Scene {
        var sorted = EnumSet.noneOf(Fault.class);
        sorted.addAll(faults);
        faults = Collections.unmodifiableSet(sorted);
    }

    public static Scene of(Setting setting) {
        var chance = Chance.of(setting.seed()).stream("scenario " + setting.scenario().name());
        var plot = new Plot(chance, setting.pods(), setting.length());
        var destroyedAt = setting.length().plus(CALM);
        return new Scene(
                setting.seed(),
                setting.allFaults(),
                setting.scenario().cloud(),
                setting.scenario().script(plot).destroyedAt(destroyedAt),
                setting.length(),
                destroyedAt.plus(DESTRUCTION));
    }

    public Scene with(Set<Fault> others) {
        return new Scene(seed, others, cloud, script, calmAfter, end);
    }

    public Scene with(Script other) {
        return new Scene(seed, faults, cloud, other, calmAfter, end);
    }

    public Scene endingAt(Duration earlier) {
        return new Scene(seed, faults, cloud, script, calmAfter, earlier);
    }

    public Scene calmAfter(Duration earlier) {
        return new Scene(seed, faults, cloud, script, earlier, end);
    }
}
