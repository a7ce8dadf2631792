package dev.millwright.addons.manager;

import dev.millwright.runtime.flag.FlagTexts;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.probe.Endpoints;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Reads the settings from flags, and tells all that is wrong at once.
public final class AddonsSettingsReader {

    private static final int CONCURRENCY_MAX = 1_000;
    private static final int RATE_MAX = 100_000;
    private static final int PORT_MAX = 65_535;
    private static final int VERBOSITY_MAX = 10;
    private static final int VERBOSITY_DEBUG = 4;
    private static final int MEBIBYTES_MIN = 64;
    private static final int MEBIBYTES_MAX = 1 << 20;
    private static final Duration ELECTION_MIN = Duration.ofSeconds(1);
    private static final Duration SYNC_MIN = Duration.ofSeconds(10);

    private final FlagTexts flags;

    private AddonsSettingsReader(FlagTexts flags) {
        this.flags = flags;
    }

    /// Flags by name without dashes, with all that was given for them.
    ///
    /// @throws dev.millwright.runtime.flag.FlagsException with every fault found
    public static AddonsSettings read(Map<String, List<String>> given) {
        var flags = new FlagTexts(given);
        var settings = new AddonsSettingsReader(flags).settings();
        flags.check();
        return settings;
    }

    private AddonsSettings settings() {
        flags.whole(AddonsFlag.WEBHOOK_PORT, 0, PORT_MAX);
        var isVerbose = flags.whole(AddonsFlag.VERBOSITY, 0, VERBOSITY_MAX) >= VERBOSITY_DEBUG;
        return new AddonsSettings(
                leadership(),
                new Endpoints(
                        flags.addressIfAny(AddonsFlag.DIAGNOSTICS_ADDRESS),
                        flags.address(AddonsFlag.HEALTH_ADDRESS),
                        flags.addressIfAny(AddonsFlag.PROFILER_ADDRESS),
                        !flags.toggle(AddonsFlag.INSECURE_DIAGNOSTICS),
                        flags.path(AddonsFlag.DIAGNOSTICS_CERT_PATH)),
                isVerbose ? LogLevel.DEBUG : LogLevel.INFO,
                new AddonsSettings.Scope(
                        flags.namespace(AddonsFlag.NAMESPACE),
                        flags.labelValue(AddonsFlag.WATCH_FILTER),
                        flags.toggle(AddonsFlag.ALLOW_CROSS_NAMESPACE_REFERENCES)),
                load(),
                helm(),
                flags.toggle(AddonsFlag.DRY_RUN));
    }

    private AddonsSettings.Leadership leadership() {
        var lease = flags.duration(AddonsFlag.LEASE_DURATION, ELECTION_MIN);
        var deadline = flags.duration(AddonsFlag.RENEW_DEADLINE, ELECTION_MIN);
        var retry = flags.duration(AddonsFlag.RETRY_PERIOD, ELECTION_MIN);
        if (lease.compareTo(deadline) <= 0) {
            flags.refuse(
                    AddonsFlag.LEASE_DURATION,
                    flags.text(AddonsFlag.LEASE_DURATION),
                    longerThan(AddonsFlag.RENEW_DEADLINE));
        }
        if (deadline.compareTo(retry) <= 0) {
            flags.refuse(
                    AddonsFlag.RENEW_DEADLINE,
                    flags.text(AddonsFlag.RENEW_DEADLINE),
                    longerThan(AddonsFlag.RETRY_PERIOD));
        }
        return new AddonsSettings.Leadership(
                flags.toggle(AddonsFlag.LEADER_ELECT),
                flags.namespace(AddonsFlag.LEADER_ELECTION_NAMESPACE),
                lease,
                deadline,
                retry);
    }

    private String longerThan(AddonsFlag other) {
        return "longer than --%s, which is %s".formatted(other.flagName(), flags.text(other));
    }

    private AddonsSettings.Load load() {
        return new AddonsSettings.Load(
                flags.whole(AddonsFlag.CHART_CONCURRENCY, 1, CONCURRENCY_MAX),
                flags.whole(AddonsFlag.RELEASE_CONCURRENCY, 1, CONCURRENCY_MAX),
                flags.duration(AddonsFlag.SYNC_PERIOD, SYNC_MIN),
                flags.whole(AddonsFlag.KUBE_API_QPS, 1, RATE_MAX),
                flags.whole(AddonsFlag.KUBE_API_BURST, 1, RATE_MAX));
    }

    private AddonsSettings.HelmProgram helm() {
        var binary = flags.text(AddonsFlag.HELM);
        if (binary.isBlank() || binary.indexOf('\0') >= 0) {
            flags.refuse(AddonsFlag.HELM, binary, "a path, or a name such as helm");
        }
        var mebibytes = flags.whole(AddonsFlag.HELM_MEMORY, MEBIBYTES_MIN, MEBIBYTES_MAX);
        return new AddonsSettings.HelmProgram(
                binary, flags.path(AddonsFlag.HELM_WORK_DIR), (long) mebibytes << 20);
    }
}
