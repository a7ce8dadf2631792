package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.manager.AddonsFlag;
import dev.millwright.addons.manager.AddonsSettings;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.probe.Endpoints;
import dev.millwright.runtime.process.StopSignal;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

final class RunAddonsCommandTest {

    private static final Map<String, String> AT_HOME = Map.of("KUBECONFIG", "/home/me/config");

    private @Nullable AddonsSettings settings;

    private int keep(AddonsSettings given, KubeAccess way, StopSignal stop) {
        settings = given;
        return 0;
    }

    private CommandRun addons(String... options) {
        var arguments = Stream.concat(Stream.of("run", "addons"), Stream.of(options));
        return CommandRun.addingOn(this::keep, AT_HOME, arguments.toArray(String[]::new));
    }

    @Test
    void withoutOptionsTheUpstreamDefaultsCount() {
        assertThat(addons().exitCode()).isZero();
        assertThat(settings)
                .isEqualTo(
                        new AddonsSettings(
                                new AddonsSettings.Leadership(
                                        false,
                                        "",
                                        Duration.ofSeconds(15),
                                        Duration.ofSeconds(10),
                                        Duration.ofSeconds(2)),
                                new Endpoints(
                                        new InetSocketAddress(8443),
                                        new InetSocketAddress(9440),
                                        null,
                                        true,
                                        null),
                                LogLevel.INFO,
                                new AddonsSettings.Scope("", "", false),
                                new AddonsSettings.Load(10, 10, Duration.ofMinutes(10), 20, 30),
                                new AddonsSettings.HelmProgram("helm", null, 1L << 30),
                                false));
    }

    @Test
    void theFlagsOfUpstreamsManifestsAreTaken() {
        var run =
                addons(
                        "--leader-elect",
                        "--leader-elect-lease-duration=30s",
                        "--leader-elect-renew-deadline=20s",
                        "--leader-elect-retry-period=5s",
                        "--diagnostics-address=:8443",
                        "--insecure-diagnostics=false",
                        "--health-addr=:9440",
                        "--profiler-address=localhost:6060",
                        "--sync-period=15m",
                        "--helm-chart-proxy-concurrency=3",
                        "--helm-release-proxy-concurrency=4",
                        "--kube-api-qps=50",
                        "--kube-api-burst=60",
                        "--webhook-port=9443",
                        "--webhook-cert-dir=/tmp/certs",
                        "--namespace=team-a",
                        "--watch-filter=blue",
                        "--v=5");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(settings.leadership().isElected()).isTrue();
        assertThat(settings.leadership().retry()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.load())
                .isEqualTo(new AddonsSettings.Load(3, 4, Duration.ofMinutes(15), 50, 60));
        assertThat(settings.endpoints().profiles())
                .isEqualTo(new InetSocketAddress("localhost", 6060));
        assertThat(settings.scope()).isEqualTo(new AddonsSettings.Scope("team-a", "blue", false));
        assertThat(settings.logLevel()).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void ourOwnFlagsAreRead() {
        addons(
                "--helm=/opt/helm",
                "--helm-work-dir=/work",
                "--helm-memory-mib=256",
                "--diagnostics-address=0",
                "--diagnostics-cert-path=/certs",
                "--leader-election-namespace=caaph-system",
                "--dry-run");
        assertThat(settings.helm())
                .isEqualTo(
                        new AddonsSettings.HelmProgram("/opt/helm", Path.of("/work"), 256L << 20));
        assertThat(settings.endpoints().metrics()).isNull();
        assertThat(settings.endpoints().certificates()).isEqualTo(Path.of("/certs"));
        assertThat(settings.leadership().namespace()).isEqualTo("caaph-system");
        assertThat(settings.isDryRun()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--leader-elect=maybe",
                "--leader-elect-lease-duration=10s",
                "--leader-elect-renew-deadline=1s",
                "--leader-elect-retry-period=0s",
                "--namespace=Team_A",
                "--watch-filter=-",
                "--helm-chart-proxy-concurrency=0",
                "--helm-release-proxy-concurrency=1001",
                "--sync-period=soon",
                "--kube-api-qps=-1",
                "--kube-api-burst=x",
                "--health-addr=0",
                "--profiler-address=6060",
                "--diagnostics-address=:65536",
                "--insecure-diagnostics=x",
                "--webhook-port=70000",
                "--v=-1",
                "--helm=",
                "--helm-memory-mib=1"
            })
    void aValueThatCannotBeUsedEndsWithOne(String option) {
        var run = addons(option);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("millwright: " + option.replaceFirst("=.*", ": found "))
                .contains("; wanted ");
        assertThat(settings).isNull();
    }

    @Test
    void allFaultsAreToldAtOnce() {
        assertThat(addons("--kube-api-qps=x", "--namespace=X", "--sync-period=x").err())
                .contains("--kube-api-qps: ", "--namespace: ", "--sync-period: ");
    }

    @Test
    void aFlagThereIsNotIsWrongUsage() {
        assertThat(addons("--enable-controller=x").exitCode()).isEqualTo(2);
    }

    @Test
    void helpShowsEveryFlagAndExamples() {
        var help = CommandRun.of("run", "addons", "--help").out();
        assertThat(help)
                .contains(
                        Stream.of(AddonsFlag.values()).map(flag -> "--" + flag.flagName()).toList())
                .contains("--kubeconfig", "Examples:");
    }
}
