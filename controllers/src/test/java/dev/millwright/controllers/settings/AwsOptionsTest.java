package dev.millwright.controllers.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.controllers.settings.FeatureGates.Gate;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The flags and variables of the aws provider.
@Tag("AWS-H1")
final class AwsOptionsTest {

    private static final Map<String, String> FLAGS =
            Map.ofEntries(
                    Map.entry("provider", "aws"),
                    Map.entry("cluster-name", "cli"),
                    Map.entry("cluster-endpoint", "https://cli.example.com"),
                    Map.entry("cluster-ca-bundle", "Y2xp"),
                    Map.entry("isolated-vpc", "true"),
                    Map.entry("eks-control-plane", "true"),
                    Map.entry("vm-memory-overhead-percent", "0.1"),
                    Map.entry("interruption-queue", "cli-queue"),
                    Map.entry("reserved-enis", "10"),
                    Map.entry("disable-dry-run", "true"),
                    Map.entry("enable-zonal-shift", "true"),
                    Map.entry("ami-refresh-interval", "2m"),
                    Map.entry("subnet-refresh-interval", "3m"),
                    Map.entry("rebalance-policy", "replace"));

    private static final Map<String, String> OTHER_ENVIRONMENT =
            Map.ofEntries(
                    Map.entry("PROVIDER", "kwok"),
                    Map.entry("CLUSTER_NAME", "env"),
                    Map.entry("CLUSTER_ENDPOINT", "https://env.example.com"),
                    Map.entry("CLUSTER_CA_BUNDLE", "ZW52"),
                    Map.entry("ISOLATED_VPC", "false"),
                    Map.entry("EKS_CONTROL_PLANE", "false"),
                    Map.entry("VM_MEMORY_OVERHEAD_PERCENT", "0.2"),
                    Map.entry("INTERRUPTION_QUEUE", "env-queue"),
                    Map.entry("RESERVED_ENIS", "20"),
                    Map.entry("DISABLE_DRY_RUN", "false"),
                    Map.entry("ENABLE_ZONAL_SHIFT", "false"),
                    Map.entry("AMI_REFRESH_INTERVAL", "20m"),
                    Map.entry("SUBNET_REFRESH_INTERVAL", "30m"),
                    Map.entry("REBALANCE_POLICY", "event"));

    /// What [#FLAGS] say.
    private static final Settings.Aws TOLD =
            new Settings.Aws(
                    "cli",
                    "https://cli.example.com",
                    "Y2xp",
                    true,
                    true,
                    new BigDecimal("0.1"),
                    "cli-queue",
                    10,
                    true,
                    true,
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(3),
                    true);

    private static Settings read(Map<String, String> flags, Map<String, String> environment) {
        return SettingsReader.read(flags, environment).settings();
    }

    /// The provider, the cluster's name and one flag more.
    private static Settings.Aws flag(String name, String value) {
        var flags = new TreeMap<>(Map.of("provider", "aws", "cluster-name", "c"));
        flags.put(name, value);
        return read(flags, Map.of()).cloud().aws();
    }

    private static Settings.Aws variable(String name, String value) {
        return read(Map.of("provider", "aws", "cluster-name", "c"), Map.of(name, value))
                .cloud()
                .aws();
    }

    @Test
    void nothingSaidLeavesTheDefaults() {
        assertThat(flag("cluster-name", "c"))
                .isEqualTo(
                        new Settings.Aws(
                                "c",
                                "",
                                "",
                                false,
                                false,
                                new BigDecimal("0.075"),
                                "",
                                0,
                                false,
                                false,
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(1),
                                false));
    }

    @Test
    void flagsOutweighVariables() {
        var cloud = read(FLAGS, OTHER_ENVIRONMENT).cloud();
        assertThat(cloud.provider()).isEqualTo(Settings.ProviderName.AWS);
        assertThat(cloud.aws()).isEqualTo(TOLD);
    }

    @Test
    void variablesCountWhereNoFlagIs() {
        var environment = new TreeMap<String, String>();
        FLAGS.forEach(
                (name, value) ->
                        environment.put(name.replace('-', '_').toUpperCase(Locale.ROOT), value));
        // What Karpenter does not have cannot be meant by a variable without our name.
        environment.put("MILLWRIGHT_REBALANCE_POLICY", "replace");
        environment.put("MILLWRIGHT_PROVIDER", "aws");
        assertThat(read(Map.of(), environment).cloud().aws()).isEqualTo(TOLD);
    }

