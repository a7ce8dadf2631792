package dev.millwright.controllers.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.controllers.settings.FeatureGates.Gate;
import dev.millwright.controllers.settings.Settings.ProviderName;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.runtime.log.LogLevel;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

final class OptionsTest {

    private static final Map<String, String> FLAGS =
            Map.ofEntries(
                    Map.entry("karpenter-service", "cli"),
                    Map.entry("metrics-port", "1"),
                    Map.entry("health-probe-port", "2"),
                    Map.entry("kube-client-qps", "3"),
                    Map.entry("kube-client-burst", "4"),
                    Map.entry("enable-profiling", "true"),
                    Map.entry("disable-controller-warmup", "false"),
                    Map.entry("disable-leader-election", "false"),
                    Map.entry("disable-cluster-state-observability", "true"),
                    Map.entry("legacy-node-repair", "true"),
                    Map.entry("leader-election-name", "lease"),
                    Map.entry("leader-election-namespace", "there"),
                    Map.entry("memory-limit", "1000"),
                    Map.entry("cpu-requests", "2000"),
                    Map.entry("log-level", "debug"),
                    Map.entry("log-output-paths", "stdout,/var/log/a"),
                    Map.entry("log-error-output-paths", "/var/log/b"),
                    Map.entry("batch-max-duration", "5s"),
                    Map.entry("batch-idle-duration", "500ms"),
                    Map.entry("preference-policy", "Ignore"),
                    Map.entry("min-values-policy", "BestEffort"),
                    Map.entry("ignore-dra-requests", "false"),
                    Map.entry("packing", "first-fit"),
                    Map.entry("node-fee-per-hour", "0.015"),
                    Map.entry("feature-gates", "NodeRepair=true,ReservedCapacity=false"));

    private static final Map<String, String> OTHER_ENVIRONMENT =
            Map.ofEntries(
                    Map.entry("KARPENTER_SERVICE", "env"),
                    Map.entry("METRICS_PORT", "10"),
                    Map.entry("HEALTH_PROBE_PORT", "20"),
                    Map.entry("KUBE_CLIENT_QPS", "30"),
                    Map.entry("KUBE_CLIENT_BURST", "40"),
                    Map.entry("ENABLE_PROFILING", "false"),
                    Map.entry("DISABLE_CONTROLLER_WARMUP", "true"),
                    Map.entry("DISABLE_LEADER_ELECTION", "true"),
                    Map.entry("DISABLE_CLUSTER_STATE_OBSERVABILITY", "false"),
                    Map.entry("LEGACY_NODE_REPAIR", "false"),
                    Map.entry("LEADER_ELECTION_NAME", "other"),
                    Map.entry("LEADER_ELECTION_NAMESPACE", "elsewhere"),
                    Map.entry("MEMORY_LIMIT", "7"),
                    Map.entry("CPU_REQUESTS", "7"),
                    Map.entry("LOG_LEVEL", "error"),
                    Map.entry("LOG_OUTPUT_PATHS", "stderr"),
                    Map.entry("LOG_ERROR_OUTPUT_PATHS", "stdout"),
                    Map.entry("BATCH_MAX_DURATION", "7s"),
                    Map.entry("BATCH_IDLE_DURATION", "7s"),
                    Map.entry("PREFERENCE_POLICY", "Respect"),
                    Map.entry("MIN_VALUES_POLICY", "Strict"),
                    Map.entry("IGNORE_DRA_REQUESTS", "true"),
                    Map.entry("MILLWRIGHT_PACKING", "cheapest"),
                    Map.entry("MILLWRIGHT_NODE_FEE_PER_HOUR", "2"),
                    Map.entry("FEATURE_GATES", "CapacityBuffer=true"));

    private static final Settings.Webhook NO_WEBHOOK = new Settings.Webhook(false, 8443, "");

    private static final Settings.Recording NO_RECORDING = new Settings.Recording("", 1L << 30);

    private static final Settings.Shadow NO_SHADOW =
            new Settings.Shadow(false, Duration.ofMinutes(10));

