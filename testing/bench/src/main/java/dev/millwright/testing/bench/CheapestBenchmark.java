package dev.millwright.testing.bench;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.bench.problem.BenchProblem;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/// Time and allocation of a whole plan by search, on one thread. A search spends the steps it is
/// allowed, so that one run tells as much as many.
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-Xmx1g"})
@Warmup(iterations = 1)
@Measurement(iterations = 1)
@State(Scope.Benchmark)
public class CheapestBenchmark {

    @Param({"diverse"})
    public String kind = "diverse";

    @Param({"1000", "5000", "10000", "50000"})
    public int pods = 1_000;

    @SuppressWarnings("NullAway.Init") // JMH calls the setup before anything else.
    private SchedulingProblem problem;

    @Setup
    public void make() {
        var made = BenchProblem.parse("%s-%d-fake400".formatted(kind, pods)).problem();
        problem = made.withPolicy(made.policy().withPacking(Packing.CHEAPEST));
    }

    @Benchmark
    public Plan plan() {
        return Planner.plan(problem);
    }
}
