package dev.millwright.world.scenario;

import dev.millwright.providers.sim.cloud.SimSettings;
import dev.millwright.world.fault.Fault;

import java.util.Set;

/// A kind of cluster life.
public interface Scenario {

    /// As it is called on the command line.
    String name();

    /// One sentence for people.
    String about();

    /// The cloud it wants, before faults are added.
    default SimSettings cloud() {
        return SimSettings.LIFELIKE;
    }

    /// The weather that belongs to it, whatever faults are asked for besides.
    default Set<Fault> faults() {
        return Set.of();
    }

    /// The same plot gives the same script.
    Script script(Plot plot);
}
