package dev.millwright.kube.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

final class RecorderTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Samples.NOON);

    @TempDir private Path folder;

    /// Counts what it hears.
    private static final class Listener implements Recorder.Ear {

        private final AtomicLong missed = new AtomicLong();
        private final AtomicLong failures = new AtomicLong();

        @Override
        public void missed(long decisions) {
            missed.addAndGet(decisions);
        }

        @Override
        public void failed(String why) {
            failures.incrementAndGet();
        }
    }

    private RecordFolder records(Path path) {
        return new RecordFolder(
                new RecordFolder.Settings(path, RecordFolder.BYTES_MIN, "1.2.3"), CLOCK);
    }

    @Test
    void whatIsDecidedIsInTheFolder() throws IOException {
        var decision = Samples.pod("a", "uid-a", 0);
        try (var recorder = Recorder.start(records(folder), CLOCK, new Listener())) {
            recorder.accept(decision);
        }
        assertThat(Samples.entries(folder)).containsExactly(new RecordEntry.Decided(0, decision));
    }

    @Test
    void itsOwnerAloneReadsARecord() throws IOException {
        try (var recorder = Recorder.start(records(folder), CLOCK, new Listener())) {
            recorder.accept(Samples.pod("a", "uid-a", 0));
        }
        for (var file : RecordFolder.files(folder)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    /// Nothing is taken before the thread runs: so it falls behind, for sure.
    @Test
    void whatItCannotKeepUpWithIsLeftOutAndToldOf() throws IOException {
        var ear = new Listener();
        var recorder = new Recorder(records(folder), CLOCK, ear);
        IntStream.range(0, Recorder.WAITING_MAX + 3)
                .mapToObj(minute -> Samples.pod("a", "uid-a", minute))
                .forEach(recorder);
        recorder.run();
        recorder.close();
        assertThat(ear.missed).hasValue(3);
        assertThat(Samples.entries(folder))
                .hasSize(Recorder.WAITING_MAX + 1)
                .contains(
                        new RecordEntry.Missed(
                                3,
                                Samples.NOON.plusSeconds(60L * Recorder.WAITING_MAX),
                                Samples.NOON.plusSeconds(60L * (Recorder.WAITING_MAX + 2))));
    }

    @Test
    void aFolderThatCannotBeWrittenStopsNobody() throws IOException {
        var ear = new Listener();
        var file = Files.createFile(folder.resolve("file"));
        try (var recorder = Recorder.start(records(file), CLOCK, ear)) {
            recorder.accept(Samples.pod("a", "uid-a", 0));
            recorder.accept(Samples.pod("b", "uid-b", 1));
        }
        assertThat(ear.failures).hasValue(1);
        assertThat(ear.missed).hasValue(2);
    }

    /// Each decision brings 40 kB that cannot be packed.
    @Test
    void theOldestFilesGoWhenTheFolderIsFull() throws IOException {
        var random = new Random(1);
        try (var records = records(folder)) {
            for (var index = 0; index < 500; index++) {
                records.write(Samples.pod("a", noise(random), index));
                records.flush();
            }
        }
        var files = RecordFolder.files(folder);
        assertThat(files.stream().mapToLong(file -> file.toFile().length()).sum())
                .isBetween(RecordFolder.BYTES_MIN / 2, RecordFolder.BYTES_MIN);
        assertThat(Samples.entries(folder).getLast())
                .isInstanceOfSatisfying(
                        RecordEntry.Decided.class,
                        last ->
                                assertThat(last.deliberation().at())
                                        .isEqualTo(Samples.NOON.plusSeconds(60L * 499)));
    }

    private static String noise(Random random) {
        return random.ints(50_000, ' ' + 1, '~')
                .filter(letter -> letter != '"' && letter != '\\')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
