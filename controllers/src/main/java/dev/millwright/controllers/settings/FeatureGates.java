package dev.millwright.controllers.settings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which features are on, in the order of their declaration.
public record FeatureGates(List<Gate> on) {

    /// A feature that can be switched, and whether it is on when nothing is said.
    public enum Gate {
        NODE_REPAIR("NodeRepair", false),
        RESERVED_CAPACITY("ReservedCapacity", true),
        SPOT_TO_SPOT_CONSOLIDATION("SpotToSpotConsolidation", false),
        NODE_OVERLAY("NodeOverlay", false),
        STATIC_CAPACITY("StaticCapacity", false),
        CAPACITY_BUFFER("CapacityBuffer", false),
        TERMINATE_FIRST_DRIFT("TerminateFirstDrift", false),
        TERMINATE_FIRST_REPAIR("TerminateFirstRepair", false);

        private final String gateName;
        private final boolean isOnByDefault;

        Gate(String gateName, boolean isOnByDefault) {
            this.gateName = gateName;
            this.isOnByDefault = isOnByDefault;
        }

        public String gateName() {
            return gateName;
        }

        public boolean isOnByDefault() {
            return isOnByDefault;
        }

        private static @Nullable Gate named(String name) {
            return Stream.of(values())
                    .filter(gate -> gate.gateName.equals(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    public static final FeatureGates DEFAULT =
            new FeatureGates(Stream.of(Gate.values()).filter(Gate::isOnByDefault).toList());

    public FeatureGates {
        var sorted = EnumSet.noneOf(Gate.class);
        sorted.addAll(on);
        on = List.copyOf(sorted);
    }

    public boolean isOn(Gate gate) {
        return on.contains(gate);
    }

    public FeatureGates with(Gate gate, boolean isOn) {
        Collection<Gate> changed = new ArrayList<>(on);
        changed.remove(gate);
        if (isOn) {
            changed.add(gate);
        }
        return new FeatureGates(List.copyOf(changed));
    }

    /// Pairs such as `NodeRepair=true,StaticCapacity=false` over the defaults. What cannot be read
    /// is told to `faults`, a gate nobody knows to `notes`: it may belong to another version.
    static FeatureGates parse(String text, Consumer<String> faults, Consumer<String> notes) {
        var gates = DEFAULT;
        for (var pair : text.split(",", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            var equals = pair.indexOf('=');
            if (equals < 0) {
                faults.accept(
                        "found \"%s\"; wanted a pair such as NodeRepair=true".formatted(pair));
                continue;
            }
            var name = pair.substring(0, equals).strip();
            var isOn = GoBoolean.parse(pair.substring(equals + 1).strip());
            var gate = Gate.named(name);
            if (isOn == null) {
                faults.accept(
                        "found \"%s\"; wanted %s=true or %s=false".formatted(pair, name, name));
            } else if (gate == null) {
                notes.accept("gate \"%s\" is unknown here and ignored".formatted(name));
            } else {
                gates = gates.with(gate, isOn);
            }
        }
        return gates;
    }

    @Override
    public String toString() {
        return Stream.of(Gate.values())
                .map(gate -> gate.gateName() + "=" + isOn(gate))
                .collect(Collectors.joining(","));
    }
}
