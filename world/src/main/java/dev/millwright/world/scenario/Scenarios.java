package dev.millwright.world.scenario;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// All scenarios, in the order in which seeds go round them.
public final class Scenarios {

    public static final List<Scenario> ALL =
            List.of(
                    new SteadyService(),
                    new MorningRise(),
                    new BatchBurst(),
                    new SpotStorm(),
                    new RollingDeploys(),
                    new BudgetHeavy(),
                    new StatefulZonal(),
                    new Gpu(),
                    new ManyPools(),
                    new FleetDrift(),
                    new DayTrace());

    private Scenarios() {}

    public static @Nullable Scenario find(String name) {
        return ALL.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    }

    /// The one that a seed plays when nobody asks for another.
    public static Scenario of(long seed) {
        return ALL.get((int) Math.floorMod(seed, (long) ALL.size()));
    }
}
