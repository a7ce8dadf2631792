package dev.millwright.kube.record;

import dev.millwright.core.deliberation.Deliberation;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// A record in a folder, of which the oldest files go when it grows too large.
///
/// Each file can be read by itself: it begins with the whole cluster. Not for several threads.
public final class RecordFolder implements AutoCloseable {

    /// The least that a folder may hold: a few files that each begin with a cluster of some size.
    public static final long BYTES_MIN = 16 << 20;

    /// Files that a full folder consists of: so much of the past goes at once.
    private static final int FILES = 16;

    /// Values that one file may name. They are held in memory, at about 200 bytes each.
    private static final int VALUES_MAX = 400_000;

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    /// @param bytesMax of all files together, at least [#BYTES_MIN]
    /// @param version of millwright, as the files tell it
    public record Settings(Path folder, long bytesMax, String version) {
        public Settings {
            if (bytesMax < BYTES_MIN) {
                throw new IllegalArgumentException(
                        "%d bytes for records; wanted at least %d".formatted(bytesMax, BYTES_MIN));
            }
        }
    }

    private final Settings settings;
    private final InstantSource clock;
    private @Nullable RecordWriter writer;

    public RecordFolder(Settings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /// The records of a folder, the oldest first.
    static List<Path> files(Path folder) throws IOException {
        try (var all = Files.list(folder)) {
            return all.filter(each -> each.getFileName().toString().endsWith(RecordFormat.SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    public void write(Deliberation deliberation) throws IOException {
        writer().write(deliberation);
    }

    void missed(RecordEntry.Missed missed) throws IOException {
        writer().missed(missed);
    }

    public void flush() throws IOException {
        if (writer != null) {
            writer.flush();
        }
    }

    private RecordWriter writer() throws IOException {
        var open = writer;
        if (open != null
                && (open.bytes() >= settings.bytesMax() / FILES || open.values() >= VALUES_MAX)) {
            close();
            open = null;
        }
        if (open == null) {
            open = begin(clock.instant());
            writer = open;
        }
        return open;
    }

    private RecordWriter begin(Instant now) throws IOException {
        Files.createDirectories(settings.folder());
        makeRoom();
        var name = name(now, files(settings.folder()));
        return RecordWriter.create(
                settings.folder().resolve(name), new RecordHead(settings.version(), now));
    }

    /// After all others, also when the clock was put back.
    private static String name(Instant now, List<Path> files) {
        var name = NAME.format(now) + RecordFormat.SUFFIX;
        var last = files.isEmpty() ? "" : files.getLast().getFileName().toString();
        return last.compareTo(name) < 0
                ? name
                : last.substring(0, last.length() - RecordFormat.SUFFIX.length())
                        + "~"
                        + RecordFormat.SUFFIX;
    }

    /// Leaves room for one file more.
    private void makeRoom() throws IOException {
        var files = files(settings.folder());
        var sum = 0L;
        for (var file : files) {
            sum += Files.size(file);
        }
        var most = settings.bytesMax() - settings.bytesMax() / FILES;
        for (var file : files) {
            if (sum <= most) {
                return;
            }
            sum -= Files.size(file);
            Files.delete(file);
        }
    }

    @Override
    public void close() throws IOException {
        var open = writer;
        writer = null;
        if (open != null) {
            open.close();
        }
    }
}
