package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.runtime.process.StopSignal;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.stream.Stream;

final class RecordCommandTest {

    private static final Map<String, String> AT_HOME = Map.of("KUBECONFIG", "/home/me/config");

    private @Nullable Settings settings;

    private int keep(Settings given, KubeAccess way, StopSignal stop) {
        settings = given;
        return 0;
    }

    private CommandRun record(String... options) {
        var arguments = Stream.concat(Stream.of("record"), Stream.of(options));
        return CommandRun.operating(this::keep, AT_HOME, arguments.toArray(String[]::new));
    }

    @Test
    void theOperatorDecidesRecordsAndChangesNothing() {
        var run = record("today", "--max-bytes", "33554432", "--provider", "sim");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEqualTo("millwright: recording to today until stopped\n");
        assertThat(settings.isDryRun()).isTrue();
        assertThat(settings.leadership().isElected()).isFalse();
        assertThat(settings.recording()).isEqualTo(new Settings.Recording("today", 33_554_432));
        assertThat(settings.cloud().provider()).isEqualTo(Settings.ProviderName.SIM);
    }

    @Test
    void aRecordHasARoomOfSomeSize() {
        var run = record("today", "--max-bytes", "100");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--record-max-bytes: found \"100\"; wanted a number from");
        assertThat(settings).isNull();
    }

    @Test
    void theOperatorIsToldToStopWhenTheTimeIsUp() {
        var run =
                CommandRun.operating(
                        (_, _, stop) -> {
                            stop.await();
                            return 0;
                        },
                        AT_HOME,
                        "record",
                        "today",
                        "--for",
                        "1ms");
        assertThat(run.exitCode()).isZero();
    }
}
