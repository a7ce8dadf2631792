package dev.millwright.kube.record;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.record.value.DeliberationWriter;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/// Writes one record. What was [flushed][#flush] can be read whatever happens to the process.
///
/// Not for several threads.
public final class RecordWriter implements AutoCloseable {

    private static final int BUFFER = 64 << 10;

    private static final FileAttribute<?> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final DeliberationWriter values = new DeliberationWriter();
    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION);
    private final DataOutputStream out;

    private RecordWriter(OutputStream file, RecordHead head) throws IOException {
        file.write(RecordFormat.firstLine());
        this.out = new DataOutputStream(new DeflaterOutputStream(file, deflater, BUFFER, true));
        var text = new ByteArrayOutputStream();
        try (var data = new DataOutputStream(text)) {
            data.writeUTF(head.version());
            moment(data, head.startedAt());
        }
        frame(RecordFormat.HEAD, text.toByteArray());
    }

    /// For its owner's eyes alone: a record has every pod of the cluster.
    ///
    /// @throws IOException when the file is there already or cannot be written
    public static RecordWriter create(Path file, RecordHead head) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, OWNER_ALONE);
            return to(Files.newOutputStream(file, StandardOpenOption.WRITE), head);
        }
        return to(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW), head);
    }

    public static RecordWriter to(OutputStream stream, RecordHead head) throws IOException {
        return new RecordWriter(new BufferedOutputStream(stream, BUFFER), head);
    }

    public void write(Deliberation deliberation) throws IOException {
        frame(RecordFormat.DECISION, values.write(deliberation));
    }

    void missed(RecordEntry.Missed missed) throws IOException {
        var text = new ByteArrayOutputStream();
        try (var data = new DataOutputStream(text)) {
            data.writeLong(missed.decisions());
            moment(data, missed.since());
            moment(data, missed.until());
        }
        frame(RecordFormat.MISSED, text.toByteArray());
    }

    private static void moment(DataOutputStream out, Instant moment) throws IOException {
        out.writeLong(moment.getEpochSecond());
        out.writeInt(moment.getNano());
    }

    private void frame(int kind, byte[] bytes) throws IOException {
        if (bytes.length > RecordFormat.FRAME_BYTES_MAX) {
            throw new IOException(
                    "a decision takes %,d bytes; at most %,d can be recorded"
                            .formatted(bytes.length, RecordFormat.FRAME_BYTES_MAX));
        }
        var check = new CRC32();
        check.update(kind);
        check.update(bytes);
        out.writeByte(kind);
        out.writeInt(bytes.length);
        out.writeInt((int) check.getValue());
        out.write(bytes);
    }

    /// How long the file is, but for what is not flushed.
    public long bytes() {
        return RecordFormat.firstLine().length + deflater.getBytesWritten();
    }

    /// How many values are held in memory.
    public int values() {
        return values.values();
    }

    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        try (out) {
            frame(RecordFormat.END, new byte[0]);
        } finally {
            deflater.end();
        }
    }
}
