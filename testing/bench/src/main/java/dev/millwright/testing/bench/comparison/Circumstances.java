package dev.millwright.testing.bench.comparison;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/// What the figures depend on besides the programs. `load` is how many other programs wanted a core
/// when the measuring began: on a busy machine CPU time itself rises.
public record Circumstances(
        LocalDate date, String java, String processor, int cores, double load, String peerVersion) {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private static final String MODEL_PREFIX = "model name";

    public static Circumstances now(String peerVersion) throws IOException {
        return new Circumstances(
                LocalDate.now(ZoneOffset.UTC),
                System.getProperty("java.vendor.version", "")
                        + " "
                        + System.getProperty("java.runtime.version"),
                processorModel(),
                Runtime.getRuntime().availableProcessors(),
                Math.max(0, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()),
                peerVersion);
    }

    private static String processorModel() throws IOException {
        if (Files.isReadable(PROCESSORS)) {
            for (var line : Files.readAllLines(PROCESSORS)) {
                if (line.startsWith(MODEL_PREFIX)) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        }
        return System.getProperty("os.arch");
    }
}
