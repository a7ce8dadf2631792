package dev.millwright.testing.bench.comparison;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.bench.problem.BenchProblem;
import dev.millwright.testing.kit.generator.PlainJson;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Solves one problem again and again in this JVM and prints what it cost, as a line of JSON:
/// `OwnRuns first-fit|cheapest RUNS WARM_MILLIS FILE|NAME`. [OwnProgram] starts one for each
/// problem, so that no problem warms the JVM for another.
///
/// CPU time is that of the whole process, with the collector's and the compiler's threads: what the
/// machine had to do for a plan, not what we would like to count.
public final class OwnRuns {

    private static final double NANOS_PER_MILLI = 1e6;

    private static final int WARMUPS_MAX = 1_000;

    /// A run repeats a quick plan until it has taken so long: the system counts a process's CPU
    /// time in hundredths of a second, and the collector works now and then, not in every plan.
    private static final double RUN_MILLIS_MIN = 500;

    /// What one plan took, on average over a run.
    private record Run(
            Plan plan,
            double wallMillis,
            double cpuMillis,
            double threadCpuMillis,
            double allocatedBytes) {}

    private OwnRuns() {}

    public static void main(String[] arguments) {
        if (arguments.length != 4) {
            System.err.println("usage: OwnRuns first-fit|cheapest RUNS WARM_MILLIS FILE|NAME");
            System.exit(2);
        }
        var packing = Packing.valueOf(arguments[0].toUpperCase(Locale.ROOT).replace('-', '_'));
        var read = problem(arguments[3]);
        var problem = read.withPolicy(read.policy().withPacking(packing));
        System.out.println(
                PlainJson.text(
                        measure(
                                problem,
                                Integer.parseInt(arguments[1]),
                                Long.parseLong(arguments[2])),
                        false));
    }

    private static SchedulingProblem problem(String fileOrName) {
        var generated = BenchProblem.parseOrNull(fileOrName);
        if (generated != null) {
            return generated.problem();
        }
        var catalogue =
                new CatalogueDefault(
                        () -> Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT),
                        Ec2Labels.VOCABULARY);
        return new SnapshotReader(catalogue)
                .read(List.of(Source.file(Path.of(fileOrName))))
                .problem();
    }

    private static Map<String, Object> measure(
            SchedulingProblem problem, int runCount, long warmMillis) {
        var cold = run(problem, 1);
        var last = cold;
        var warmups = 1;
        // By CPU time, so that a busy machine warms up as far as an idle one.
        for (var spent = 0.0; warmups < WARMUPS_MAX && spent < warmMillis; warmups++) {
            last = run(problem, 1);
            spent += last.threadCpuMillis();
        }
        var peakHeap = peakHeapBytes(problem);
        var plansPerRun = (int) Math.ceil(RUN_MILLIS_MIN / Math.max(1, last.threadCpuMillis()));
        var runs = new ArrayList<Run>();
        for (var number = 0; number < runCount; number++) {
            // Garbage of the run before is not this run's.
            System.gc();
            runs.add(run(problem, plansPerRun));
        }
        var plan = runs.getLast().plan();
        for (var run : runs) {
            if (!run.plan().equals(cold.plan())) {
                throw new IllegalStateException(
                        "the same problem gave two plans, of %s and %s USD per hour"
                                .formatted(cold.plan().pricePerHour(), run.plan().pricePerHour()));
            }
        }
        System.gc();
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return Fields.of(
                "pods",
                problem.snapshot().pods().size(),
                "types",
                problem.catalogs().firstEntry().getValue().size(),
                "warmups",
                warmups,
                "runs",
                runs.size(),
                "plansPerRun",
                plansPerRun,
                "coldWallMillis",
                cold.wallMillis(),
                "coldCpuMillis",
                cold.cpuMillis(),
                "wallMillis",
                median(runs, Run::wallMillis),
                "cpuMillis",
                median(runs, Run::cpuMillis),
                "threadCpuMillis",
                median(runs, Run::threadCpuMillis),
                "allocatedBytes",
                median(runs, Run::allocatedBytes),
                "peakHeapBytes",
                peakHeap,
                "heapBytes",
                heap,
                "pricePerHour",
                plan.pricePerHour(),
                "lowerBoundPerHour",
                plan.lowerBoundPerHour(),
                "nodes",
                plan.claims().size(),
                "waiting",
                plan.waiting().size());
    }

    private static double median(List<Run> runs, ToDoubleFunction<Run> figure) {
        var sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        // Of an even number the greater one of the middle: never in our favour.
        return sorted[sorted.length / 2];
    }

    private static Run run(SchedulingProblem problem, int plans) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var allocatedBefore = threads.getCurrentThreadAllocatedBytes();
        var threadCpuBefore = threads.getCurrentThreadCpuTime();
        var cpuBefore = system.getProcessCpuTime();
        var wallBefore = System.nanoTime();
        var plan = Planner.plan(problem);
        for (var more = 1; more < plans; more++) {
            plan = Planner.plan(problem);
        }
        var wall = System.nanoTime() - wallBefore;
        var cpu = system.getProcessCpuTime() - cpuBefore;
        var threadCpu = threads.getCurrentThreadCpuTime() - threadCpuBefore;
        var allocated = threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
        return new Run(
                plan,
                wall / NANOS_PER_MILLI / plans,
                cpu / NANOS_PER_MILLI / plans,
                threadCpu / NANOS_PER_MILLI / plans,
                (double) allocated / plans);
    }

    /// Most heap in use while one plan is made, what was in use before included. Parts of the heap
    /// peak at different times: their sum is at least what was used at once.
    private static long peakHeapBytes(SchedulingProblem problem) {
        System.gc();
        heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
        var plan = Planner.plan(problem);
        try {
            return heapPools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        } finally {
            Reference.reachabilityFence(plan);
        }
    }

    private static List<MemoryPoolMXBean> heapPools() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
    }
}
