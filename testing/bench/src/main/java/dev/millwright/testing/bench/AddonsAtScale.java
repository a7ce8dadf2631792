package dev.millwright.testing.bench;

import dev.millwright.testing.kit.addons.ManyClusters;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Has both controllers of the add-ons put ten charts on a thousand clusters, of which one does not
/// answer, and says how long it took and how much memory was in use. Helm itself is played: its
/// processes are beside the operator's, ten at a time.
public final class AddonsAtScale {

    private static final int CLUSTERS = 1_000;
    private static final int CHARTS = 10;
    private static final Duration TIME_MAX = Duration.ofMinutes(10);
    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(10);

    private AddonsAtScale() {}

    public static void main(String[] arguments) throws InterruptedException, IOException {
        try (var fleet = new ManyClusters(CLUSTERS, CHARTS)) {
            var began = System.nanoTime();
            fleet.start();
            var isWithoutSilent = others(fleet);
            var others = System.nanoTime();
            System.out.printf(
                    "%d of %d releases ready while cluster %s does not answer: %.1f s%n",
                    fleet.readyCount(),
                    CLUSTERS * CHARTS,
                    ManyClusters.silent(),
                    (others - began) / 1e9);
            fleet.helm().answer();
            var isAll = fleet.allAreReady(TIME_MAX);
            System.out.printf(
                    "%d ready, chart proxies too, after it answered: %.1f s%n",
                    fleet.readyCount(), (System.nanoTime() - others) / 1e9);
            System.out.printf(
                    "installs %d, other runs %d, at once %d, on one cluster %d, errors %d%n",
                    fleet.helm().installs(),
                    fleet.helm().otherRuns(),
                    fleet.helm().runsAtOnceMost(),
                    fleet.helm().runsOnOneClusterMost(),
                    fleet.errors().size());
            memory();
            if (!isWithoutSilent || !isAll || !fleet.errors().isEmpty()) {
                fleet.errors().stream().limit(3).forEach(System.out::println);
                System.exit(1);
            }
        }
    }

    private static boolean others(ManyClusters fleet) throws InterruptedException {
        for (var rounds = TIME_MAX.dividedBy(PROGRESS_EVERY); rounds > 0; rounds--) {
            if (fleet.othersAreReady(PROGRESS_EVERY)) {
                return true;
            }
            System.err.printf("%d ready ...%n", fleet.readyCount());
        }
        return false;
    }

    /// With the objects themselves, which caches and the played server share.
    private static void memory() throws IOException {
        System.gc();
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        var peak =
                Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("VmHWM"))
                        .map(line -> line.replaceAll("\\D", ""))
                        .findFirst()
                        .orElse("0");
        System.out.printf(
                "heap in use %d MiB of at most %d MiB, resident at most %d MiB%n",
                heap.getUsed() >> 20, heap.getMax() >> 20, Long.parseLong(peak) >> 10);
    }
}
