package dev.millwright.controllers.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.kube.client.ApiSettings;

import org.junit.jupiter.api.Test;

import java.util.Map;

final class SettingsReaderTest {

    private static Settings flags(Map<String, String> flags) {
        return SettingsReader.read(flags, Map.of()).settings();
    }

    private static Settings environment(Map<String, String> environment) {
        return SettingsReader.read(Map.of(), environment).settings();
    }

    @Test
    void aVariableThatIsPassedOverIsNoted() {
        assertThat(SettingsReader.read(Map.of(), Map.of("METRICS_PORT", "80x")).notes())
                .containsExactly(
                        "METRICS_PORT: found \"80x\"; wanted a whole number, so 8080 it is");
    }

    @Test
    void anUnknownGateIsNoted() {
        assertThat(SettingsReader.read(Map.of("feature-gates", "Hello=true"), Map.of()).notes())
                .containsExactly("--feature-gates: gate \"Hello\" is unknown here and ignored");
    }

    @Test
    void aFlagNobodyKnowsIsRefused() {
        assertThatThrownBy(() -> flags(Map.of("hello", "1")))
                .hasMessage("--hello: is no flag; see --help for all");
    }

    @Test
    void aPortOutOfRangeIsRefusedFromAVariableToo() {
        assertThatThrownBy(() -> environment(Map.of("METRICS_PORT", "70000")))
                .hasMessage("METRICS_PORT: found \"70000\"; wanted a number from 0 to 65535");
    }

    @Test
    void aNegativeWindowIsRefused() {
        assertThatThrownBy(() -> flags(Map.of("batch-idle-duration", "-1s")))
                .hasMessageContaining("wanted a duration of at least 0s");
    }

    @Test
    void anElectionNeedsALease() {
        assertThatThrownBy(() -> flags(Map.of("leader-election-name", "")))
                .hasMessageContaining("or --disable-leader-election");
        var alone = flags(Map.of("leader-election-name", "", "disable-leader-election", "true"));
        assertThat(alone.leadership().isElected()).isFalse();
    }

    @Test
    void warmingUpNeedsAnElection() {
        var settings =
                flags(
                        Map.of(
                                "disable-controller-warmup",
                                "false",
                                "disable-leader-election",
                                "true"));
        assertThat(settings.leadership().isWarmedUp()).isFalse();
    }

    @Test
    void anEmptyLogPathIsRefused() {
        assertThatThrownBy(() -> flags(Map.of("log-output-paths", "stdout,")))
                .hasMessageContaining("separated by commas");
    }

    @Test
    void theHeapIsKeptBelowNineTenthsOfTheLimit() {
        assertThat(flags(Map.of("memory-limit", "1000")).replica().heapBytesMax()).isEqualTo(900L);
        assertThat(flags(Map.of("memory-limit", "0")).replica().heapBytesMax()).isNull();
    }

    @Test
    void aLeaseIsWhereToldElseInTheSystemsNamespaceElseHere() {
        var told = flags(Map.of("leader-election-namespace", "a")).leadership();
        assertThat(told.leaseNamespace("b", "c")).isEqualTo("a");
        var silent = SettingsReader.defaults().leadership();
        assertThat(silent.leaseNamespace("b", "c")).isEqualTo("b");
        assertThat(silent.leaseNamespace("", "c")).isEqualTo("c");
    }

    @Test
    void theSystemsNamespaceIsAVariableOnly() {
        assertThat(environment(Map.of("SYSTEM_NAMESPACE", "karpenter")).replica().systemNamespace())
                .isEqualTo("karpenter");
    }

    @Test
    void flagsOfOursHaveVariablesToo() {
        var settings =
                environment(
                        Map.of(
                                "MILLWRIGHT_PROVIDER", "sim",
                                "MILLWRIGHT_PACKING", "first-fit",
                                "MILLWRIGHT_DRY_RUN", "true"));
        assertThat(settings.cloud().provider()).isEqualTo(Settings.ProviderName.SIM);
        assertThat(settings.policies().packing()).isEqualTo(Packing.FIRST_FIT);
        assertThat(settings.isDryRun()).isTrue();
    }

    @Test
    void theClientIsLimitedUnlessTheRateIsNegative() {
        assertThat(new Settings.KubeClient(200, 300).apiSettings("1"))
                .isEqualTo(ApiSettings.of("1", 200, 300));
        assertThat(new Settings.KubeClient(0, 0).apiSettings("1"))
                .isEqualTo(ApiSettings.of("1", 5, 10));
        assertThat(new Settings.KubeClient(-1, 300).apiSettings("1").rate()).isNull();
    }

    @Test
    void theDefaultPolicyIsCores() {
        assertThat(
                        SettingsReader.defaults()
                                .schedulingPolicy(LabelVocabulary.CORE, UnsupportedStorage.NONE))
                .isEqualTo(SchedulingPolicy.DEFAULT);
    }

    @Test
    void withoutItsGateReservedCapacityIsNotLookedAt() {
        var settings = flags(Map.of("feature-gates", "ReservedCapacity=false"));
        assertThat(settings.schedulingPolicy(LabelVocabulary.CORE, UnsupportedStorage.NONE))
                .extracting(SchedulingPolicy::reservations)
                .isEqualTo(Reservations.OFF);
    }

    @Test
    void moreThanOneSchedulerDocumentIsRefused() {
        assertThatThrownBy(
                        () ->
                                flags(
                                        Map.of(
                                                "scheduler-config",
                                                "podTopologySpread: {}\n---\npodTopologySpread: {}\n")))
                .hasMessageContaining("found 2 documents; wanted one");
    }

    @Test
    void faultsOfTheSchedulerConfigurationStandBesideTheOthers() {
        assertThatThrownBy(
                        () ->
                                SettingsReader.read(
                                        Map.of("log-level", "loud"),
                                        Map.of("SCHEDULER_CONFIG", "hello: 1")))
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        refused ->
                                assertThat(refused.faults())
                                        .hasSize(2)
                                        .anySatisfy(
                                                fault ->
                                                        assertThat(fault)
                                                                .startsWith("SCHEDULER_CONFIG:1")));
    }
}
