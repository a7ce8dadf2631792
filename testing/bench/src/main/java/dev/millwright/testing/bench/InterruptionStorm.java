package dev.millwright.testing.bench;

import com.sun.management.OperatingSystemMXBean;

import dev.millwright.controllers.operator.AutoscalerEffects;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.interruption.Departures;
import dev.millwright.providers.aws.interruption.QueueController;
import dev.millwright.providers.aws.interruption.Rebalances;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.offering.UnavailableOfferings;
import dev.millwright.runtime.loop.EffectRunner;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.loop.ThreadBranches;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/// How fast a storm of interruptions is dealt with: 15,000 messages, a third of them about
/// scheduled changes, a third about spot, the rest about states, each of another claim. The queue
/// is asked over HTTP; the endpoint is a process of its own, on the same cores. The API server is
/// one in memory. See `testing/bench/interruptions.sh`.
public final class InterruptionStorm {

    private static final int ROUNDS = 3;
    private static final int MESSAGES = 15_000;
    private static final int KINDS = 3;
    private static final int MESSAGES_PER_REQUEST = 1_000;
    private static final List<String> STATES =
            List.of("stopping", "stopped", "shutting-down", "terminated");
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_SECOND = 1e6;

    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private final Rig rig = new Rig(Ec2NodeClass.TYPE);
    private final AtomicInteger deleted = new AtomicInteger();

    public static void main(String[] arguments) {
        System.out.println("round  messages  seconds  messages/s  CPU s  CPU µs/message");
        for (var round = 1; round <= ROUNDS; round++) {
            new InterruptionStorm().run(round);
        }
        System.exit(0);
    }

    private void run(int round) {
        endpoint.fixture();
        for (var number = 0; number < MESSAGES; number++) {
            rig.apply(claim(number));
        }
        send();
        endpoint.forgetCalls();
        try (var clients = endpoint.sdkClients()) {
            var controller =
                    new QueueController(
                            clients.sqs(),
                            AwsEndpoint.QUEUE,
                            AwsEndpoint.REGION,
                            new Departures(
                                    new UnavailableOfferings(),
                                    new CapacityReservations(clients.ec2(), InstantSource.system()),
                                    new Rebalances(Rebalances.Policy.EVENT)),
                            InstantSource.system());
            var runner = runner();
            var cpu = cpuNanos();
            var start = System.nanoTime();
            while (deleted.get() < MESSAGES) {
                var step = controller.step(rig.view(), Controller.SINGLETON, Instant.now());
                if (!(runner.run(step) instanceof Ending.Again)) {
                    throw new IllegalStateException("a round of messages failed");
                }
            }
            tell(round, (System.nanoTime() - start) / NANOS_PER_SECOND, cpuNanos() - cpu);
        }
        var stayed = rig.view().claims().stream().filter(claim -> !claim.isDeleting()).count();
        if (stayed > 0) {
            throw new IllegalStateException(stayed + " claims were not deleted");
        }
        System.out.println("       calls: " + endpoint.calls());
    }

    private static void tell(int round, double seconds, long cpuNanos) {
        System.out.printf(
                Locale.ROOT,
                "%5d  %8d  %7.1f  %10.0f  %5.1f  %14.0f%n",
                round,
                MESSAGES,
                seconds,
                MESSAGES / seconds,
                cpuNanos / NANOS_PER_SECOND,
                cpuNanos / NANOS_PER_SECOND * MICROS_PER_SECOND / MESSAGES);
    }

    private EffectRunner runner() {
        return new EffectRunner(
                rig.view(),
                new Outside(
                        rig.api(),
                        new AutoscalerEffects(rig.cloud()),
                        _ -> {},
                        new Counts(),
                        (_, _, _) -> {},
                        (_, _) -> {},
                        () -> true,
                        Outside.Mode.ACT),
                new ThreadBranches());
    }

    /// Counts the messages that are done with.
    private final class Counts implements Meter {
        @Override
        public void count(MetricFamily family, double amount, List<String> labels) {
            if (family.name().equals("karpenter_interruption_deleted_messages_total")) {
                deleted.addAndGet((int) amount);
            }
        }

        @Override
        public void observe(MetricFamily family, double value, List<String> labels) {}

        @Override
        public void replace(String owner, List<GaugeSample> samples) {}
    }

    private static Manifest claim(int number) {
        return Manifest.claim("claim-" + number)
                .finalizer("karpenter.sh/termination")
                .label("node.kubernetes.io/instance-type", "m5.large")
                .label("topology.kubernetes.io/zone", "us-east-1a")
                .label("karpenter.sh/capacity-type", "spot")
                .providerId("aws:///us-east-1a/" + instanceId(number))
                .spec(
                        "nodeClassRef",
                        Tree.of("group", "karpenter.k8s.aws")
                                .put("kind", "EC2NodeClass")
                                .put("name", "default")
                                .mapping());
    }

    private static String instanceId(int number) {
        return "i-%017x".formatted(number);
    }

    private void send() {
        var bodies = new ArrayList<String>();
        for (var number = 0; number < MESSAGES; number++) {
            bodies.add(text(message(number)));
            if (bodies.size() == MESSAGES_PER_REQUEST || number == MESSAGES - 1) {
                endpoint.messages(AwsEndpoint.QUEUE, bodies);
                bodies.clear();
            }
        }
    }

    private static Tree message(int number) {
        var id = instanceId(number);
        return switch (number % KINDS) {
            case 0 ->
                    envelope("aws.health", "AWS Health Event")
                            .put(
                                    "detail",
                                    Tree.of("service", "EC2")
                                            .put("eventTypeCategory", "scheduledChange")
                                            .putList(
                                                    "affectedEntities",
                                                    List.of(Tree.of("entityValue", id).mapping())));
            case 1 ->
                    envelope("aws.ec2", "EC2 Spot Instance Interruption Warning")
                            .put(
                                    "detail",
                                    Tree.of("instance-id", id).put("instance-action", "terminate"));
            default ->
                    envelope("aws.ec2", "EC2 Instance State-change Notification")
                            .put(
                                    "detail",
                                    Tree.of("instance-id", id)
                                            .put(
                                                    "state",
                                                    STATES.get(number / KINDS % STATES.size())));
        };
    }

    private static Tree envelope(String source, String type) {
        return Tree.of("version", "0")
                .put("id", "7bf73129-1428-4cd3-a780-95db273d1602")
                .put("detail-type", type)
                .put("source", source)
                .put("account", AwsEndpoint.ACCOUNT)
                .put("time", Instant.now().toString())
                .put("region", AwsEndpoint.REGION);
    }

    private static String text(Tree tree) {
        return new String(JsonWriter.bytes(tree.mapping()), StandardCharsets.UTF_8);
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
