package dev.millwright.world.story;

import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.invariant.Breach;
import dev.millwright.world.scenario.Line;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// A scene that fails, in words: what was there, what happened in order, what broke.
public final class Story {

    /// Lines of what happened that are told, the last ones before the breach.
    private static final int LINES_MAX = 40;

    private record Event(Instant at, String words) {}

    private Story() {}

    /// Plays the scene once more, to tell what happened in it.
    public static String of(Theatre theatre, Shrinker.Shrunk shrunk) {
        var scene = shrunk.scene();
        var listener = new Listener(shrunk.breach().at());
        theatre.play(scene, listener, _ -> {});
        var text = new StringBuilder();
        text.append("seed %d, faults: %s%n".formatted(scene.seed(), faults(scene)));
        text.append("There was at the start:%n".formatted());
        scene.script().lines().stream()
                .filter(line -> line.at().isZero())
                .forEach(line -> text.append("  a user %s%n".formatted(line.words())));
        text.append("Then:%n".formatted());
        for (var event : events(scene, listener, shrunk.breach())) {
            text.append("  %s %s%n".formatted(clock(event.at()), event.words()));
        }
        text.append(
                "What broke, at %s: %s%n  %s%n"
                        .formatted(
                                clock(shrunk.breach().at()),
                                shrunk.breach().invariant(),
                                shrunk.breach().message()));
        return text.toString();
    }

    private static String faults(Scene scene) {
        return scene.faults().isEmpty()
                ? "none"
                : scene.faults().stream().map(Fault::word).collect(Collectors.joining(", "));
    }

    private static List<Event> events(Scene scene, Listener listener, Breach breach) {
        var events = new ArrayList<>(listener.events);
        for (var line : scene.script().lines()) {
            var at = WorldSettings.START.plus(line.at());
            if (!line.at().isZero() && !at.isAfter(breach.at())) {
                events.add(new Event(at, "a user " + words(line)));
            }
        }
        events.sort(Comparator.comparing(Event::at));
        return events.subList(Math.max(0, events.size() - LINES_MAX), events.size());
    }

    private static String words(Line line) {
        return line.words();
    }

    /// Since the start: `0:05:12.250`.
    private static String clock(Instant at) {
        var since = Duration.between(WorldSettings.START, at);
        return "%d:%02d:%02d.%03d"
                .formatted(
                        since.toHours(),
                        since.toMinutesPart(),
                        since.toSecondsPart(),
                        since.toMillisPart());
    }

    /// Keeps what a person would want to know, the latest of it.
    private static final class Listener implements Witness {

        private static final int KEPT_MAX = 1_000;

        private final Instant until;
        private final ArrayDeque<Event> events = new ArrayDeque<>();

        private Listener(Instant until) {
            this.until = until;
        }

        @Override
        public void saw(Happening happening) {
            var words = happening.at().isAfter(until) ? null : words(happening);
            if (words != null) {
                events.addLast(new Event(happening.at(), words));
                if (events.size() > KEPT_MAX) {
                    events.removeFirst();
                }
            }
        }

        private static @Nullable String words(Happening happening) {
            return switch (happening) {
                case Happening.Struck(_, var fault, var what) ->
                        "fault %s: %s".formatted(fault, what);
                case Happening.Started(_, var machine, var claim) ->
                        "machine %s starts for NodeClaim %s"
                                .formatted(machine.providerId(), claim.name());
                case Happening.Stopped(_, var id, var cause) ->
                        "machine %s stops: %s".formatted(id, cause);
                case Happening.Noticed(_, var id, var endsAt) ->
                        "machine %s will be taken back at %s".formatted(id, clock(endsAt));
                case Happening.Led(_, var replica, var leads) ->
                        "replica %s %s".formatted(replica, leads ? "leads" : "leads no more");
                case Happening.Evicted(_, var by, var pod, _, var answer) ->
                        "%s asks for the eviction of %s: %s".formatted(by, pod, answer.explain());
                case Happening.Acted(_, var replica, var controller, var what) ->
                        "%s/%s sends: %s".formatted(replica, controller, what);
                case Happening.Asked _,
                        Happening.Changed _,
                        Happening.Said _,
                        Happening.Decided _,
                        Happening.Published _ ->
                        null;
            };
        }
    }
}
