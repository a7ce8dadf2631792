package dev.millwright.cli;

import dev.millwright.cli.market.MarketSettings;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.snapshot.PoolCatalogues;
import dev.millwright.kube.snapshot.SnapshotFile;
import dev.millwright.kube.snapshot.SnapshotReader;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.SequencedMap;

/// Reads files and solves them, with what it cost.
final class Planning {

    /// A plan and what making it took.
    record Measured(Plan plan, double wallMillis, double cpuMillis, long allocatedBytes) {}

    private static final double NANOS_PER_MILLI = 1e6;

    /// Makes the machines on sale of what a command was told of them.
    @FunctionalInterface
    interface Markets {
        PoolCatalogues of(MarketSettings settings);
    }

    private final Markets markets;
    private final SnapshotReader reader;
    private final Terminal terminal;

    Planning(Markets markets, Terminal terminal) {
        this(markets, new SnapshotReader(markets.of(MarketSettings.USUAL)), terminal);
    }

    private Planning(Markets markets, SnapshotReader reader, Terminal terminal) {
        this.markets = markets;
        this.reader = reader;
        this.terminal = terminal;
    }

    /// The same with what a command was told.
    Planning told(MarketOptions options) throws IOException {
        return new Planning(
                markets,
                new SnapshotReader(markets.of(options.settings()), options.isStrict()),
                terminal);
    }

    SnapshotFile read(List<String> files) {
        return readSources(files.stream().map(file -> source(file, terminal)).toList());
    }

    SnapshotFile readSources(List<Source> sources) {
        return reader.read(sources);
    }

    SnapshotFile read(String name, SequencedMap<ResourceType, List<Value.Mapping>> objects) {
        return reader.read(name, objects);
    }

    /// A file by its path, or standard input by a dash.
    static Source source(String file, Terminal terminal) {
        if (file.equals("-")) {
            return Source.standardInput(terminal.in());
        }
        try {
            return Source.file(Path.of(file));
        } catch (InvalidPathException unusable) {
            throw new DocumentException(
                    Fault.ofText(
                            Position.of(Shortened.of(file)),
                            "is no path: " + unusable.getReason()));
        }
    }

    /// Pods a node may be launched for; those of nodes that go come on top.
    static long waiting(SchedulingProblem problem) {
        return problem.snapshot().pods().stream()
                .filter(pod -> pod.state().isProvisionable())
                .count();
    }

    /// Distinct instance types of all pools.
    static int types(SchedulingProblem problem) {
        var names = new HashSet<String>();
        problem.catalogs().values().forEach(types -> types.forEach(type -> names.add(type.name())));
        return names.size();
    }

    /// CPU time and allocation are those of this thread: the core starts none of its own.
    static Measured measure(SchedulingProblem problem) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        var allocatedBefore = threads.getCurrentThreadAllocatedBytes();
        var cpuBefore = threads.getCurrentThreadCpuTime();
        var wallBefore = System.nanoTime();
        var plan = Planner.plan(problem);
        var wall = System.nanoTime() - wallBefore;
        var cpu = threads.getCurrentThreadCpuTime() - cpuBefore;
        var allocated = threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
        return new Measured(plan, wall / NANOS_PER_MILLI, cpu / NANOS_PER_MILLI, allocated);
    }
}
