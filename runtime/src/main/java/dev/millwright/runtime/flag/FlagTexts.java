package dev.millwright.runtime.flag;

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

/// What was given for flags, read as what they stand for. A text that cannot be used is noted and
/// something harmless is answered in its place, so that all faults are told at once.
public final class FlagTexts {

    private static final int PORT_MAX = 65_535;

    /// Where none is said: all addresses of the machine.
    private static final Pattern ADDRESS =
            Pattern.compile("(?<host>|[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\]):(?<port>[0-9]{1,5})");

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern LABEL_VALUE =
            Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private final Map<String, List<String>> given;
    private final List<String> faults = new ArrayList<>();

    /// @param given flags by name without dashes, with all that was given for them
    public FlagTexts(Map<String, List<String>> given) {
        this.given = Map.copyOf(given);
    }

    /// @throws FlagsException with every fault found, if there is one
    public void check() {
        if (!faults.isEmpty()) {
            throw new FlagsException(faults);
        }
    }

    public List<String> all(CommandFlag flag) {
        return given.getOrDefault(flag.flagName(), List.of());
    }

    /// Of a flag that is given twice the last counts.
    public String text(CommandFlag flag) {
        var texts = all(flag);
        return texts.isEmpty() ? flag.defaultText() : texts.getLast();
    }

    public void refuse(CommandFlag flag, String found, String wanted) {
        faults.add(
                "--%s: found \"%s\"; wanted %s"
                        .formatted(flag.flagName(), Shortened.of(found), wanted));
    }

    public boolean toggle(CommandFlag flag) {
        return switch (text(flag)) {
            case "true" -> true;
            case "false" -> false;
            case String other -> {
                refuse(flag, other, "true or false");
                yield false;
            }
        };
    }

    /// One of the flag's words.
    public String choice(CommandFlag flag) {
        if (!flag.choices().contains(text(flag))) {
            refuse(flag, text(flag), "one of " + String.join(", ", flag.choices()));
        }
        return text(flag);
    }

    public int whole(CommandFlag flag, int least, int most) {
        try {
            var number = Integer.parseInt(text(flag));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notWhole) {
            // Told below, like a number out of bounds.
        }
        refuse(flag, text(flag), "a whole number from %d to %d".formatted(least, most));
        return least;
    }

    public Duration duration(CommandFlag flag, Duration least) {
        var duration = GoDuration.parse(text(flag));
        if (duration == null || duration.compareTo(least) < 0) {
            refuse(
                    flag,
                    text(flag),
                    "a duration of at least %ds, e.g. %s"
                            .formatted(least.toSeconds(), flag.defaultText()));
            return least;
        }
        return duration;
    }

    /// Empty where none is named.
    public String namespace(CommandFlag flag) {
        return matching(flag, NAMESPACE, "the name of a namespace");
    }

    /// Empty where none is given.
    public String labelValue(CommandFlag flag) {
        return matching(flag, LABEL_VALUE, "a label's value");
    }

    private String matching(CommandFlag flag, Pattern pattern, String wanted) {
        var text = text(flag);
        if (!text.isEmpty() && !pattern.matcher(text).matches()) {
            refuse(flag, text, wanted);
        }
        return text;
    }

    public @Nullable Path path(CommandFlag flag) {
        var text = text(flag);
        if (text.indexOf('\0') >= 0) {
            refuse(flag, text, "a path");
            return null;
        }
        return text.isEmpty() ? null : Path.of(text);
    }

    public InetSocketAddress address(CommandFlag flag) {
        var address = ADDRESS.matcher(text(flag));
        var port = address.matches() ? Integer.parseInt(address.group("port")) : PORT_MAX + 1;
        if (port > PORT_MAX) {
            refuse(flag, text(flag), "an address such as " + example(flag));
            return new InetSocketAddress(0);
        }
        var host = address.group("host").replaceAll("[\\[\\]]", "");
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    /// Null where `0` or nothing says that nothing is served.
    public @Nullable InetSocketAddress addressIfAny(CommandFlag flag) {
        var text = text(flag);
        return text.isEmpty() || text.equals("0") ? null : address(flag);
    }

    private static String example(CommandFlag flag) {
        return flag.defaultText().isEmpty() ? "localhost:6060" : flag.defaultText();
    }
}
