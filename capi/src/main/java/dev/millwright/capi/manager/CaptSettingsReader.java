package dev.millwright.capi.manager;

import dev.millwright.capi.roster.Half;
import dev.millwright.controllers.log.LogLevel;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.document.Shortened;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Reads the settings from flags, and tells all that is wrong at once.
public final class CaptSettingsReader {

    private static final int PORT_MAX = 65_535;
    private static final int CONCURRENCY_MAX = 1_000;
    private static final int RATE_MAX = 100_000;
    private static final int RUNS_MAX = 100;
    private static final Duration INTERVAL_MIN = Duration.ofSeconds(10);

    /// Where none is said: all addresses of the machine.
    private static final Pattern ADDRESS =
            Pattern.compile("(?<host>|[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\]):(?<port>[0-9]{1,5})");

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern LABEL_VALUE =
            Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private final Map<String, List<String>> given;
    private final List<String> faults = new ArrayList<>();

    private CaptSettingsReader(Map<String, List<String>> given) {
        this.given = given;
    }

    /// Flags by name without dashes, with all that was given for them.
    ///
    /// @throws CaptSettingsException with every fault found
    public static CaptSettings read(Map<String, List<String>> given) {
        var reader = new CaptSettingsReader(given);
        var settings = reader.settings();
        if (!reader.faults.isEmpty()) {
            throw new CaptSettingsException(reader.faults);
        }
        return settings;
    }

    private CaptSettings settings() {
        return new CaptSettings(
                halves(),
                new CaptSettings.Leadership(
                        toggle(CaptFlag.LEADER_ELECT),
                        matching(
                                CaptFlag.LEADER_ELECTION_NAMESPACE,
                                NAMESPACE,
                                "the name of a namespace")),
                endpoints(),
                logLevel(),
                new CaptSettings.Scope(
                        matching(CaptFlag.NAMESPACE, NAMESPACE, "the name of a namespace"),
                        matching(CaptFlag.WATCH_FILTER, LABEL_VALUE, "a label's value")),
                new CaptSettings.Load(
                        whole(CaptFlag.CONCURRENCY, CONCURRENCY_MAX),
                        whole(CaptFlag.KUBE_API_QPS, RATE_MAX),
                        whole(CaptFlag.KUBE_API_BURST, RATE_MAX)),
                new CaptSettings.Terraform(
                        workspaces(),
                        path(CaptFlag.TERRAFORM_WORK_DIR),
                        duration(CaptFlag.TERRAFORM_TIMEOUT),
                        duration(CaptFlag.TERRAFORM_POLL_INTERVAL),
                        whole(CaptFlag.TERRAFORM_RUNS_MAX, RUNS_MAX)),
                toggle(CaptFlag.DRY_RUN));
    }

    private List<Half> halves() {
        var halves = new ArrayList<Half>();
        for (var word : given.getOrDefault(CaptFlag.ENABLE_CONTROLLER.flagName(), List.of())) {
            var half = Half.named(word);
            if (half == null) {
                refuse(
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
        var metrics = text(CaptFlag.METRICS_BIND_ADDRESS);
        checkWords(CaptFlag.ZAP_ENCODER);
        checkWords(CaptFlag.ZAP_STACKTRACE_LEVEL);
        checkWords(CaptFlag.ZAP_TIME_ENCODING);
        return new CaptSettings.Endpoints(
                metrics.equals("0") ? null : address(CaptFlag.METRICS_BIND_ADDRESS),
                address(CaptFlag.HEALTH_PROBE_BIND_ADDRESS),
                toggle(CaptFlag.METRICS_SECURE),
                path(CaptFlag.METRICS_CERT_PATH));
    }

    private void checkWords(CaptFlag flag) {
        if (!flag.choices().contains(text(flag))) {
            refuse(flag, text(flag), "one of " + String.join(", ", flag.choices()));
        }
    }

    private CaptSettings.Workspaces workspaces() {
        checkWords(CaptFlag.WORKSPACES);
        return switch (text(CaptFlag.WORKSPACES)) {
            case "own" -> CaptSettings.Workspaces.OWN;
            case "leave" -> CaptSettings.Workspaces.LEAVE;
            default -> CaptSettings.Workspaces.AUTO;
        };
    }

    private LogLevel logLevel() {
        var isDevelopment = toggle(CaptFlag.ZAP_DEVEL);
        if (!given.containsKey(CaptFlag.ZAP_LOG_LEVEL.flagName())) {
            return isDevelopment ? LogLevel.DEBUG : LogLevel.INFO;
        }
        var text = text(CaptFlag.ZAP_LOG_LEVEL);
        return switch (text) {
            case "debug" -> LogLevel.DEBUG;
            case "info" -> LogLevel.INFO;
            case "error", "panic" -> LogLevel.ERROR;
            default -> {
                if (!text.matches("[1-9][0-9]{0,8}")) {
                    refuse(
                            CaptFlag.ZAP_LOG_LEVEL,
                            text,
                            "debug, info, error, panic or a number above 0");
                }
                yield LogLevel.DEBUG;
            }
        };
    }

    /// Of a flag that is given twice the last counts.
    private String text(CaptFlag flag) {
        var texts = given.getOrDefault(flag.flagName(), List.of());
        return texts.isEmpty() ? flag.defaultText() : texts.getLast();
    }

    private void refuse(CaptFlag flag, String found, String wanted) {
        faults.add(
                "--%s: found \"%s\"; wanted %s"
                        .formatted(flag.flagName(), Shortened.of(found), wanted));
    }

    private boolean toggle(CaptFlag flag) {
        return switch (text(flag)) {
            case "true" -> true;
            case "false" -> false;
            case String other -> {
                refuse(flag, other, "true or false");
                yield false;
            }
        };
    }

    private int whole(CaptFlag flag, int most) {
        try {
            var number = Integer.parseInt(text(flag));
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notWhole) {
            // Told below, like a number out of bounds.
        }
        refuse(flag, text(flag), "a whole number from 1 to " + most);
        return 1;
    }

    private Duration duration(CaptFlag flag) {
        var duration = GoDuration.parse(text(flag));
        if (duration == null || duration.compareTo(INTERVAL_MIN) < 0) {
            refuse(flag, text(flag), "a duration of at least 10s, e.g. " + flag.defaultText());
            return INTERVAL_MIN;
        }
        return duration;
    }

    private String matching(CaptFlag flag, Pattern pattern, String wanted) {
        var text = text(flag);
        if (!text.isEmpty() && !pattern.matcher(text).matches()) {
            refuse(flag, text, wanted);
        }
        return text;
    }

    private @Nullable Path path(CaptFlag flag) {
        var text = text(flag);
        if (text.indexOf('\0') >= 0) {
            refuse(flag, text, "a path");
            return null;
        }
        return text.isEmpty() ? null : Path.of(text);
    }

    private InetSocketAddress address(CaptFlag flag) {
        var address = ADDRESS.matcher(text(flag));
        var port = address.matches() ? Integer.parseInt(address.group("port")) : PORT_MAX + 1;
        if (port > PORT_MAX) {
            refuse(flag, text(flag), "an address such as " + flag.defaultText());
            return new InetSocketAddress(0);
        }
        var host = address.group("host").replaceAll("[\\[\\]]", "");
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }
}
