package dev.millwright.testing.kit.dashboard;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls;
import dev.millwright.dashboard.picture.Answer;
import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.History;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.CapacityType;
import dev.millwright.dashboard.picture.Picture.Counters;
import dev.millwright.dashboard.picture.Picture.Decision;
import dev.millwright.dashboard.picture.Picture.Deployment;
import dev.millwright.dashboard.picture.Picture.Kind;
import dev.millwright.dashboard.picture.Picture.Machine;
import dev.millwright.dashboard.picture.Picture.Moment;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Pace;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.picture.Picture.Pod;
import dev.millwright.dashboard.picture.Picture.Price;
import dev.millwright.dashboard.picture.Picture.Share;
import dev.millwright.dashboard.picture.Picture.Upcoming;
import dev.millwright.dashboard.picture.Picture.WaitingPod;
import dev.millwright.dashboard.picture.Picture.Workload;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A made-up fleet that can be looked at and acted upon, without a world behind it: nodes by a
/// seed, pods that wait until [#settle] gives them nodes. It is slow and simple, and the same for
/// the same seed.
public final class SampleFleet implements Controls {

    /// The one name that nobody knows anything about.
    public static final String UNKNOWN = "nobody";

    private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
    private static final Duration NOTICE = Duration.ofMinutes(2);
    private static final long GIBI = 1L << 30;
    private static final int CORE = 1_000;
    private static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-east-1c");

    private static final List<String> POOLS = List.of("default", "default", "default", "batch");
    private static final List<String> KEPT =
            List.of(
                    "not consolidated: a replacement is not cheaper",
                    "not consolidated: a replacement is not cheaper",
                    "pod shop/checkout-1 has an active karpenter.sh/do-not-disrupt annotation");

    /// A machine for sale.
    private record Shape(String type, int cores, int gibi, double price) {}

    private static final List<Shape> SHAPES =
            List.of(
                    new Shape("m6i.large", 2, 8, 0.0385),
                    new Shape("c6a.xlarge", 4, 8, 0.0640),
                    new Shape("r6a.xlarge", 4, 32, 0.0754),
                    new Shape("m6i.2xlarge", 8, 32, 0.1542),
                    new Shape("c7g.4xlarge", 16, 32, 0.2398),
                    new Shape("m7a.8xlarge", 32, 128, 0.6120));

    private static final List<Deployment> APPS =
            List.of(
                    new Deployment("shop/checkout", 0, 0, 500, GIBI),
                    new Deployment("shop/search", 0, 0, 1_000, 2 * GIBI),
                    new Deployment("shop/recommendations", 0, 0, 2_000, 6 * GIBI),
                    new Deployment("media/thumbnails", 0, 0, 250, GIBI / 2));

    private final Random random;
    private final List<Shape> shapes;
    private final List<Deployment> apps;
    private final List<Node> nodes = new ArrayList<>();
    private final List<WaitingPod> waiting = new ArrayList<>();
    private final SequencedMap<String, Deployment> deployments = new TreeMap<>();
    private final History history = new History(Duration.ofSeconds(1));
    private final List<Decision> decisions = new ArrayList<>();
    private Instant now = START;
    private double speed = 60;
    private boolean isPaused;
    private boolean isFrozen;
    private long made;
    private long interruptions;

    public SampleFleet(int nodeCount, int podsPerNode, long seed) {
        this(nodeCount, podsPerNode, seed, false);
    }

    /// Large machines and small pods, so that each node has as many as asked for.
    public static SampleFleet dense(int nodeCount, int podsPerNode, long seed) {
        return new SampleFleet(nodeCount, podsPerNode, seed, true);
    }

    private SampleFleet(int nodeCount, int podsPerNode, long seed, boolean isDense) {
        random = new Random(seed);
        shapes = isDense ? SHAPES.subList(4, SHAPES.size()) : SHAPES;
        apps = isDense ? APPS.stream().filter(app -> app.cpuMillis() < CORE).toList() : APPS;
        for (var number = 0; number < nodeCount; number++) {
            launch(podsPerNode);
        }
        countDeployments();
        decide(Kind.WORKLOAD, "a fleet of %d nodes was made up".formatted(nodeCount));
    }