    /// What [#FLAGS] say.
    private static final Settings TOLD =
            new Settings(
                    new Settings.Replica(
                            new Settings.Ports(1, 2), NO_WEBHOOK, true, 1_000L, 2_000, "cli", ""),
                    new Settings.KubeClient(3, 4),
                    new Settings.Leadership(true, "lease", "there", true),
                    new Settings.Logging(
                            LogLevel.DEBUG, List.of("stdout", "/var/log/a"), List.of("/var/log/b")),
                    new Settings.Batching(Duration.ofSeconds(5), Duration.ofMillis(500)),
                    new Settings.Policies(
                            Preferences.IGNORE,
                            MinValues.BEST_EFFORT,
                            false,
                            Packing.FIRST_FIT,
                            0.015,
                            List.of()),
                    Settings.Consolidation.KARPENTER,
                    new FeatureGates(List.of(Gate.NODE_REPAIR)),
                    new Settings.Cloud(ProviderName.KWOK, "", Settings.Aws.DEFAULT),
                    NO_RECORDING,
                    false,
                    false,
                    NO_SHADOW,
                    true);

    private static Settings read(Map<String, String> flags, Map<String, String> environment) {
        return SettingsReader.read(flags, environment).settings();
    }

    private static Settings flag(String name, String value) {
        return read(Map.of(name, value), Map.of());
    }

    private static FeatureGates gates(String text) {
        return flag("feature-gates", text).gates();
    }

    @Test
    @Tag("M1")
    void aGateIsSwitchedOn() {
        assertThat(gates("SpotToSpotConsolidation=true").isOn(Gate.SPOT_TO_SPOT_CONSOLIDATION))
                .isTrue();
    }

    @Test
    @Tag("M2")
    void aGateIsSwitchedOff() {
        assertThat(gates("ReservedCapacity=false").isOn(Gate.RESERVED_CAPACITY)).isFalse();
    }

    @Test
    @Tag("M3")
    void blanksAroundNameAndValueDoNotMatter() {
        assertThat(gates(" ReservedCapacity\t= false ").isOn(Gate.RESERVED_CAPACITY)).isFalse();
    }

    @Test
    @Tag("M4")
    void unknownGatesStandBesideKnownOnes() {
        assertThat(gates("Hello=true,ReservedCapacity=false,World=true").on()).isEmpty();
    }

    @Test
    @Tag("M5")
    void nothingSaidLeavesTheDefaults() {
        assertThat(read(Map.of(), Map.of()))
                .isEqualTo(
                        new Settings(
                                new Settings.Replica(
                                        new Settings.Ports(8080, 8081),
                                        NO_WEBHOOK,
                                        false,
                                        null,
                                        1_000,
                                        "",
                                        ""),
                                new Settings.KubeClient(200, 300),
                                new Settings.Leadership(
                                        true, "karpenter-leader-election", "", false),
                                new Settings.Logging(
                                        LogLevel.INFO, List.of("stdout"), List.of("stderr")),
                                new Settings.Batching(
                                        Duration.ofSeconds(10), Duration.ofSeconds(1)),
                                new Settings.Policies(
                                        Preferences.RESPECT,
                                        MinValues.STRICT,
                                        true,
                                        Packing.CHEAPEST,
                                        0,
                                        List.of()),
                                Settings.Consolidation.KARPENTER,
                                new FeatureGates(List.of(Gate.RESERVED_CAPACITY)),
                                new Settings.Cloud(ProviderName.KWOK, "", Settings.Aws.DEFAULT),
                                NO_RECORDING,
                                true,
                                false,
                                NO_SHADOW,
                                false));
    }

    @Test
    @Tag("M6")
    void flagsOutweighVariables() {
        assertThat(read(FLAGS, OTHER_ENVIRONMENT)).isEqualTo(TOLD);
    }

