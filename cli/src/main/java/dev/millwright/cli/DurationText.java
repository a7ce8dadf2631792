package dev.millwright.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.time.Duration;
import java.util.regex.Pattern;

/// Durations as people write them: `500ms`, `5s`, `10m`, `1h30m`.
final class DurationText implements ITypeConverter<Duration> {

    private static final Pattern WHOLE = Pattern.compile("([0-9]{1,6}(ms|s|m|h))+");
    private static final Pattern PART = Pattern.compile("([0-9]{1,6})(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        if (text.length() > 40 || !WHOLE.matcher(text).matches()) {
            throw new TypeConversionException(
                    "found \"%s\"; wanted a duration such as 500ms, 5s or 10m".formatted(text));
        }
        var sum = Duration.ZERO;
        var part = PART.matcher(text);
        while (part.find()) {
            sum = sum.plus(part(Long.parseLong(part.group(1)), part.group(2)));
        }
        return sum;
    }

    private static Duration part(long number, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }
}
