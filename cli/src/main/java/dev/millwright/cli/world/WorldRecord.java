package dev.millwright.cli.world;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.record.RecordHead;
import dev.millwright.kube.record.RecordWriter;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.story.Scene;
import dev.millwright.world.story.Setting;
import dev.millwright.world.story.Theatre;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/// All decisions of one world in a file.
public final class WorldRecord {

    private WorldRecord() {}

    public static void write(Theatre theatre, Setting setting, Path file) throws IOException {
        var head =
                new RecordHead(
                        "world, seed %d, %s".formatted(setting.seed(), setting.scenario().name()),
                        WorldSettings.START);
        try (var writer = RecordWriter.create(file, head)) {
            theatre.play(
                    Scene.of(setting),
                    happening -> {
                        if (happening instanceof Happening.Decided(_, _, var deliberation)) {
                            write(writer, deliberation);
                        }
                    },
                    _ -> {});
        } catch (UncheckedIOException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }

    private static void write(RecordWriter writer, Deliberation deliberation) {
        try {
            writer.write(deliberation);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }
}
