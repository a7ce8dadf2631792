package dev.millwright.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.runtime.log.JsonLog;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.log.LogOutputs;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

final class HeapLimitTest {

    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();

    @Test
    void aHeapWithinItsLimitIsNoMatter() {
        HeapLimit.keepBelow(Long.MAX_VALUE, log());
        assertThat(logged.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void aHeapThatMayOutgrowItsLimitIsWarnedOf() {
        HeapLimit.keepBelow(Runtime.getRuntime().maxMemory() - 1, log());
        assertThat(logged.toString(StandardCharsets.UTF_8))
                .contains("heap may outgrow the memory limit", "-Xmx");
    }

    private JsonLog log() {
        var outputs = new LogOutputs(List.of(logged));
        return new JsonLog(
                new JsonLog.Shape(LogLevel.INFO, outputs, outputs, ""), () -> Instant.EPOCH);
    }
}
