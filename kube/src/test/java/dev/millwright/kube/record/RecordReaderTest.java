package dev.millwright.kube.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.deliberation.Deliberation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

final class RecordReaderTest {

    private static final List<Deliberation> THREE =
            List.of(
                    Samples.pod("a", "uid-a", 0),
                    Samples.pod("b", "uid-b", 1),
                    Samples.pod("a", "uid-a", 2));

    @TempDir private Path folder;

    private List<RecordEntry> read(byte[] bytes) throws IOException {
        return Samples.entries(Samples.written(folder, bytes));
    }

    @Test
    void decisionsComeBackInTheirOrder() throws IOException {
        assertThat(read(Samples.record(THREE)))
                .containsExactly(
                        new RecordEntry.Decided(0, THREE.get(0)),
                        new RecordEntry.Decided(1, THREE.get(1)),
                        new RecordEntry.Decided(2, THREE.get(2)));
    }

    @Test
    void whoWroteTheRecordIsKnown() throws IOException {
        var file = Samples.written(folder, Samples.record(THREE));
        try (var reader = RecordReader.open(file)) {
            assertThat(reader.head()).isEqualTo(Samples.HEAD);
        }
    }

    @Test
    void aRecordThatWasCutOffIsReadAsFarAsItGoes() throws IOException {
        var bytes = Samples.record(THREE);
        var entries = read(Arrays.copyOf(bytes, bytes.length - 30));
        assertThat(entries.getFirst()).isEqualTo(new RecordEntry.Decided(0, THREE.getFirst()));
        assertThat(entries.getLast())
                .isInstanceOfSatisfying(
                        RecordEntry.Damaged.class,
                        damage ->
                                assertThat(damage.explain())
                                        .contains("a.mwrecord: damaged at byte")
                                        .contains("cut off"));
    }

    @Test
    void aByteThatWasChangedIsTold() throws IOException {
        var bytes = Samples.record(THREE);
        bytes[bytes.length / 2] ^= 0x55;
        assertThat(read(bytes).getLast()).isInstanceOf(RecordEntry.Damaged.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kind: Pod\n", "", "millwright record x\n"})
    void aFileThatIsNoRecordIsRefused(String text) {
        assertThatThrownBy(() -> read(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(RecordException.class)
                .hasMessageContaining("a.mwrecord: found")
                .hasMessageContaining("millwright record");
    }

    @ParameterizedTest
    @ValueSource(ints = {RecordFormat.NUMBER - 1, RecordFormat.NUMBER + 1})
    void aRecordOfAnotherFormatIsRefusedByItsNumber(int format) {
        var line = "millwright record %d\n".formatted(format);

        assertThatThrownBy(() -> read(line.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(RecordException.class)
                .hasMessageContaining("found a record of format " + format)
                .hasMessageContaining("replay it with the version that wrote it");
    }

    @Test
    void afterADamagedFileTheNextOneIsRead() throws IOException {
        var bytes = Samples.record(THREE);
        Samples.written(folder, Arrays.copyOf(bytes, bytes.length - 30));
        Files.write(folder.resolve("b.mwrecord"), Samples.record(THREE));
        assertThat(Samples.entries(folder).getLast())
                .isInstanceOfSatisfying(
                        RecordEntry.Decided.class,
                        decided -> assertThat(decided.deliberation()).isEqualTo(THREE.get(2)));
    }

    @Test
    void anEmptyFolderHoldsNoRecord() {
        assertThatThrownBy(() -> RecordReader.open(folder))
                .isInstanceOf(RecordException.class)
                .hasMessageContaining("wanted files ending in .mwrecord");
    }
}
