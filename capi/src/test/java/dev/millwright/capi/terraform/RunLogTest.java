package dev.millwright.capi.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;

final class RunLogTest {

    private static final String SUMMARY =
            """
            {"@message":"Plan","changes":{"add":20,"change":3,"remove":0,"operation":"plan"},"type":"change_summary"}""";

    private final RunLog log = new RunLog();

    private static String hook(String type, String address, String at) {
        return """
               {"@timestamp":"%s","hook":{"resource":{"addr":"%s"},"action":"create"},"type":"%s"}"""
                .formatted(at, address, type);
    }

    @Test
    void progressNamesWhatTakesLongest() {
        log.take(SUMMARY);
        log.take(hook("apply_start", "aws_vpc.this", "2026-01-01T00:00:00Z"));
        log.take(hook("apply_complete", "aws_vpc.this", "2026-01-01T00:00:01Z"));
        log.take(hook("apply_start", "aws_eks_cluster.this", "2026-01-01T00:00:02Z"));
        log.take(hook("apply_start", "aws_subnet.this", "2026-01-01T00:01:02Z"));
        assertThat(log.progress("apply", Instant.parse("2026-01-01T00:02:12Z")))
                .isEqualTo("apply: 1 of 23 resources, aws_eks_cluster.this for 2m10s");
        assertThat(log.creating()).containsExactly("aws_eks_cluster.this", "aws_subnet.this");
    }

    @Test
    void theFirstErrorIsShownAndTheOthersCounted() {
        log.take(
                """
                {"type":"diagnostic","diagnostic":{"severity":"error","summary":"No","detail":"way\\n out","address":"aws_vpc.this"}}""");
        log.take(
                """
                {"type":"diagnostic","diagnostic":{"severity":"warning","summary":"Old"}}""");
        log.take(
                """
                {"type":"diagnostic","diagnostic":{"severity":"error","summary":"Two"}}""");
        assertThat(log.error()).isEqualTo("No: way out (aws_vpc.this); and 1 more");
    }

    @Test
    void aTornLineIsNoLine() {
        log.take("{\"type\":\"diag");
        assertThat(log.error()).isNull();
        assertThat(log.progress("plan", Instant.EPOCH)).isEqualTo("plan");
    }

    @Test
    void plainErrorsLoseTheirFrame() {
        assertThat(RunLog.plainError("╷\n│ Error: Failed to install\n│ \n│ no such provider\n╵\n"))
                .isEqualTo("Failed to install no such provider");
    }
}
