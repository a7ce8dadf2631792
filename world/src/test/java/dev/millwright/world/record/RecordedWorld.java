package dev.millwright.world.record;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.record.RecordEntry;
import dev.millwright.kube.record.RecordHead;
import dev.millwright.kube.record.RecordReader;
import dev.millwright.kube.record.RecordWriter;
import dev.millwright.kube.record.value.Outcome;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.scenario.Scenarios;
import dev.millwright.world.story.Scene;
import dev.millwright.world.story.Setting;
import dev.millwright.world.story.Theatre;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/// A small world with everything that can go wrong, recorded while it runs.
///
/// Of two seeds one is run as Karpenter would and one with all that looks at the whole fleet, so
/// that every way to decide is recorded.
record RecordedWorld(Theatre theatre, Path file) {

    private static final Duration LENGTH = Duration.ofMinutes(45);
    private static final int PODS = 30;

    static RecordedWorld of(long seed, Path file) {
        var theatre = Theatre.ec2();
        return new RecordedWorld(
                seed % 2 == 0
                        ? theatre.with(WorldSettings.operator(Map.of("packing", "first-fit")))
                        : theatre.with(
                                WorldSettings.operator(
                                        Map.of(
                                                "consolidation", "cheapest",
                                                "packing", "cheapest",
                                                "steer-pods", "true"))),
                file);
    }

    /// The outcomes as they were when they were decided.
    List<byte[]> play(long seed) throws IOException {
        var outcomes = new ArrayList<byte[]>();
        try (var writer =
                RecordWriter.create(file, new RecordHead("of a test", WorldSettings.START))) {
            theatre.play(
                    Scene.of(
                            new Setting(
                                    seed,
                                    Scenarios.of(seed),
                                    EnumSet.allOf(Fault.class),
                                    LENGTH,
                                    PODS)),
                    happening -> {
                        if (happening instanceof Happening.Decided(_, _, var deliberation)) {
                            write(writer, deliberation);
                            outcomes.add(Outcome.bytes(deliberation));
                        }
                    },
                    _ -> {});
        }
        return outcomes;
    }

    private static void write(RecordWriter writer, Deliberation deliberation) {
        try {
            writer.write(deliberation);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /// What is not as it was: in the record, or when it is decided anew from it.
    List<String> differences(long seed) throws IOException {
        var outcomes = play(seed);
        var differences = new ArrayList<String>();
        var read = 0;
        try (var reader = RecordReader.open(file)) {
            while (reader.hasNext()) {
                var entry = reader.next();
                if (entry instanceof RecordEntry.Decided(var number, var recorded)) {
                    read++;
                    var live = outcomes.get(number);
                    if (!Arrays.equals(live, Outcome.bytes(recorded))) {
                        differences.add(
                                "seed %d, %d: misread %s".formatted(seed, number, recorded));
                    }
                    if (!Arrays.equals(live, Outcome.bytes(recorded.again()))) {
                        differences.add(
                                "seed %d, %d: %s; then %s"
                                        .formatted(
                                                seed,
                                                number,
                                                recorded.summary(),
                                                recorded.again().summary()));
                    }
                } else {
                    differences.add("seed %d: %s".formatted(seed, entry));
                }
            }
        }
        if (read != outcomes.size() || read == 0) {
            differences.add(
                    "seed %d: %d decisions of %d read".formatted(seed, read, outcomes.size()));
        }
        return differences;
    }
}
