package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.manager.CaptFlag;
import dev.millwright.capi.manager.CaptSettings;
import dev.millwright.capi.roster.Half;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.process.StopSignal;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

final class CaptCommandTest {

    private static final Map<String, String> AT_HOME = Map.of("KUBECONFIG", "/home/me/config");

    private @Nullable CaptSettings settings;

    private int keep(CaptSettings given, KubeAccess way, StopSignal stop) {
        settings = given;
        return 0;
    }

    private CommandRun capi(String... options) {
        var arguments = Stream.concat(Stream.of("run", "capi"), Stream.of(options));
        return CommandRun.providing(this::keep, AT_HOME, arguments.toArray(String[]::new));
    }

    @Test
    void withoutOptionsTheDefaultsCount() {
        assertThat(capi().exitCode()).isZero();
        assertThat(settings)
                .isEqualTo(
                        new CaptSettings(
                                List.of(Half.INFRASTRUCTURE, Half.CONTROL_PLANE),
                                new CaptSettings.Leadership(false, ""),
                                new CaptSettings.Endpoints(
                                        new InetSocketAddress(8443),
                                        new InetSocketAddress(8081),
                                        true,
                                        null),
                                LogLevel.INFO,
                                new CaptSettings.Scope("", "", false),
                                new CaptSettings.Load(10, 20, 30),
                                new CaptSettings.Terraform(
                                        CaptSettings.Workspaces.AUTO,
                                        null,
                                        null,
                                        Duration.ofMinutes(20),
                                        Duration.ofMinutes(10),
                                        4,
                                        false),
                                false));
    }

    @Test
    void theFlagsOfCaptsManifestsAreTaken() {
        var run =
                capi(
                        "--leader-elect",
                        "--metrics-bind-address=:8443",
                        "--health-probe-bind-address=:8081",
                        "--enable-controller=control-plane",
                        "--zap-log-level=5",
                        "--zap-devel",
                        "--zap-encoder=console",
                        "--zap-stacktrace-level=panic",
                        "--zap-time-encoding=iso8601");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(settings.halves()).containsExactly(Half.CONTROL_PLANE);
        assertThat(settings.leadership().isElected()).isTrue();
        assertThat(settings.logLevel()).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void bothHalvesMayBeNamedInAnyOrderAndTwice() {
        capi(
                "--enable-controller",
                "control-plane",
                "--enable-controller=infrastructure",
                "--enable-controller=control-plane");
        assertThat(settings.halves()).containsExactly(Half.INFRASTRUCTURE, Half.CONTROL_PLANE);
    }

    @Test
    void ourOwnFlagsAreRead() {
        capi(
                "--namespace=team-a",
                "--watch-filter=blue",
                "--concurrency=3",
                "--workspaces=leave",
                "--terraform-work-dir=/tf",
                "--terraform-runner=/runner/socket",
                "--terraform-timeout=40m",
                "--terraform-poll-interval=5m",
                "--terraform-runs-max=10",
                "--metrics-secure=false",
                "--metrics-cert-path=/certs",
                "--dry-run");
        assertThat(settings.scope()).isEqualTo(new CaptSettings.Scope("team-a", "blue", false));
        assertThat(settings.load().concurrency()).isEqualTo(3);
        assertThat(settings.terraform())
                .isEqualTo(
                        new CaptSettings.Terraform(
                                CaptSettings.Workspaces.LEAVE,
                                Path.of("/tf"),
                                Path.of("/runner/socket"),
                                Duration.ofMinutes(40),
                                Duration.ofMinutes(5),
                                10,
                                false));
        assertThat(settings.endpoints().isSecure()).isFalse();
        assertThat(settings.endpoints().certificates()).isEqualTo(Path.of("/certs"));
        assertThat(settings.isDryRun()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        ":9,,9",
        "127.0.0.1:0,127.0.0.1,0",
        "localhost:65535,localhost,65535",
        "[::1]:8443,::1,8443"
    })
    void anAddressHasAPortAndPerhapsAHost(String text, @Nullable String host, int port) {
        capi("--health-probe-bind-address", text);
        assertThat(settings.endpoints().healthProbe())
                .isEqualTo(
                        host == null
                                ? new InetSocketAddress(port)
                                : new InetSocketAddress(host, port));
    }

    @Test
    void metricsAreSwitchedOffByAZero() {
        capi("--metrics-bind-address=0");
        assertThat(settings.endpoints().metrics()).isNull();
    }

    @Test
    void aHalfThatNobodyKnowsEndsWithOne() {
        var run = capi("--enable-controller=machines");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo(
                        "millwright: --enable-controller: found \"machines\"; wanted one of"
                                + " infrastructure, control-plane\n");
        assertThat(settings).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--metrics-bind-address=8443",
                "--health-probe-bind-address=:65536",
                "--health-probe-bind-address=0",
                "--zap-log-level=-1",
                "--zap-log-level=loud",
                "--zap-encoder=xml",
                "--leader-elect=maybe",
                "--namespace=Team_A",
                "--watch-filter=-",
                "--concurrency=0",
                "--workspaces=crossplane",
                "--terraform-timeout=1s",
                "--terraform-poll-interval=soon",
                "--terraform-runs-max=1000"
            })
    void aValueThatCannotBeUsedEndsWithOne(String option) {
        var run = capi(option);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("millwright: " + option.replaceFirst("=.*", ": found "))
                .contains("; wanted ");
        assertThat(settings).isNull();
    }

    @Test
    void allFaultsAreToldAtOnce() {
        assertThat(capi("--concurrency=x", "--namespace=X", "--zap-encoder=x").err())
                .contains("--concurrency: ", "--namespace: ", "--zap-encoder: ");
    }

    @Test
    void aFlagThereIsNotIsWrongUsage() {
        assertThat(capi("--webhook-port=1").exitCode()).isEqualTo(2);
    }

    @Test
    void helpShowsEveryFlagAndExamples() {
        var help = CommandRun.of("run", "capi", "--help").out();
        assertThat(help)
                .contains(Stream.of(CaptFlag.values()).map(flag -> "--" + flag.flagName()).toList())
                .contains("--kubeconfig", "Examples:");
    }

    @Test
    void completionKnowsTheHalves() {
        assertThat(CommandRun.of("completion", "bash").out())
                .contains("--enable-controller", "\"infrastructure\" \"control-plane\"");
    }

    @Test
    void runAloneNamesAllParts() {
        assertThat(CommandRun.of("run").err()).contains("wanted one of controllers, capi, addons");
    }
}
