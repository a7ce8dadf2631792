package dev.millwright.runtime.metrics;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.OperatingSystemMXBean;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;

/// What the process itself uses. A figure that this system does not tell is null and left out.
public interface ProcessFigures {

    /// Bytes of the heap that were in use after the last collection.
    double heapLiveBytes();

    @Nullable Double residentBytes();

    double cpuSeconds();

    static ProcessFigures ofProcess() {
        return new Jvm();
    }

    /// Reads the figures of the running virtual machine.
    final class Jvm implements ProcessFigures {

        private static final Path STATUS = Path.of("/proc/self/status");
        private static final double BYTES_PER_KIB = 1_024;
        private static final double NANOS_PER_SECOND = 1e9;

        private Jvm() {}

        @Override
        public double heapLiveBytes() {
            var last =
                    ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                            .map(GarbageCollectorMXBean::getLastGcInfo)
                            .filter(Objects::nonNull)
                            .max(Comparator.comparingLong(info -> info.getEndTime()))
                            .orElse(null);
            if (last == null) {
                return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            }
            var after = last.getMemoryUsageAfterGc();
            return ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .map(MemoryPoolMXBean::getName)
                    .map(after::get)
                    .filter(Objects::nonNull)
                    .mapToDouble(usage -> usage.getUsed())
                    .sum();
        }

        @Override
        public @Nullable Double residentBytes() {
            try (var lines = Files.lines(STATUS)) {
                return lines.filter(line -> line.startsWith("VmRSS:"))
                        .map(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                        .map(kib -> kib * BYTES_PER_KIB)
                        .findFirst()
                        .orElse(null);
            } catch (IOException notLinux) {
                return null;
            }
        }

        @Override
        public double cpuSeconds() {
            var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            return system.getProcessCpuTime() / NANOS_PER_SECOND;
        }
    }
}
