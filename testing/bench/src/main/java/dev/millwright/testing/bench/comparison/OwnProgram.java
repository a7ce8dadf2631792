package dev.millwright.testing.bench.comparison;

import dev.millwright.core.policy.SchedulingPolicy.Packing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Our planner in a JVM of its own, with the launcher's options and a bounded heap.
public final class OwnProgram {

    public static final List<String> JVM_OPTIONS =
            List.of("-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-Xmx1g");

    private final boolean isQuick;

    OwnProgram(boolean isQuick) {
        this.isQuick = isQuick;
    }

    /// @param fileOrName a problem file, or the name of a generated problem
    OwnFigures measure(Packing packing, String fileOrName) throws InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(OwnRuns.class.getName());
        command.add(packing.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        command.addAll(effort(packing));
        command.add(fileOrName);
        return OwnFigures.read(JsonLine.parse(fileOrName, ChildProcess.run(command)));
    }

    /// Runs measured, and milliseconds to warm up. A search spends what it is allowed, run for run.
    private List<String> effort(Packing packing) {
        return switch (packing) {
            case FIRST_FIT -> isQuick ? List.of("3", "1500") : List.of("5", "3000");
            case CHEAPEST -> List.of("1", "0");
        };
    }
}
