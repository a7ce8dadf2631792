package dev.millwright.testing.bench;

import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.explain.NodeExplainer;
import dev.millwright.core.explain.PodExplainer;
import dev.millwright.core.explain.PoolExplainer;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.bench.problem.BenchFleet;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// How long `explain` takes on a cluster of 1,000 nodes: pods that wait for several reasons, nodes
/// that stay, and the pool with all that can be wrong about it. See `testing/bench/explain.sh`.
///
/// Each question is asked twice; the first round is what a fresh process pays, with classes to load
/// and little compiled, the second what the explanation itself costs. CPU time is that of the
/// thread that explains, and does not grow with what else the machine does.
public final class ExplainTimes {

    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");
    private static final int QUESTIONS = 40;
    private static final double NANOS_PER_MILLI = 1e6;

    /// One thing that is asked; the answer must not be lost, or nothing would be measured.
    private interface Question {
        Object ask();
    }

    private final SchedulingProblem scheduling;
    private final DisruptionProblem disruption;

    private ExplainTimes(SchedulingProblem scheduling, DisruptionProblem disruption) {
        this.scheduling = scheduling;
        this.disruption = disruption;
    }

    /// Measures the fleets that are named behind a folder for them, each like `dense-1000`.
    public static void main(String[] arguments) throws IOException {
        System.out.println(
                "fleet        kind      round   questions  median ms  p95 ms  most ms  CPU median ms  CPU p95 ms");
        for (var name : List.of(arguments).subList(1, arguments.length)) {
            var file = BenchFleet.parse(name).write(Path.of(arguments[0]));
            var reader = new SnapshotReader(new CatalogueDefault(List::of, Ec2Labels.VOCABULARY));
            var read = reader.read(List.of(Source.file(file)));
            var cluster = StandingCluster.of(read, List.of(Source.file(file)), NOW);
            new ExplainTimes(read.problem(), cluster.problem()).run(name);
        }
    }

    private void run(String fleet) {
        var kinds = new TreeMap<String, List<Question>>();
        kinds.put("pod", pods());
        kinds.put("node", nodes());
        kinds.put("nodepool", pools());
        for (var round : List.of("first", "second")) {
            kinds.forEach((kind, questions) -> measure(fleet, kind, round, questions));
        }
    }

    private static void measure(String fleet, String kind, String round, List<Question> questions) {
        var threads = ManagementFactory.getThreadMXBean();
        var millis = new ArrayList<Double>();
        var cpuMillis = new ArrayList<Double>();
        for (var question : questions) {
            var from = System.nanoTime();
            var cpuFrom = threads.getCurrentThreadCpuTime();
            Objects.requireNonNull(question.ask(), "an explanation");
            cpuMillis.add((threads.getCurrentThreadCpuTime() - cpuFrom) / NANOS_PER_MILLI);
            millis.add((System.nanoTime() - from) / NANOS_PER_MILLI);
        }
        millis.sort(null);
        cpuMillis.sort(null);
        System.out.printf(
                Locale.ROOT,
                "%-12s %-9s %-7s %9d  %9.0f  %6.0f  %7.0f  %13.0f  %10.0f%n",
                fleet,
                kind,
                round,
                millis.size(),
                at(millis, 0.50),
                at(millis, 0.95),
                millis.getLast(),
                at(cpuMillis, 0.50),
                at(cpuMillis, 0.95));
    }

    /// The value that so large a share is not above.
    private static double at(List<Double> sorted, double share) {
        return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
    }

    // ---- pods

    private List<Question> pods() {
        var questions = new ArrayList<Question>();
        for (var number = 0; number < QUESTIONS; number++) {
            var pod = waiting(number);
            var problem = with(List.of(pod));
            questions.add(() -> answer(new PodExplainer(problem).explain(pod.name())));
        }
        return questions;
    }

    private static Object answer(@Nullable Object explanation) {
        return explanation == null ? "nothing" : explanation;
    }

    /// It waits for one or two of several reasons, by its number.
    private static Pod waiting(int number) {
        var selector = new TreeMap<String, String>();
        var cpu = "1";
        switch (number % 5) {
            case 0 -> cpu = "4000";
            case 1 -> selector.put(LabelKeys.ZONE, "test-zone-9");
            case 2 -> selector.put("zone", "test-zone-a-1");
            case 3 -> selector.put(LabelKeys.ARCH, "s390x");
            default -> {
                cpu = "4000";
                selector.put("team", "shop");
            }
        }
        return pod("waiting-%03d".formatted(number), cpu, selector);
    }

    private static Pod pod(String name, String cpu, SequencedMap<String, String> selector) {
        return new Pod(
                new ObjectName("default", name),
                name,
                Instant.EPOCH,
                new TreeMap<>(),
                new TreeMap<>(),
                Resources.parse("cpu", cpu, "memory", "1Gi", "pods", "1"),
                PodPlacement.ANYWHERE.withNodeSelector(selector),
                List.of(),
                List.of(),
                false,
                PodState.WAITING);
    }

    private SchedulingProblem with(List<Pod> more) {
        var pods = new ArrayList<>(scheduling.snapshot().pods());
        pods.addAll(more);
        return scheduling.withSnapshot(scheduling.snapshot().withPods(pods));
    }

    // ---- nodes

    private List<Question> nodes() {
        var machines = disruption.machines();
        var questions = new ArrayList<Question>();
        for (var number = 0; number < QUESTIONS; number++) {
            var name = machines.get(number * (machines.size() / QUESTIONS)).name();
            questions.add(() -> answer(new NodeExplainer(disruption).explain(name)));
        }
        return questions;
    }

    // ---- pools

    private List<Question> pools() {
        var name = scheduling.nodePools().getFirst().name();
        var waiting = new ArrayList<Pod>();
        for (var number = 0; number < QUESTIONS; number++) {
            waiting.add(waiting(number));
        }
        List<SchedulingProblem> problems =
                List.of(
                        scheduling,
                        with(waiting),
                        with(waiting.subList(1, 2)),
                        changed(pool -> pool.withLimits(Resources.parse("cpu", "100"))),
                        changed(pool -> pool.withLimits(Resources.parse("nodes", "1000"))),
                        requiring(Requirement.in(LabelKeys.ARCH, "amd46")),
                        requiring(Requirement.in(LabelKeys.INSTANCE_TYPE, "m5.lagre")),
                        requiring(
                                Requirement.in(LabelKeys.ARCH, "arm"),
                                Requirement.in(LabelKeys.ZONE, "nowhere")),
                        requiring(
                                Requirement.of(
                                        LabelKeys.INSTANCE_TYPE,
                                        Operator.EXISTS,
                                        5_000,
                                        List.of())),
                        requiring(Requirement.in("karpenter.sh/capacity-typ", "spot")));
        var questions = new ArrayList<Question>();
        for (var times = 0; times < QUESTIONS / problems.size(); times++) {
            for (var problem : problems) {
                questions.add(
                        () -> answer(new PoolExplainer(problem, disruption).explain(name, "")));
            }
        }
        return questions;
    }

    private SchedulingProblem changed(UnaryOperator<NodePool> change) {
        return scheduling.withNodePools(scheduling.nodePools().stream().map(change).toList());
    }

    private SchedulingProblem requiring(Requirement... requirements) {
        return changed(pool -> pool.withRequirements(List.of(requirements)));
    }
}
