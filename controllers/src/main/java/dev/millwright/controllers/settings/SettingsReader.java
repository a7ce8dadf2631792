package dev.millwright.controllers.settings;

import dev.millwright.core.policy.NodeFee;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.record.RecordFolder;
import dev.millwright.runtime.log.LogLevel;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Reads the settings from flags and environment variables, and tells all that is wrong at once.
///
/// A number, boolean or duration in a *variable* that cannot be read counts as not given, as with
/// Karpenter: a chart's leftovers must not keep the operator from starting. The notes name them.
public final class SettingsReader {

    private static final int PORT_MAX = 65_535;
    private static final Duration REFRESH_MIN = Duration.ofMinutes(1);

    /// Absolute, and with a host.
    private static final Pattern URL =
            Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\s:][^\\s]*");

    private static final long CPU_MILLIS_DEFAULT = 1_000;
    private static final String SYSTEM_NAMESPACE = "SYSTEM_NAMESPACE";

    private final Map<String, String> flags;
    private final Map<String, String> environment;
    private final List<String> faults = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /// The settings, and what a person may want to know about how they came to be.
    public record Reading(Settings settings, List<String> notes) {
        public Reading {
            notes = List.copyOf(notes);
        }
    }

    /// A value and who gave it: the flag, the variable or nobody.
    private record Given(String source, boolean isFlag, String text) {}

    private SettingsReader(Map<String, String> flags, Map<String, String> environment) {
        this.flags = flags;
        this.environment = environment;
    }

    /// Flags by name without dashes.
    ///
    /// @throws SettingsException with every fault found
    public static Reading read(Map<String, String> flags, Map<String, String> environment) {
        var reader = new SettingsReader(flags, environment);
        reader.refuseUnknownFlags();
        var settings = reader.settings();
        if (!reader.faults.isEmpty()) {
            throw new SettingsException(reader.faults);
        }
        return new Reading(settings, reader.notes);
    }

    /// What holds when nothing is said.
    public static Settings defaults() {
        return read(Map.of(), Map.of()).settings();
    }

    private void refuseUnknownFlags() {
        for (var name : new TreeMap<>(flags).keySet()) {
            if (Flag.named(name) == null) {
                faults.add("--%s: is no flag; see --help for all".formatted(Shortened.of(name)));
            }
        }
    }

    private Settings settings() {
        return new Settings(
                replica(),
                new Settings.KubeClient(
                        (int) whole(Flag.KUBE_CLIENT_QPS, Integer.MIN_VALUE, Integer.MAX_VALUE),
                        (int) whole(Flag.KUBE_CLIENT_BURST, Integer.MIN_VALUE, Integer.MAX_VALUE)),
                leadership(),
                new Settings.Logging(
                        logLevel(),
                        paths(Flag.LOG_OUTPUT_PATHS),
                        paths(Flag.LOG_ERROR_OUTPUT_PATHS)),
                new Settings.Batching(
                        duration(Flag.BATCH_MAX_DURATION), duration(Flag.BATCH_IDLE_DURATION)),
                policies(),
                consolidation(),
                gates(),
                cloud(),
                new Settings.Recording(
                        given(Flag.RECORD_DIR).text(),
                        whole(Flag.RECORD_MAX_BYTES, RecordFolder.BYTES_MIN, Long.MAX_VALUE)),
                !toggle(Flag.DISABLE_CLUSTER_STATE_OBSERVABILITY),
                toggle(Flag.DRY_RUN),
                new Settings.Shadow(toggle(Flag.SHADOW), duration(Flag.REPORT_EVERY)),
                toggle(Flag.LEGACY_NODE_REPAIR));
    }

    private Settings.Replica replica() {
        var memoryLimit = whole(Flag.MEMORY_LIMIT, Long.MIN_VALUE, Long.MAX_VALUE);
        var cpuMillis = whole(Flag.CPU_REQUESTS, Long.MIN_VALUE, Long.MAX_VALUE);
        return new Settings.Replica(
                new Settings.Ports(
                        (int) whole(Flag.METRICS_PORT, 0, PORT_MAX),
                        (int) whole(Flag.HEALTH_PROBE_PORT, 0, PORT_MAX),
                        (int) whole(Flag.DASHBOARD_PORT, 0, PORT_MAX),
                        address(Flag.DASHBOARD_ADDRESS)),
                new Settings.Webhook(
                        !toggle(Flag.DISABLE_WEBHOOK),
                        (int) whole(Flag.WEBHOOK_PORT, 0, PORT_MAX),
                        url(Flag.WEBHOOK_URL, "https://10.0.0.7:8443")),
                toggle(Flag.ENABLE_PROFILING),
                memoryLimit > 0 ? memoryLimit : null,
                cpuMillis > 0 ? cpuMillis : CPU_MILLIS_DEFAULT,
                given(Flag.KARPENTER_SERVICE).text(),
                environment.getOrDefault(SYSTEM_NAMESPACE, ""));
    }

    private Settings.Leadership leadership() {
        var isElected = !toggle(Flag.DISABLE_LEADER_ELECTION);
        var name = given(Flag.LEADER_ELECTION_NAME);
        if (isElected && name.text().isEmpty()) {
            refuse(name, "the name of a Lease, or --" + Flag.DISABLE_LEADER_ELECTION.flagName());
        }
        return new Settings.Leadership(
                isElected,
                name.text(),
                given(Flag.LEADER_ELECTION_NAMESPACE).text(),
                isElected && !toggle(Flag.DISABLE_CONTROLLER_WARMUP));
    }

    private LogLevel logLevel() {
        return switch (choice(Flag.LOG_LEVEL)) {
            case "debug" -> LogLevel.DEBUG;
            case "error" -> LogLevel.ERROR;
            default -> LogLevel.INFO;
        };
    }

    private Settings.Policies policies() {
        return new Settings.Policies(
                choice(Flag.PREFERENCE_POLICY).equals("Ignore")
                        ? Preferences.IGNORE
                        : Preferences.RESPECT,
                choice(Flag.MIN_VALUES_POLICY).equals("BestEffort")
                        ? MinValues.BEST_EFFORT
                        : MinValues.STRICT,
                toggle(Flag.IGNORE_DRA_REQUESTS),
                choice(Flag.PACKING).equals(Packing.FIRST_FIT.text())
                        ? Packing.FIRST_FIT
                        : Packing.CHEAPEST,
                nodeFee(),
                SchedulerConfig.read(
                        given(Flag.SCHEDULER_CONFIG).source(),
                        given(Flag.SCHEDULER_CONFIG).text(),
                        faults::add));
    }

    private double nodeFee() {
        return parsed(
                Flag.NODE_FEE_PER_HOUR,
                NodeFee.WANTED,
                (Given given) -> NodeFee.parse(given.text()));
    }

    private Settings.Consolidation consolidation() {
        var horizon = duration(Flag.CONSOLIDATION_HORIZON);
        if (horizon.isZero()) {
            refuse(given(Flag.CONSOLIDATION_HORIZON), "a duration of more than 0s");
        }
        return new Settings.Consolidation(
                choice(Flag.CONSOLIDATION).equals("cheapest"), horizon, toggle(Flag.STEER_PODS));
    }

    private FeatureGates gates() {
        var given = given(Flag.FEATURE_GATES);
        return FeatureGates.parse(
                given.text(),
                problem -> faults.add(given.source() + ": " + problem),
                note -> notes.add(given.source() + ": " + note));
    }

    private Settings.Cloud cloud() {
        var provider =
                switch (choice(Flag.PROVIDER)) {
                    case "aws" -> Settings.ProviderName.AWS;
                    case "sim" -> Settings.ProviderName.SIM;
                    default -> Settings.ProviderName.KWOK;
                };
        var aws = aws();
        if (provider == Settings.ProviderName.AWS && aws.clusterName().isEmpty()) {
            refuse(given(Flag.CLUSTER_NAME), "the cluster's name, which the aws provider needs");
        }
        return new Settings.Cloud(provider, given(Flag.INSTANCE_TYPES_FILE_PATH).text(), aws);
    }

    private Settings.Aws aws() {
        return new Settings.Aws(
                given(Flag.CLUSTER_NAME).text(),
                url(Flag.CLUSTER_ENDPOINT, "https://example.eks.amazonaws.com"),
                given(Flag.CLUSTER_CA_BUNDLE).text(),
                toggle(Flag.ISOLATED_VPC),
                toggle(Flag.EKS_CONTROL_PLANE),
                share(),
                given(Flag.INTERRUPTION_QUEUE).text(),
                (int) whole(Flag.RESERVED_ENIS, 0, Integer.MAX_VALUE),
                toggle(Flag.DISABLE_DRY_RUN),
                toggle(Flag.ENABLE_ZONAL_SHIFT),
                refresh(Flag.AMI_REFRESH_INTERVAL),
                refresh(Flag.SUBNET_REFRESH_INTERVAL),
                choice(Flag.REBALANCE_POLICY).equals("replace"));
    }

    private String url(Flag flag, String example) {
        var given = given(flag);
        if (!given.text().isEmpty() && !URL.matcher(given.text()).matches()) {
            refuse(given, "a URL with a host such as " + example);
            return "";
        }
        return given.text();
    }

    private String address(Flag flag) {
        var given = given(flag);
        try {
            return InetAddress.ofLiteral(given.text()).getHostAddress();
        } catch (IllegalArgumentException none) {
            refuse(given, "an address such as 127.0.0.1 or 0.0.0.0");
            return "127.0.0.1";
        }
    }

    private BigDecimal share() {
        var share =
                parsed(
                        Flag.VM_MEMORY_OVERHEAD_PERCENT,
                        "a number",
                        (Given given) -> SettingsReader.decimal(given.text()));
        if (share.signum() < 0 || share.compareTo(BigDecimal.ONE) >= 0) {
            refuse(given(Flag.VM_MEMORY_OVERHEAD_PERCENT), "a share from 0 to below 1");
            return Settings.Aws.DEFAULT.memoryOverhead();
        }
        return share;
    }

    private static @Nullable BigDecimal decimal(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException noNumber) {
            return null;
        }
    }

    private Duration refresh(Flag flag) {
        var interval = duration(flag);
        if (interval.compareTo(REFRESH_MIN) < 0) {
            refuse(given(flag), "a duration of at least 1m");
        }
        return interval;
    }

    private Given given(Flag flag) {
        var fromFlag = flags.get(flag.flagName());
        if (fromFlag != null) {
            return new Given("--" + flag.flagName(), true, fromFlag);
        }
        var fromVariable = environment.get(flag.variable());
        return new Given(
                flag.variable(), false, fromVariable == null ? flag.defaultText() : fromVariable);
    }

    private void refuse(Given given, String wanted) {
        faults.add(
                "%s: found \"%s\"; wanted %s"
                        .formatted(given.source(), Shortened.of(given.text()), wanted));
    }

    /// The value by `parse`, which says null to what it cannot read. A flag is then refused; a
    /// variable counts as not given.
    private <T> T parsed(Flag flag, String wanted, Function<Given, @Nullable T> parse) {
        var given = given(flag);
        var value = parse.apply(given);
        if (value != null) {
            return value;
        }
        var fallback = parse.apply(new Given(flag.variable(), false, flag.defaultText()));
        if (fallback == null) {
            throw new IllegalStateException("--%s has no default".formatted(flag.flagName()));
        }
        if (given.isFlag()) {
            refuse(given, "%s, e.g. %s".formatted(wanted, flag.defaultText()));
        } else {
            notes.add(
                    "%s: found \"%s\"; wanted %s, so %s it is"
                            .formatted(
                                    given.source(),
                                    Shortened.of(given.text()),
                                    wanted,
                                    flag.defaultText()));
        }
        return fallback;
    }

    private long whole(Flag flag, long least, long most) {
        var number =
                parsed(
                        flag,
                        "a whole number",
                        (Given given) -> SettingsReader.number(given.text()));
        if (number < least || number > most) {
            refuse(given(flag), "a number from %d to %d".formatted(least, most));
            return least;
        }
        return number;
    }

    private static @Nullable Long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notWhole) {
            return null;
        }
    }

    private boolean toggle(Flag flag) {
        return parsed(
                flag,
                "true or false",
                given ->
                        given.isFlag()
                                ? SettingsReader.word(given.text())
                                : GoBoolean.parse(given.text()));
    }

    private static @Nullable Boolean word(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        };
    }

    private Duration duration(Flag flag) {
        var duration = parsed(flag, "a duration", given -> GoDuration.parse(given.text()));
        if (duration.isNegative()) {
            refuse(given(flag), "a duration of at least 0s");
        }
        return duration;
    }

    /// One of the flag's words; the default after a fault.
    private String choice(Flag flag) {
        var given = given(flag);
        if (!flag.choices().contains(given.text())) {
            refuse(given, "one of " + flag.valueLabel().replace("|", ", "));
            return flag.defaultText();
        }
        return given.text();
    }

    private List<String> paths(Flag flag) {
        var given = given(flag);
        var paths = List.of(given.text().split(",", -1));
        if (paths.stream().anyMatch(String::isBlank)) {
            refuse(given, "stdout, stderr or paths of files, separated by commas");
        }
        return paths;
    }
}
