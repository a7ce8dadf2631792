package dev.millwright.world;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.providers.sim.cloud.SimSettings;
import dev.millwright.world.fault.Fault;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// From what a world is made. The same settings make the same world, to the byte.
///
/// @param calmAfter when no fault strikes any more
/// @param types what the cloud sells
/// @param cloud how the cloud behaves in good weather; faults come on top
public record WorldSettings(
        long seed,
        Instant start,
        Duration calmAfter,
        Set<Fault> faults,
        List<InstanceType> types,
        SimSettings cloud,
        Settings operator) {

    /// Any moment will do; this one is a Monday morning.
    public static final Instant START = Instant.parse("2026-01-05T06:00:00Z");

    public WorldSettings {
        var sorted = EnumSet.noneOf(Fault.class);
        sorted.addAll(faults);
        faults = Collections.unmodifiableSet(sorted);
        types = List.copyOf(types);
    }

    /// A world in which nothing goes wrong.
    public static WorldSettings of(long seed, List<InstanceType> types) {
        return new WorldSettings(
                seed, START, Duration.ZERO, Set.of(), types, SimSettings.LIFELIKE, usualOperator());
    }

    /// The operator's defaults, without the metrics of every object: nobody reads them here.
    public static Settings usualOperator() {
        return operator(Map.of());
    }

    /// The usual operator with some more flags, by name without dashes.
    public static Settings operator(Map<String, String> flags) {
        var all = new TreeMap<>(flags);
        all.put("disable-cluster-state-observability", "true");
        return SettingsReader.read(all, Map.of()).settings();
    }

    public WorldSettings withFaults(Set<Fault> wanted, Duration calm) {
        return new WorldSettings(seed, start, calm, wanted, types, cloud, operator);
    }

    public WorldSettings withCloud(SimSettings wanted) {
        return new WorldSettings(seed, start, calmAfter, faults, types, wanted, operator);
    }

    public WorldSettings withOperator(Settings wanted) {
        return new WorldSettings(seed, start, calmAfter, faults, types, cloud, wanted);
    }
}