    @Test
    @Tag("M7")
    void variablesCountWhereNoFlagIs() {
        var environment =
                Map.ofEntries(
                        Map.entry("KARPENTER_SERVICE", "cli"),
                        Map.entry("METRICS_PORT", "1"),
                        Map.entry("HEALTH_PROBE_PORT", "2"),
                        Map.entry("KUBE_CLIENT_QPS", "3"),
                        Map.entry("KUBE_CLIENT_BURST", "4"),
                        Map.entry("ENABLE_PROFILING", "true"),
                        Map.entry("DISABLE_CONTROLLER_WARMUP", "false"),
                        Map.entry("DISABLE_LEADER_ELECTION", "false"),
                        Map.entry("DISABLE_CLUSTER_STATE_OBSERVABILITY", "true"),
                        Map.entry("LEGACY_NODE_REPAIR", "true"),
                        Map.entry("LEADER_ELECTION_NAME", "lease"),
                        Map.entry("LEADER_ELECTION_NAMESPACE", "there"),
                        Map.entry("MEMORY_LIMIT", "1000"),
                        Map.entry("CPU_REQUESTS", "2000"),
                        Map.entry("LOG_LEVEL", "debug"),
                        Map.entry("LOG_OUTPUT_PATHS", "stdout,/var/log/a"),
                        Map.entry("LOG_ERROR_OUTPUT_PATHS", "/var/log/b"),
                        Map.entry("BATCH_MAX_DURATION", "5s"),
                        Map.entry("BATCH_IDLE_DURATION", "500ms"),
                        Map.entry("MILLWRIGHT_PACKING", "first-fit"),
                        Map.entry("MILLWRIGHT_NODE_FEE_PER_HOUR", "0.015"),
                        Map.entry("PREFERENCE_POLICY", "Ignore"),
                        Map.entry("MIN_VALUES_POLICY", "BestEffort"),
                        Map.entry("IGNORE_DRA_REQUESTS", "false"),
                        Map.entry("FEATURE_GATES", "NodeRepair=true,ReservedCapacity=false"));
        assertThat(read(Map.of(), environment)).isEqualTo(TOLD);
    }

    @Test
    @Tag("M8")
    void flagsAndVariablesAreMerged() {
        var settings =
                read(
                        Map.of("metrics-port", "0", "log-level", "debug"),
                        Map.of(
                                "METRICS_PORT", "10",
                                "BATCH_MAX_DURATION", "5s",
                                "FEATURE_GATES", "StaticCapacity=true"));
        assertThat(settings.replica().ports()).isEqualTo(new Settings.Ports(0, 8081));
        assertThat(settings.logging().level()).isEqualTo(LogLevel.DEBUG);
        assertThat(settings.batching().maxDuration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.gates().on())
                .containsExactly(Gate.RESERVED_CAPACITY, Gate.STATIC_CAPACITY);
    }

    @Test
    @Tag("M9")
    void reservedCapacityAloneCanBeTurned() {
        assertThat(gates("ReservedCapacity=false").on()).isEmpty();
    }

    @Test
    @Tag("M10")
    void nodeRepairAloneCanBeTurned() {
        assertThat(gates("NodeRepair=true").on())
                .containsExactly(Gate.NODE_REPAIR, Gate.RESERVED_CAPACITY);
    }

    @Test
    @Tag("M11")
    void spotToSpotConsolidationAloneCanBeTurned() {
        assertThat(gates("SpotToSpotConsolidation=true").on())
                .containsExactly(Gate.RESERVED_CAPACITY, Gate.SPOT_TO_SPOT_CONSOLIDATION);
    }

    @Test
    @Tag("M12")
    void nodeOverlayAloneCanBeTurned() {
        assertThat(gates("NodeOverlay=true").on())
                .containsExactly(Gate.RESERVED_CAPACITY, Gate.NODE_OVERLAY);
    }

    @Test
    @Tag("M13")
    void staticCapacityAloneCanBeTurned() {
        assertThat(gates("StaticCapacity=true").on())
                .containsExactly(Gate.RESERVED_CAPACITY, Gate.STATIC_CAPACITY);
    }

    @Test
    @Tag("M14")
    void capacityBufferAloneCanBeTurned() {
        assertThat(gates("CapacityBuffer=true").on())
                .containsExactly(Gate.RESERVED_CAPACITY, Gate.CAPACITY_BUFFER);
    }