    private void launch(int podsMax) {
        var shape = shapes.get(random.nextInt(shapes.size()));
        var capacity = random.nextInt(4) == 0 ? CapacityType.ON_DEMAND : CapacityType.SPOT;
        var pods = new ArrayList<Pod>();
        var cpu = 0L;
        var memory = 0L;
        while (pods.size() < podsMax) {
            var app = apps.get(random.nextInt(apps.size()));
            if (cpu + app.cpuMillis() > (long) shape.cores() * CORE
                    || memory + app.memoryBytes() > shape.gibi() * GIBI) {
                break;
            }
            cpu += app.cpuMillis();
            memory += app.memoryBytes();
            pods.add(pod(app));
        }
        nodes.add(
                new Node(
                        "default-%05d".formatted(++made),
                        new Machine(
                                POOLS.get((int) (made % POOLS.size())),
                                shape.type(),
                                ZONES.get(random.nextInt(ZONES.size())),
                                capacity,
                                shape.price() * (capacity == CapacityType.SPOT ? 1 : 2.5)),
                        Phase.READY,
                        null,
                        new Share(cpu, (long) shape.cores() * CORE),
                        new Share(memory, shape.gibi() * GIBI),
                        pods,
                        KEPT.get((int) (made % KEPT.size()))));
    }

    private Pod pod(Deployment app) {
        return new Pod(
                "%s-%06d".formatted(app.name(), ++made),
                app.name(),
                app.cpuMillis(),
                app.memoryBytes());
    }

    private void countDeployments() {
        for (var app : APPS) {
            var running =
                    (int)
                            nodes.stream()
                                    .flatMap(node -> node.pods().stream())
                                    .filter(pod -> pod.owner().equals(app.name()))
                                    .count();
            deployments.put(
                    app.name(),
                    new Deployment(
                            app.name(), running, running, app.cpuMillis(), app.memoryBytes()));
        }
    }

    private void decide(Kind kind, String text) {
        decisions.add(new Decision(decisions.size(), now, kind, text));
    }

    /// Time goes on by so much, unless it stands still.
    public synchronized void pass(Duration time) {
        if (!isPaused) {
            now = now.plus(time);
        }
    }

    /// Machines that were to be taken back are, and pods that wait get nodes.
    public synchronized void settle() {
        for (var node : List.copyOf(nodes)) {
            if (node.phase() == Phase.INTERRUPTED) {
                nodes.remove(node);
                decide(Kind.REMOVE, node.name() + " is gone");
            }
        }
        while (!waiting.isEmpty()) {
            var some = List.copyOf(waiting.subList(0, Math.min(8, waiting.size())));
            waiting.removeAll(some);
            launch(0);
            var node = nodes.removeLast();
            var pods = some.stream().map(WaitingPod::pod).toList();
            nodes.add(
                    new Node(
                            node.name(),
                            node.machine(),
                            Phase.STARTING,
                            null,
                            new Share(sum(pods), Math.max(sum(pods), node.cpuMillis().total())),
                            node.memoryBytes(),
                            pods));
            decide(Kind.LAUNCH, "%s for %d pods".formatted(node.machine().type(), pods.size()));
        }
    }

    private static long sum(List<Pod> pods) {
        return pods.stream().mapToLong(Pod::cpuMillis).sum();
    }

    @Override
    public synchronized Outcome carryOut(Action action) {
        return switch (action) {
            case Action.AddPods(var count, var cpu, var mebibytes) -> {
                wait("visitor/pods", count, cpu, (long) mebibytes << 20);
                yield done("%d pods were added".formatted(count));
            }
            case Action.Scale(var name, var replicas) -> scale(name, replicas);
            case Action.Interrupt(var name) -> interrupt(name);
            case Action.Freeze(var wanted) -> {
                isFrozen = wanted;
                yield done(wanted ? "frozen" : "no longer frozen");
            }
            case Action.Pause(var wanted) -> {
                isPaused = wanted;
                yield done(wanted ? "paused" : "going on");
            }
            case Action.Speed(var wanted) -> {
                speed = wanted;
                yield done("speed " + wanted);
            }
        };
    }

