package dev.millwright.kube.record;

import dev.millwright.kube.record.value.DamageException;
import dev.millwright.kube.record.value.DeliberationReader;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/// Reads one file of a record, entry by entry.
///
/// A file that just ends, as that of a process that was killed does, is read as far as it goes. A
/// file that is damaged ends with a [RecordEntry.Damaged].
final class RecordFileReader implements AutoCloseable {

    private static final int BUFFER = 64 << 10;

    private record Frame(int kind, byte[] bytes) {}

    private final Path file;
    private final Inflater inflater = new Inflater();
    private final DataInputStream in;
    private final int firstLine;
    private final DeliberationReader values = new DeliberationReader();
    private final RecordHead head;
    private boolean hasEnded;

    private RecordFileReader(Path file) throws IOException {
        this.file = file;
        var raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        try {
            this.firstLine = firstLine(file, raw);
            this.in = new DataInputStream(new InflaterInputStream(raw, inflater, BUFFER));
            this.head = head();
        } catch (IOException | RuntimeException refused) {
            inflater.end();
            raw.close();
            throw refused;
        }
    }

    /// @throws RecordException when it is no record, or one of a newer format
    static RecordFileReader open(Path file) throws IOException {
        return new RecordFileReader(file);
    }

    RecordHead who() {
        return head;
    }

    private static int firstLine(Path file, BufferedInputStream raw) throws IOException {
        var line = new StringBuilder();
        for (var one = raw.read(); one != '\n'; one = raw.read()) {
            if (one < ' ' || one > '~' || line.length() == RecordFormat.FIRST_LINE_MAX) {
                throw new RecordException(
                        "%s: found no record; wanted a file that begins with \"%s\", such as `millwright record` writes"
                                .formatted(file, RecordFormat.FIRST_WORDS.strip()));
            }
            line.append((char) one);
        }
        if (!line.toString().matches(RecordFormat.FIRST_WORDS + "[0-9]{1,6}")) {
            throw new RecordException(
                    "%s: found \"%s\"; wanted a record, which begins with \"%s\""
                            .formatted(file, line, RecordFormat.FIRST_WORDS.strip()));
        }
        var format = Integer.parseInt(line.substring(RecordFormat.FIRST_WORDS.length()));
        if (format != RecordFormat.NUMBER) {
            throw new RecordException(
                    "%s: found a record of format %d; this millwright reads format %d; replay it with the version that wrote it"
                            .formatted(file, format, RecordFormat.NUMBER));
        }
        return line.length() + 1;
    }

    private RecordHead head() throws IOException {
        Frame frame;
        try {
            frame = frame();
        } catch (DamageException damage) {
            throw new RecordException("%s: %s".formatted(file, damage.getMessage()), damage);
        }
        if (frame == null || frame.kind() != RecordFormat.HEAD) {
            throw new RecordException(
                    "%s: the record ends before it begins; it was cut off".formatted(file));
        }
        var data = new DataInputStream(new ByteArrayInputStream(frame.bytes()));
        return new RecordHead(data.readUTF(), moment(data));
    }

    private static Instant moment(DataInputStream data) throws IOException {
        try {
            return Instant.ofEpochSecond(data.readLong(), data.readInt());
        } catch (DateTimeException | ArithmeticException outside) {
            throw new DamageException("a moment is out of range", outside);
        }
    }

    /// The next entry, or null when there is none. Decisions are numbered from `number` on.
    @Nullable RecordEntry next(int number) throws IOException {
        if (hasEnded) {
            return null;
        }
        try {
            var frame = frame();
            if (frame == null) {
                hasEnded = true;
                return null;
            }
            return switch (frame.kind()) {
                case RecordFormat.DECISION ->
                        new RecordEntry.Decided(number, values.read(frame.bytes()));
                case RecordFormat.MISSED -> missed(frame.bytes());
                default ->
                        throw new DamageException(
                                "found a frame of kind %d".formatted(frame.kind()));
            };
        } catch (DamageException damage) {
            hasEnded = true;
            return new RecordEntry.Damaged(file, offset(), String.valueOf(damage.getMessage()));
        }
    }

    private static RecordEntry missed(byte[] bytes) throws IOException {
        var data = new DataInputStream(new ByteArrayInputStream(bytes));
        return new RecordEntry.Missed(data.readLong(), moment(data), moment(data));
    }

    private long offset() {
        return firstLine + inflater.getBytesRead();
    }

    /// Null at the end, whether the writer came to it or was stopped between two frames.
    private @Nullable Frame frame() throws IOException {
        int kind;
        try {
            kind = in.read();
        } catch (EOFException stopped) {
            return null;
        } catch (ZipException garbled) {
            throw damage(garbled);
        }
        return kind < 0 || kind == RecordFormat.END ? null : frame(kind);
    }

    private Frame frame(int kind) throws IOException {
        try {
            var length = in.readInt();
            var wanted = in.readInt();
            if (length < 0 || length > RecordFormat.FRAME_BYTES_MAX) {
                throw new DamageException("a frame claims %d bytes".formatted(length));
            }
            var bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new EOFException();
            }
            var check = new CRC32();
            check.update(kind);
            check.update(bytes);
            if ((int) check.getValue() != wanted) {
                throw new DamageException(
                        "found checksum %08x; wanted %08x"
                                .formatted((int) check.getValue(), wanted));
            }
            return new Frame(kind, bytes);
        } catch (EOFException cut) {
            throw new DamageException("the file ends inside a frame; it was cut off", cut);
        } catch (ZipException garbled) {
            throw damage(garbled);
        }
    }

    private static DamageException damage(ZipException garbled) {
        return new DamageException(
                "found bytes that are not compressed data (%s)".formatted(garbled.getMessage()),
                garbled);
    }

    @Override
    public void close() throws IOException {
        in.close();
        inflater.end();
    }
}
