package dev.millwright.testing.bench.problem;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.bench.problem.FleetObjects.Bought;
import dev.millwright.testing.kit.generator.PlainJson;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/// A fleet that runs, made from its name alone: `dense-1000`, or with a seed `dense-1000-s7`.
///
/// Every node was bought for what it held: it is the cheapest machine for its pods, filled until
/// the next pods had no room. `DENSE` is that fleet, `SLACK` one of twice the pods after half of
/// them have gone.
public record BenchFleet(Load load, int nodes, long seed) {

    /// How full the fleet is.
    public enum Load {
        SLACK,
        DENSE;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int NODES_MAX = 10_000;

    private static final Pattern NAME =
            Pattern.compile("(slack|dense)-([0-9]{1,5})(?:-s([0-9]{1,18}))?");

    /// Small pods are many, large ones few.
    private static final int[] CPU_MILLIS = {
        100, 100, 150, 200, 200, 250, 250, 300, 400, 500, 500, 750, 1_000, 1_500, 2_000
    };

    private static final int[] MEBIBYTES_PER_CPU = {1_024, 2_048, 2_048, 4_096, 4_096, 6_144};

    private static final long BYTES_PER_MEBIBYTE = 1L << 20;

    /// Pods that are tried before a node counts as full.
    private static final int MISSES_MAX = 6;

    private static final int WORKLOADS_MIN = 40;
    private static final int NODES_PER_WORKLOAD = 4;

    /// Pods that a node is bought for; as it is then filled up, it ends with half again as many.
    private static final int PODS_MIN = 13;

    private static final int PODS_MORE = 11;

    public BenchFleet {
        if (nodes < 1 || nodes > NODES_MAX) {
            throw new IllegalArgumentException(
                    "%d nodes; wanted at least 1 and at most %d".formatted(nodes, NODES_MAX));
        }
    }

    public static BenchFleet parse(String name) {
        var parts = NAME.matcher(name);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "fleet \"%s\" is not like dense-1000 or slack-500-s7".formatted(name));
        }
        var seed = parts.group(3);
        return new BenchFleet(
                Load.valueOf(parts.group(1).toUpperCase(Locale.ROOT)),
                Integer.parseInt(parts.group(2)),
                seed == null ? BenchProblem.SEED_DEFAULT : Long.parseLong(seed));
    }

    public String name() {
        var name = "%s-%d".formatted(load.text(), nodes);
        return seed == BenchProblem.SEED_DEFAULT ? name : name + "-s" + seed;
    }

    /// Writes it as a List of objects with a catalogue, unless the folder has it: a name is one
    /// fleet for ever.
    public Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        var file = folder.resolve(name() + ".json.gz");
        if (Files.notExists(file)) {
            var part = folder.resolve(name() + ".part");
            try (var stream = new GZIPOutputStream(Files.newOutputStream(part))) {
                stream.write(text().getBytes(StandardCharsets.UTF_8));
            }
            Files.move(part, file);
        }
        return file;
    }

    String text() {
        var types = ProblemCatalogue.AWSLIKEOD.types();
        return PlainJson.text(
                ProblemText.map(
                        "apiVersion",
                        "v1",
                        "kind",
                        "List",
                        "metadata",
                        ProblemText.map("name", name()),
                        "instanceTypes",
                        types.stream().map(ProblemText::type).toList(),
                        "items",
                        new Filling(types).items()),
                false);
    }

    private record Workload(String name, long cpuMilli, long memoryBytes) {}

    /// What a machine has room for.
    private record Room(
            InstanceType type, Offering offering, long cpuMilli, long bytes, long pods) {

        static Room of(InstanceType type) {
            var allocatable = type.allocatable();
            return new Room(
                    type,
                    type.offerings().getFirst(),
                    ProblemText.millis(allocatable),
                    allocatable.amount(Resources.MEMORY).units(),
                    allocatable.amount(Resources.PODS).units());
        }

        boolean holds(List<Workload> pods) {
            return pods.size() <= this.pods
                    && pods.stream().mapToLong(Workload::cpuMilli).sum() <= cpuMilli
                    && pods.stream().mapToLong(Workload::memoryBytes).sum() <= bytes;
        }
    }

    /// Draws nodes and pods, in the order of the seed.
    private final class Filling {
        private final Random chance = new Random(seed);
        private final List<Room> rooms;
        private final List<Workload> workloads = new ArrayList<>();
        private int podCount;

        Filling(List<InstanceType> types) {
            rooms =
                    types.stream()
                            .map(Room::of)
                            .sorted(
                                    Comparator.comparingDouble(
                                                    (Room room) -> room.offering().pricePerHour())
                                            .thenComparing(room -> room.type().name()))
                            .toList();
            var count = WORKLOADS_MIN + nodes / NODES_PER_WORKLOAD;
            for (var number = 0; number < count; number++) {
                var cpuMilli = CPU_MILLIS[chance.nextInt(CPU_MILLIS.length)];
                var mebibytes =
                        cpuMilli
                                * MEBIBYTES_PER_CPU[chance.nextInt(MEBIBYTES_PER_CPU.length)]
                                / 1_000;
                workloads.add(
                        new Workload(
                                "app-%04d".formatted(number),
                                cpuMilli,
                                mebibytes * BYTES_PER_MEBIBYTE));
            }
        }

        List<Object> items() {
            var items = new ArrayList<>();
            items.add(FleetObjects.pool());
            for (var number = 0; number < nodes; number++) {
                addNode("node-%05d".formatted(number), items);
            }
            return items;
        }

        private void addNode(String name, List<Object> items) {
            var times = load == Load.SLACK ? 2 : 1;
            var pods = drawn(times * (PODS_MIN + chance.nextInt(PODS_MORE)));
            fill(pods, cheapest(pods));
            var room = cheapest(pods);
            if (load == Load.SLACK) {
                pods.removeIf(_ -> chance.nextBoolean());
            }
            var offerings = room.type().offerings();
            var offering = offerings.get(chance.nextInt(offerings.size()));
            var bought = new Bought(room.type(), offering.zone(), offering.capacityType());
            items.add(FleetObjects.claim(name, bought));
            items.add(FleetObjects.node(name, bought));
            for (var pod : pods) {
                items.add(
                        FleetObjects.pod(
                                "%s-%06d".formatted(pod.name(), podCount++),
                                pod.name(),
                                pod.cpuMilli(),
                                pod.memoryBytes(),
                                name));
            }
        }

        private List<Workload> drawn(int count) {
            var pods = new ArrayList<Workload>();
            while (pods.size() < count) {
                pods.add(drawn());
            }
            return pods;
        }

        private Workload drawn() {
            return workloads.get(chance.nextInt(workloads.size()));
        }

        private void fill(List<Workload> pods, Room room) {
            for (var misses = 0; misses < MISSES_MAX; ) {
                pods.add(drawn());
                if (!room.holds(pods)) {
                    pods.removeLast();
                    misses++;
                }
            }
        }

        private Room cheapest(List<Workload> pods) {
            return rooms.stream()
                    .filter(room -> room.holds(pods))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new IllegalStateException(
                                            "no machine holds %d pods".formatted(pods.size())));
        }
    }
}