    private Outcome done(String text) {
        decide(Kind.VISITOR, text);
        return new Outcome.Done(text);
    }

    private void wait(String owner, int count, long cpu, long memory) {
        for (var each = 0; each < count; each++) {
            waiting.add(
                    new WaitingPod(
                            new Pod("%s-%06d".formatted(owner, ++made), owner, cpu, memory),
                            now,
                            "no node has room; a node is on its way"));
        }
    }

    private Outcome scale(String name, int replicas) {
        var old = deployments.get(name);
        if (old == null) {
            return new Outcome.Refused("there is no Deployment " + name);
        }
        if (replicas > old.wanted()) {
            wait(name, replicas - old.wanted(), old.cpuMillis(), old.memoryBytes());
        }
        deployments.put(
                name,
                new Deployment(
                        name,
                        replicas,
                        Math.min(old.ready(), replicas),
                        old.cpuMillis(),
                        old.memoryBytes()));
        return done("%s has %d replicas".formatted(name, replicas));
    }

    private Outcome interrupt(String name) {
        for (var index = 0; index < nodes.size(); index++) {
            var node = nodes.get(index);
            if (node.name().equals(name)) {
                nodes.set(
                        index,
                        new Node(
                                name,
                                node.machine(),
                                Phase.INTERRUPTED,
                                now.plus(NOTICE),
                                node.cpuMillis(),
                                node.memoryBytes(),
                                node.pods()));
                interruptions++;
                decide(Kind.INTERRUPT, name + " will be taken back in two minutes");
                return new Outcome.Done(name + " will be taken back");
            }
        }
        return new Outcome.Refused("there is no node " + name);
    }

    public synchronized Picture picture() {
        var price = nodes.stream().mapToDouble(node -> node.machine().pricePerHour()).sum();
        var bound = price * 0.86;
        var pods = nodes.stream().mapToInt(node -> node.pods().size()).sum();
        history.add(new Moment(now, price, bound, nodes.size(), pods));
        return new Picture(
                "sample",
                new Pace(START, now, speed, isPaused),
                isFrozen,
                nodes,
                new Workload(List.copyOf(deployments.values()), waiting),
                new Price(price, bound, history.moments()),
                new Counters(pods, nodes.size(), interruptions, 0, interruptions, 0),
                decisions,
                upcoming());
    }

    /// The oldest of the ready nodes, and the two after it.
    private List<Upcoming> upcoming() {
        var names =
                nodes.stream()
                        .filter(node -> node.phase() == Phase.READY)
                        .limit(3)
                        .map(Node::name)
                        .toList();
        return names.size() < 3
                ? List.of()
                : List.of(
                        new Upcoming(
                                names.subList(0, 1),
                                "empty, by emptiness",
                                "nothing is bought in its place",
                                0.0385,
                                Picture.Stage.BEGUN),
                        new Upcoming(
                                names.subList(1, 3),
                                "underutilized, by multi node",
                                "replaced by c6a.xlarge",
                                0.0640,
                                Picture.Stage.DECIDED));
    }

    /// Says the same about everything, for pages that only need something to show.
    public Answers answers() {
        return new Answers() {
            @Override
            public Reply explain(Subject subject) {
                return subject.name().equals(UNKNOWN)
                        ? new Reply.Unknown("there is no %s any more".formatted(UNKNOWN))
                        : new Reply.Known(
                                new Answer(
                                        subject.name(),
                                        "It stays.",
                                        List.of("underutilized: a replacement is not cheaper"),
                                        List.of("NodePool default: set consolidateAfter to 0s"),
                                        "It was decided again with this, and the node went."));
            }

            @Override
            public Reply decision(long number) {
                return new Reply.Known(
                        Answer.of(
                                "Provisioning",
                                "decision " + number,
                                List.of("launch m6i.large for pod shop/web-1")));
            }
        };
    }
}
