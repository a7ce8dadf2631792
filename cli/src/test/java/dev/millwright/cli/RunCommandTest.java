package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.settings.Flag;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeAccess.Kubeconfig;
import dev.millwright.kube.client.KubeAccess.Proxy;
import dev.millwright.runtime.process.StopSignal;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

final class RunCommandTest {

    private static final Map<String, String> AT_HOME = Map.of("KUBECONFIG", "/home/me/config");

    private @Nullable Settings settings;
    private @Nullable KubeAccess access;

    private int keep(Settings given, KubeAccess way, StopSignal stop) {
        settings = given;
        access = way;
        return 0;
    }

    private CommandRun controllers(Map<String, String> environment, String... options) {
        var arguments = Stream.concat(Stream.of("run", "controllers"), Stream.of(options));
        return CommandRun.operating(this::keep, environment, arguments.toArray(String[]::new));
    }

    @Test
    void withoutOptionsTheDefaultsCount() {
        var run = controllers(AT_HOME);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(settings).isEqualTo(SettingsReader.defaults());
        assertThat(access)
                .isEqualTo(new Kubeconfig(List.of(Path.of("/home/me/config")), null, Proxy.NONE));
    }

    @Test
    void flagsOutweighVariablesAndTheLastOfTwoCounts() {
        var environment =
                Map.of("KUBECONFIG", "config", "METRICS_PORT", "1", "BATCH_MAX_DURATION", "5s");
        controllers(
                environment,
                "--metrics-port=2",
                "--metrics-port",
                "3",
                "--memory-limit",
                "-1",
                "--feature-gates",
                "NodeRepair=true,ReservedCapacity=false");
        assertThat(settings.replica().ports().metrics()).isEqualTo(3);
        assertThat(settings.batching().maxDuration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.gates())
                .hasToString(
                        "NodeRepair=true,ReservedCapacity=false,SpotToSpotConsolidation=false,NodeOverlay=false,StaticCapacity=false,CapacityBuffer=false,TerminateFirstDrift=false,TerminateFirstRepair=false");
    }

    @Test
    void aBooleanFlagStandsAloneOrHasItsValueBehindAnEqualsSign() {
        controllers(AT_HOME, "--enable-profiling", "--ignore-dra-requests=false", "--dry-run");
        assertThat(settings.replica().isProfilingEnabled()).isTrue();
        assertThat(settings.policies().ignoresResourceClaims()).isFalse();
        assertThat(settings.isDryRun()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--dry-run=yes", "--metrics-port=x", "--log-level=loud", "--hello", "word"})
    void wrongUsageEndsWithTwo(String option) {
        var run = controllers(AT_HOME, option);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("millwright: ")
                .contains("See 'millwright run controllers --help'.");
        assertThat(settings).isNull();
    }

    @Test
    void aWordAfterABooleanFlagIsRefused() {
        assertThat(controllers(AT_HOME, "--dry-run", "false").exitCode()).isEqualTo(2);
    }

    @Test
    void allFaultsAreToldAtOnce() {
        var run = controllers(Map.of("LOG_LEVEL", "loud"), "--metrics-port=x", "--provider=azure");
        assertThat(run.err())
                .contains(
                        "millwright: --metrics-port: found \"x\"; wanted a whole number, e.g. 8080\n",
                        "millwright: LOG_LEVEL: found \"loud\"; wanted one of debug, info, error\n",
                        "millwright: --provider: found \"azure\"; wanted one of aws, kwok, sim\n");
    }

    @Test
    void aVariableThatIsPassedOverIsNoted() {
        var run = controllers(Map.of("KUBECONFIG", "config", "KUBE_CLIENT_QPS", "many"));
        assertThat(run.exitCode()).isZero();
        assertThat(run.err())
                .isEqualTo(
                        "millwright: KUBE_CLIENT_QPS: found \"many\"; wanted a whole number, so 200 it is\n");
    }

    @Test
    void helpShowsEveryFlagWithItsVariableAndDefault() {
        var help = CommandRun.of("run", "controllers", "--help").out();
        var letters = help.replaceAll("\\s", "");
        var missing = new ArrayList<String>();
        for (var flag : Flag.values()) {
            var shown = flag.defaultText().isEmpty() ? "" : ",default" + flag.defaultText();
            if (!letters.contains("--" + flag.flagName())
                    || !letters.contains("(" + flag.variable() + shown + ")")) {
                missing.add(flag.flagName());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(help).contains("--kubeconfig", "--context", "--help", "Examples:");
    }

    @Test
    void runAloneWantsAPart() {
        var run = CommandRun.of("run");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("wanted one of controllers");
    }

    @Test
    void aNamedFileAndContextAreUsed() {
        controllers(AT_HOME, "--kubeconfig", "other", "--context", "prod");
        assertThat(access).isEqualTo(new Kubeconfig(List.of(Path.of("other")), "prod", Proxy.NONE));
    }

    @Test
    void withoutAWayToAClusterItFails() {
        var run = controllers(Map.of("HOME", "/nonexistent"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("no API server").doesNotContain("mistake of ours");
    }

    @Test
    void aPortThatIsTakenIsAFailureInPlainWords() {
        var run =
                CommandRun.operating(
                        (_, _, _) -> {
                            throw new IOException("cannot listen on :8080; choose another port");
                        },
                        AT_HOME,
                        "run",
                        "controllers");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo("millwright: cannot listen on :8080; choose another port\n");
    }

    @Test
    void theOperatorsExitCodeIsTheProcesss() {
        var run = CommandRun.operating((_, _, _) -> 1, AT_HOME, "run", "controllers");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    @Timeout(240)
    void aSignalStopsWhatRunsAndLeavesWithItsCode() throws InterruptedException {
        var signal = new StopSignal();
        var left = new ArrayList<Integer>();
        try (var termination = Termination.watch(signal, left::add)) {
            var running =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        awaitStop(signal);
                                        signal.end(7);
                                    });
            termination.stop();
            running.join();
        }
        assertThat(signal.isRequested()).isTrue();
        assertThat(left).containsExactly(7);
    }

    private static void awaitStop(StopSignal signal) {
        try {
            signal.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatDoesNotEndInTimeHasFailed() throws InterruptedException {
        assertThat(new StopSignal().exitCode(Duration.ZERO)).isEqualTo(1);
    }
}
