package dev.millwright.runtime.probe;

import com.sun.management.HotSpotDiagnosticMXBean;

import dev.millwright.runtime.log.Log;

import java.lang.management.ManagementFactory;

/// Keeps the heap below a limit told after the start. Java fixes the greatest heap when it starts;
/// afterwards only collectors that know a soft limit can be reined in.
final class HeapLimit {

    private static final String SOFT_LIMIT = "SoftMaxHeapSize";

    private HeapLimit() {}

    /// Does what can be done for a heap that may outgrow `bytes`, and says how to do better.
    static void keepBelow(long bytes, Log log) {
        var most = Runtime.getRuntime().maxMemory();
        if (most <= bytes) {
            return;
        }
        var machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            machine.setVMOption(SOFT_LIMIT, String.valueOf(bytes));
        } catch (IllegalArgumentException refused) {
            log.debug("soft heap limit refused", "bytes", bytes, "error", refused);
        }
        log.warn(
                "heap may outgrow the memory limit",
                "heapBytesMax",
                most,
                "heapBytesWanted",
                bytes,
                "fix",
                "start Java with -Xmx" + bytes);
    }
}
