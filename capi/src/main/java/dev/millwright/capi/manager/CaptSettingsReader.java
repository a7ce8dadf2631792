package dev.millwright.capi.manager;

import dev.millwright.capi.roster.Half;
import dev.millwright.runtime.flag.FlagTexts;
import dev.millwright.runtime.log.LogLevel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Reads the settings from flags, and tells all that is wrong at once.
public final class CaptSettingsReader {

    private static final int CONCURRENCY_MAX = 1_000;
    private static final int RATE_MAX = 100_000;
    private static final int RUNS_MAX = 100;
    private static final Duration INTERVAL_MIN = Duration.ofSeconds(10);

    private final Map<String, List<String>> given;
    private final FlagTexts flags;

    private CaptSettingsReader(Map<String, List<String>> given) {
        this.given = given;
        this.flags = new FlagTexts(given);
    }

    /// Flags by name without dashes, with all that was given for them.
    ///
    /// @throws dev.millwright.runtime.flag.FlagsException with every fault found
    public static CaptSettings read(Map<String, List<String>> given) {
        var reader = new CaptSettingsReader(given);
        var settings = reader.settings();
        reader.flags.check();
        return settings;
    }

    private CaptSettings settings() {
        return new CaptSettings(
                halves(),
                new CaptSettings.Leadership(
                        flags.toggle(CaptFlag.LEADER_ELECT),
                        flags.namespace(CaptFlag.LEADER_ELECTION_NAMESPACE)),
                endpoints(),
                logLevel(),
                new CaptSettings.Scope(
                        flags.namespace(CaptFlag.NAMESPACE),
                        flags.labelValue(CaptFlag.WATCH_FILTER),
                        flags.toggle(CaptFlag.ALLOW_CROSS_NAMESPACE_REFERENCES)),
                new CaptSettings.Load(
                        flags.whole(CaptFlag.CONCURRENCY, 1, CONCURRENCY_MAX),
                        flags.whole(CaptFlag.KUBE_API_QPS, 1, RATE_MAX),
                        flags.whole(CaptFlag.KUBE_API_BURST, 1, RATE_MAX)),
                new CaptSettings.Terraform(
                        workspaces(),
                        flags.path(CaptFlag.TERRAFORM_WORK_DIR),
                        flags.path(CaptFlag.TERRAFORM_RUNNER),
                        flags.duration(CaptFlag.TERRAFORM_TIMEOUT, INTERVAL_MIN),
                        flags.duration(CaptFlag.TERRAFORM_POLL_INTERVAL, INTERVAL_MIN),
                        flags.whole(CaptFlag.TERRAFORM_RUNS_MAX, 1, RUNS_MAX),
                        flags.toggle(CaptFlag.LEND_MANAGER_CREDENTIALS)),
                flags.toggle(CaptFlag.DRY_RUN));
    }

    private List<Half> halves() {
        var halves = new ArrayList<Half>();
        for (var word : flags.all(CaptFlag.ENABLE_CONTROLLER)) {
            var half = Half.named(word);
            if (half == null) {
                flags.refuse(
                        CaptFlag.ENABLE_CONTROLLER,
                        word,
                        "one of " + String.join(", ", Half.words()));
            } else {
                halves.add(half);
            }
        }
        return halves.isEmpty() ? List.of(Half.values()) : halves;
    }

    private CaptSettings.Endpoints endpoints() {
        flags.choice(CaptFlag.ZAP_ENCODER);
        flags.choice(CaptFlag.ZAP_STACKTRACE_LEVEL);
        flags.choice(CaptFlag.ZAP_TIME_ENCODING);
        var isServed = !flags.text(CaptFlag.METRICS_BIND_ADDRESS).equals("0");
        return new CaptSettings.Endpoints(
                isServed ? flags.address(CaptFlag.METRICS_BIND_ADDRESS) : null,
                flags.address(CaptFlag.HEALTH_PROBE_BIND_ADDRESS),
                flags.toggle(CaptFlag.METRICS_SECURE),
                flags.path(CaptFlag.METRICS_CERT_PATH));
    }

    private CaptSettings.Workspaces workspaces() {
        return switch (flags.choice(CaptFlag.WORKSPACES)) {
            case "own" -> CaptSettings.Workspaces.OWN;
            case "leave" -> CaptSettings.Workspaces.LEAVE;
            default -> CaptSettings.Workspaces.AUTO;
        };
    }

    private LogLevel logLevel() {
        var isDevelopment = flags.toggle(CaptFlag.ZAP_DEVEL);
        if (!given.containsKey(CaptFlag.ZAP_LOG_LEVEL.flagName())) {
            return isDevelopment ? LogLevel.DEBUG : LogLevel.INFO;
        }
        var text = flags.text(CaptFlag.ZAP_LOG_LEVEL);
        return switch (text) {
            case "debug" -> LogLevel.DEBUG;
            case "info" -> LogLevel.INFO;
            case "error", "panic" -> LogLevel.ERROR;
            default -> {
                if (!text.matches("[1-9][0-9]{0,8}")) {
                    flags.refuse(
                            CaptFlag.ZAP_LOG_LEVEL,
                            text,
                            "debug, info, error, panic or a number above 0");
                }
                yield LogLevel.DEBUG;
            }
        };
    }
}
