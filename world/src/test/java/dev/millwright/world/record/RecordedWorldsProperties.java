package dev.millwright.world.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What worlds decided is decided again from their records. `-Dmillwright.seedTimes=50` runs more
/// of them.
@Tag("seeds")
final class RecordedWorldsProperties {

    private static final int SEEDS = Integer.getInteger("millwright.seedTimes", 1);

    @Test
    void everyRecordedDecisionIsMadeAgainToTheLastBit(@TempDir Path folder) throws IOException {
        assertThat(differences(folder)).isEmpty();
    }

    private static List<String> differences(Path folder) throws IOException {
        var differences = new ArrayList<String>();
        for (var seed = 1L; seed <= SEEDS; seed++) {
            var file = folder.resolve(seed + ".mwrecord");
            differences.addAll(RecordedWorld.of(seed, file).differences(seed));
        }
        return differences;
    }
}
