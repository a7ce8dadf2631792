package dev.millwright.testing.kit;

import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Whole pods lists by kind and seed. The same seed gives the same pods on every machine.
public final class Problems {

    private static final List<String> CPUS = List.of("100m", "250m", "500m", "1000m", "1500m");
    private static final List<String> MEMORIES =
            List.of("100Mi", "256Mi", "512Mi", "1024Mi", "2048Mi", "4096Mi");
    private static final List<String> LETTERS = List.of("a", "b", "c", "d", "e", "f", "g");

    private static final String LABEL = "my-label";

    /// Spelt as the peer's benchmark spells it.
    private static final String AFFINITY_LABEL = "my-affininity";

    private static final Map<String, String> NGINX = Map.of("app", "nginx");

    /// Sizes of [#randomSizes]: thousandths of a cpu, in tens, and Mi of memory for one cpu.
    private static final int CPU_TENS_MIN = 5;

    private static final int CPU_TENS_MAX = 800;
    private static final int MEMORY_PER_CPU_MIN = 512;
    private static final int MEMORY_PER_CPU_MAX = 8_192;

    private Problems() {}

    /// Pods of one of thirty shapes with a random label and no wish at all.
    public static List<PodBuilder> generic(int count, long seed) {
        return draw(count, seed, Problems::generic);
    }

    /// A fifth each: generic; spread over zones; spread over hosts; near their like in a zone; one
    /// nginx a host. What does not divide by five is generic too.
    public static List<PodBuilder> diverse(int count, long seed) {
        var fifth = count / 5;
        var random = new Random(seed);
        return Stream.of(
                        draw(1, count - 4 * fifth, random, Problems::generic),
                        draw(count - 4 * fifth + 1, fifth, random, Problems::zoneSpread),
                        draw(count - 3 * fifth + 1, fifth, random, Problems::hostSpread),
                        draw(count - 2 * fifth + 1, fifth, random, Problems::selfAffinity),
                        draw(count - fifth + 1, fifth, random, Problems::onePerHost))
                .flatMap(List::stream)
                .toList();
    }

    /// Generic pods whose cpu is spread evenly over orders of magnitude from 50m to 8, and whose
    /// memory is half a Gi to 8Gi for a cpu.
    public static List<PodBuilder> randomSizes(int count, long seed) {
        return draw(count, seed, Problems::randomSize);
    }

    /// One nginx a host, each with one wish that can be met and three that cannot: the price of
    /// giving up wishes.
    public static List<PodBuilder> preferring(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(
                        number ->
                                Given.pod(name(number))
                                        .cpu("1")
                                        .memory("1Gi")
                                        .labels(NGINX)
                                        .podAntiAffinity(HOSTNAME, NGINX)
                                        .prefers(1, Given.in(ZONE, FakeCatalogue.ZONE_1))
                                        .prefers(10, Given.in(ZONE, "zone-that-does-not-exist"))
                                        .prefersPodAntiAffinity(1, ZONE, NGINX)
                                        .softSpread(ZONE, 1, NGINX))
                .toList();
    }

    private static List<PodBuilder> draw(
            int count, long seed, BiFunction<PodBuilder, Random, PodBuilder> kind) {
        return draw(1, count, new Random(seed), kind);
    }

    private static List<PodBuilder> draw(
            int first, int count, Random random, BiFunction<PodBuilder, Random, PodBuilder> kind) {
        return IntStream.range(first, first + count)
                .mapToObj(number -> kind.apply(Given.pod(name(number)), random))
                .toList();
    }

    private static String name(int number) {
        return "p%06d".formatted(number);
    }

    private static PodBuilder generic(PodBuilder pod, Random random) {
        return shaped(pod.label(LABEL, any(LETTERS, random)), random);
    }

    private static PodBuilder zoneSpread(PodBuilder pod, Random random) {
        return spread(pod, ZONE, random);
    }

    private static PodBuilder hostSpread(PodBuilder pod, Random random) {
        return spread(pod, HOSTNAME, random);
    }

    private static PodBuilder spread(PodBuilder pod, String key, Random random) {
        return generic(pod, random).spread(key, 1, Map.of(LABEL, any(LETTERS, random)));
    }

    private static PodBuilder selfAffinity(PodBuilder pod, Random random) {
        var labels = Map.of(AFFINITY_LABEL, any(LETTERS, random));
        return shaped(pod.labels(labels), random).podAffinity(ZONE, labels);
    }

    private static PodBuilder onePerHost(PodBuilder pod, Random random) {
        return shaped(pod.labels(NGINX), random).podAntiAffinity(HOSTNAME, NGINX);
    }

    private static PodBuilder randomSize(PodBuilder pod, Random random) {
        var cpuTens = between(CPU_TENS_MIN, CPU_TENS_MAX, random);
        var perCpu = between(MEMORY_PER_CPU_MIN, MEMORY_PER_CPU_MAX, random);
        return pod.label(LABEL, any(LETTERS, random))
                .cpu(cpuTens * 10 + "m")
                .memory(cpuTens * perCpu / 100 + "Mi");
    }

    /// Evenly by order of magnitude. `StrictMath`, so that every machine draws the same.
    private static int between(int least, int most, Random random) {
        var ratio = (double) most / least;
        return (int) (least * StrictMath.pow(ratio, random.nextDouble()));
    }

    private static PodBuilder shaped(PodBuilder pod, Random random) {
        return pod.cpu(any(CPUS, random)).memory(any(MEMORIES, random));
    }

    private static String any(List<String> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