    @Test
    void flagsAndVariablesAreMerged() {
        var aws =
                read(
                                Map.of("provider", "aws", "cluster-name", "cli"),
                                Map.of("CLUSTER_NAME", "env", "INTERRUPTION_QUEUE", "queue"))
                        .cloud()
                        .aws();
        assertThat(aws.clusterName()).isEqualTo("cli");
        assertThat(aws.interruptionQueue()).isEqualTo("queue");
        assertThat(aws.reservedInterfaces()).isZero();
    }

    @Test
    void theClustersNameIsNeededByThisProviderOnly() {
        assertThatThrownBy(() -> read(Map.of("provider", "aws"), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("CLUSTER_NAME: found \"\"");
        assertThat(read(Map.of("provider", "kwok"), Map.of()).cloud().aws().clusterName())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.com",
                "/relative",
                "https://",
                "https:///path",
                "no url",
                "10.0.0.1"
            })
    void theEndpointIsAUrlWithAHost(String endpoint) {
        assertThatThrownBy(() -> flag("cluster-endpoint", endpoint))
                .hasMessageContaining("--cluster-endpoint: found \"" + endpoint + "\"");
        assertThatThrownBy(() -> variable("CLUSTER_ENDPOINT", endpoint))
                .hasMessageContaining("CLUSTER_ENDPOINT: found");
    }

    @ParameterizedTest
    @CsvSource({
        "vm-memory-overhead-percent, -0.01, a share",
        "vm-memory-overhead-percent, much,  a number",
        "reserved-enis,              -1,    a number from 0",
        "reserved-enis,              many,  a whole number",
        "ami-refresh-interval,       59s,   at least 1m",
        "ami-refresh-interval,       soon,  a duration",
        "subnet-refresh-interval,    0s,    at least 1m",
        "isolated-vpc,               yes,   true or false",
        "enable-zonal-shift,         1,     true or false",
        "rebalance-policy,           never, replace",
        "provider,                   azure, aws",
    })
    void whatAFlagCannotMeanIsRefused(String name, String value, String wanted) {
        assertThatThrownBy(() -> flag(name, value))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("--%s: found \"%s\"; wanted ".formatted(name, value))
                .hasMessageContaining(wanted);
    }

    @ParameterizedTest
    @CsvSource({
        "VM_MEMORY_OVERHEAD_PERCENT, -0.01",
        "RESERVED_ENIS,              -1",
        "AMI_REFRESH_INTERVAL,       30s",
        "SUBNET_REFRESH_INTERVAL,    30s",
    })
    void aVariableOutOfBoundsIsRefusedToo(String name, String value) {
        assertThatThrownBy(() -> variable(name, value))
                .hasMessageContaining("%s: found \"%s\"".formatted(name, value));
    }

    @ParameterizedTest
    @CsvSource({
        "VM_MEMORY_OVERHEAD_PERCENT, 7.5 %",
        "RESERVED_ENIS,              many",
        "ISOLATED_VPC,               perhaps",
        "AMI_REFRESH_INTERVAL,       soon",
    })
    void aVariableThatCannotBeReadCountsAsNotGiven(String name, String value) {
        assertThat(variable(name, value)).isEqualTo(flag("cluster-name", "c"));
    }

    @Test
    void nothingAndZeroAreBoundsThatHold() {
        assertThat(flag("vm-memory-overhead-percent", "0").memoryOverhead())
                .isEqualByComparingTo("0");
        assertThat(flag("reserved-enis", "0").reservedInterfaces()).isZero();
        assertThat(flag("ami-refresh-interval", "1m").imageRefresh())
                .isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void allFaultsAreToldAtOnce() {
        var flags =
                Map.of(
                        "provider", "aws",
                        "cluster-endpoint", "here",
                        "reserved-enis", "-1",
                        "vm-memory-overhead-percent", "-1",
                        "ami-refresh-interval", "1s");
        assertThatThrownBy(() -> read(flags, Map.of()))
                .hasMessageContaining("CLUSTER_NAME")
                .hasMessageContaining("--cluster-endpoint")
                .hasMessageContaining("--reserved-enis")
                .hasMessageContaining("--vm-memory-overhead-percent")
                .hasMessageContaining("--ami-refresh-interval");
    }

    @Test
    void gatesOfReservedCapacityAreReadAsEver() {
        var flags = new TreeMap<>(FLAGS);
        assertThat(read(flags, Map.of()).gates().on()).containsExactly(Gate.RESERVED_CAPACITY);
        flags.put("feature-gates", "ReservedCapacity=false,Unknown=true");
        assertThat(read(flags, Map.of()).gates().on()).isEmpty();
    }
}
