package dev.millwright.runtime.process;

import com.sun.management.HotSpotDiagnosticMXBean;

import dev.millwright.runtime.log.Log;

import java.lang.management.ManagementFactory;

/// Keeps the heap below a limit that a flag names. Java fixes the greatest heap when it starts;
/// afterwards only collectors that know a soft limit can be reined in.
public final class HeapLimit {

    private static final String SOFT_LIMIT = "SoftMaxHeapSize";

    private HeapLimit() {}

    /// Sets the soft limit where the heap may outgrow `bytes`, and warns with the flag that helps.
    public static void keepBelow(long bytes, Log log) {
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