    @Test
    @Tag("M15")
    void aBooleanFlagTakesTrueAndFalse() {
        assertThat(flag("enable-profiling", "true").replica().isProfilingEnabled()).isTrue();
        assertThat(flag("enable-profiling", "false").replica().isProfilingEnabled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "t", "TRUE", "True", "yes", "0", "no"})
    @Tag("M15")
    void aBooleanFlagTakesNothingElse(String value) {
        assertThatThrownBy(() -> flag("enable-profiling", value))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("wanted true or false");
    }

    @Test
    @Tag("M16")
    void anEmptyLogLevelMeansInfo() {
        assertThat(flag("log-level", "").logging().level()).isEqualTo(LogLevel.INFO);
    }

    @Test
    @Tag("M17")
    void debugIsALogLevel() {
        assertThat(flag("log-level", "debug").logging().level()).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    @Tag("M18")
    void infoIsALogLevel() {
        assertThat(flag("log-level", "info").logging().level()).isEqualTo(LogLevel.INFO);
    }

    @Test
    @Tag("M19")
    void errorIsALogLevel() {
        assertThat(flag("log-level", "error").logging().level()).isEqualTo(LogLevel.ERROR);
    }

    @Test
    @Tag("M20")
    void anyOtherLogLevelIsRefusedFromFlagAndVariable() {
        assertThatThrownBy(() -> flag("log-level", "hello"))
                .hasMessage("--log-level: found \"hello\"; wanted one of debug, info, error");
        assertThatThrownBy(() -> read(Map.of(), Map.of("LOG_LEVEL", "hello")))
                .hasMessage("LOG_LEVEL: found \"hello\"; wanted one of debug, info, error");
    }

    @Test
    @Tag("M21")
    void noProcessorTimeMeansOneCore() {
        assertThat(flag("cpu-requests", "0").replica().cpuMillis()).isEqualTo(1_000);
    }

    @Test
    @Tag("M22")
    void negativeProcessorTimeMeansOneCore() {
        assertThat(flag("cpu-requests", "-50").replica().cpuMillis()).isEqualTo(1_000);
    }

    @Test
    @Tag("M55")
    void aVariableThatCannotBeReadCountsAsNotGiven() {
        var environment =
                Map.of(
                        "METRICS_PORT", "many",
                        "MEMORY_LIMIT", "1Gi",
                        "ENABLE_PROFILING", "yes",
                        "BATCH_MAX_DURATION", "10");
        assertThat(read(Map.of(), environment)).isEqualTo(SettingsReader.defaults());
    }

    @Test
    @Tag("M56")
    void flagsThatCannotBeReadAreRefusedAllAtOnce() {
        var flags =
                Map.of(
                        "metrics-port", "many",
                        "memory-limit", "1Gi",
                        "batch-max-duration", "10");
        assertThatThrownBy(() -> read(flags, Map.of()))
                .hasMessage(
                        """
                        --memory-limit: found "1Gi"; wanted a whole number, e.g. -1
                        --metrics-port: found "many"; wanted a whole number, e.g. 8080
                        --batch-max-duration: found "10"; wanted a duration, e.g. 10s\
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NodeRepair", "NodeRepair=maybe", "Hello=", "=,"})
    @Tag("M57")
    void brokenGatesAreRefused(String text) {
        assertThatThrownBy(() -> gates(text)).isInstanceOf(SettingsException.class);
        assertThatThrownBy(() -> read(Map.of(), Map.of("FEATURE_GATES", text)))
                .isInstanceOf(SettingsException.class);
    }

    @Test
    @Tag("M58")
    void variablesTakeGosSpellingsOfBooleans() {
        assertThat(read(Map.of(), Map.of("ENABLE_PROFILING", "T")).replica().isProfilingEnabled())
                .isTrue();
        assertThat(read(Map.of(), Map.of("IGNORE_DRA_REQUESTS", "0")).policies())
                .extracting(Settings.Policies::ignoresResourceClaims)
                .isEqualTo(false);
    }
}
