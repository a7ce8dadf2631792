package dev.millwright.testing.kit;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.quantity.Resources;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Catalogues for tests: machines of a made-up cloud with three zones.
public final class FakeCatalogue {

    public static final String ZONE_1 = "test-zone-1";
    public static final String ZONE_2 = "test-zone-2";
    public static final String ZONE_3 = "test-zone-3";

    /// Labels of the made-up cloud: `small` or `large`; `optional` on large ones; the number of
    /// cpus.
    public static final String SIZE = "size";

    public static final String SPECIAL = "special";
    public static final String INTEGER = "integer";

    public static final String GPU_A = "fake.com/vendor-a";
    public static final String GPU_B = "fake.com/vendor-b";

    public static final Resources OVERHEAD = Resources.parse("cpu", "100m", "memory", "10Mi");

    public static final LabelVocabulary VOCABULARY =
            LabelVocabulary.CORE.withWellKnown(
                    List.of(SIZE, SPECIAL, INTEGER, LabelVocabulary.DEFAULT_RESERVATION_ID_KEY));

    private FakeCatalogue() {}

    /// Six machines that differ in one respect each.
    public static List<InstanceType> standard() {
        return List.of(
                type("default-instance-type").build(),
                type("small-instance-type").cpu("2").memory("2Gi").build(),
                type("gpu-vendor-instance-type").resource(GPU_A, "2").build(),
                type("gpu-vendor-b-instance-type").resource(GPU_B, "2").build(),
                type("arm-instance-type")
                        .arch("arm64")
                        .systems("darwin", "ios", "linux", "windows")
                        .cpu("16")
                        .memory("128Gi")
                        .build(),
                type("single-pod-instance-type").pods(1).build());
    }

    /// Machines `fake-it-0` and up: number N has N+1 cpus, 2(N+1) Gi and 10(N+1) pods.
    public static List<InstanceType> linear(int count) {
        return IntStream.range(0, count).mapToObj(FakeCatalogue::linearType).toList();
    }

    private static InstanceType linearType(int number) {
        var factor = number + 1;
        return type("fake-it-" + number)
                .cpu(Integer.toString(factor))
                .memory(2 * factor + "Gi")
                .pods(10 * factor)
                .build();
    }

    /// Every mix of size, zone, capacity type, operating system and architecture: 1,344 machines,
    /// each offered in one way, named like `1-cpu-2-mem-arm64-linux-test-zone-1-spot`.
    public static List<InstanceType> assorted() {
        return IntStream.of(1, 2, 4, 8, 16, 32, 64)
                .boxed()
                .flatMap(
                        cpu ->
                                IntStream.of(1, 2, 4, 8, 16, 32, 64, 128)
                                        .boxed()
                                        .flatMap(memory -> assorted(cpu, memory)))
                .toList();
    }

    private static Stream<InstanceType> assorted(int cpu, int memory) {
        return Stream.of(ZONE_1, ZONE_2, ZONE_3)
                .flatMap(
                        zone ->
                                Stream.of("on-demand", "spot")
                                        .flatMap(
                                                capacityType ->
                                                        assorted(cpu, memory, zone, capacityType)));
    }

    private static Stream<InstanceType> assorted(
            int cpu, int memory, String zone, String capacityType) {
        return Stream.of("linux", "windows")
                .flatMap(
                        system ->
                                Stream.of("amd64", "arm64")
                                        .map(
                                                arch -> {
                                                    var name =
                                                            "%d-cpu-%d-mem-%s-%s-%s-%s"
                                                                    .formatted(
                                                                            cpu,
                                                                            memory,
                                                                            arch,
                                                                            system,
                                                                            zone,
                                                                            capacityType);
                                                    var type =
                                                            type(name)
                                                                    .cpu(Integer.toString(cpu))
                                                                    .memory(memory + "Gi")
                                                                    .arch(arch)
                                                                    .systems(system);
                                                    return type.offering(
                                                                    zone,
                                                                    capacityType,
                                                                    type.price())
                                                            .build();
                                                }));
    }

    /// A tenth of a dollar for a cpu and for 1e9 bytes, one dollar for each kind of GPU.
    public static double price(Resources capacity) {
        var price =
                0.1 * capacity.amount(Resources.CPU).toDouble()
                        + 0.1 * capacity.amount(Resources.MEMORY).toDouble() / 1e9;
        return price + (capacity.has(GPU_A) ? 1 : 0) + (capacity.has(GPU_B) ? 1 : 0);
    }

    /// Spot in two zones, on demand in three.
    public static List<Offering> offerings(double price) {
        return List.of(
                Offering.of(ZONE_1, LabelKeys.CAPACITY_TYPE_SPOT, price),
                Offering.of(ZONE_2, LabelKeys.CAPACITY_TYPE_SPOT, price),
                Offering.of(ZONE_1, LabelKeys.CAPACITY_TYPE_ON_DEMAND, price),
                Offering.of(ZONE_2, LabelKeys.CAPACITY_TYPE_ON_DEMAND, price),
                Offering.of(ZONE_3, LabelKeys.CAPACITY_TYPE_ON_DEMAND, price));
    }

    private static InstanceTypeBuilder type(String name) {
        return InstanceTypeBuilder.named(name);
    }
}
