package dev.millwright.world.story;

import dev.millwright.world.fault.Fault;
import dev.millwright.world.scenario.Scenario;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// What a person asks for: a seed, a scenario, faults, how long and how big.
///
/// @param length while users and faults are at work; calm and the end of all come after it
/// @param pods about how many
public record Setting(long seed, Scenario scenario, Set<Fault> faults, Duration length, int pods) {

    public Setting {
        var sorted = EnumSet.noneOf(Fault.class);
        sorted.addAll(faults);
        faults = Collections.unmodifiableSet(sorted);
    }

    /// The faults that were asked for and those that belong to the scenario.
    public Set<Fault> allFaults() {
        var all = EnumSet.noneOf(Fault.class);
        all.addAll(faults);
        all.addAll(scenario.faults());
        return all;
    }

    public Setting with(Set<Fault> others) {
        return new Setting(seed, scenario, others, length, pods);
    }
}
