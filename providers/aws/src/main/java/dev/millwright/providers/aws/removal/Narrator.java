package dev.millwright.providers.aws.removal;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Tells what goes on: what is new at once, what lasts now and then.
final class Narrator {

    private static final Duration EVERY = Duration.ofSeconds(30);
    private static final int NAMES_MAX = 5;

    private final Consumer<String> notes;
    private List<String> last = List.of();
    private Instant lastAt = Instant.EPOCH;

    Narrator(Consumer<String> notes) {
        this.notes = notes;
    }

    void tell(String text) {
        notes.accept(text);
    }

    void tellDrains(
            ClusterRemains cluster, List<ClusterRemains.Thing> claims, Duration left, Instant now) {
        try {
            var lines = new DrainWords(cluster).lines(claims, now);
            if (isWorthTelling(lines, now)) {
                tell(
                        "%d NodeClaims still go; their instances are ended in %s at the latest"
                                .formatted(claims.size(), words(left)));
                lines.forEach(line -> tell("  " + line));
            }
        } catch (IOException failure) {
            tell(Removal.text(failure));
        }
    }

    void tellLeft(List<Leftover> left, Instant now) {
        if (left.isEmpty()) {
            return;
        }
        var lines = new ArrayList<String>();
        left.stream()
                .collect(Collectors.groupingBy(Leftover::kind, TreeMap::new, Collectors.toList()))
                .forEach((kind, some) -> lines.add(line(kind, some)));
        if (isWorthTelling(lines, now)) {
            tell("still there: " + String.join("; ", lines));
        }
    }

    private static String line(String kind, List<Leftover> some) {
        var names =
                some.stream()
                        .limit(NAMES_MAX)
                        .map(
                                each ->
                                        each.why().isEmpty()
                                                ? each.name()
                                                : "%s (%s)".formatted(each.name(), each.why()))
                        .collect(Collectors.joining(", "));
        return some.size() <= NAMES_MAX
                ? "%s %s".formatted(kind, names)
                : "%s %s and %d more".formatted(kind, names, some.size() - NAMES_MAX);
    }

    private boolean isWorthTelling(List<String> lines, Instant now) {
        if (lines.equals(last) && now.isBefore(lastAt.plus(EVERY))) {
            return false;
        }
        last = List.copyOf(lines);
        lastAt = now;
        return true;
    }

    /// `9m40s`.
    private static String words(Duration duration) {
        var seconds = Math.max(0, duration.toSeconds());
        return seconds < 60 ? seconds + "s" : "%dm%02ds".formatted(seconds / 60, seconds % 60);
    }
}
