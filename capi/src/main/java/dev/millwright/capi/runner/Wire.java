package dev.millwright.capi.runner;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.Shortened;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// One connection between a manager and a runner. Each question has one of its own. Lengths are
/// bounded, those of the parts of a list together, for neither side trusts the other with its
/// memory.
final class Wire implements AutoCloseable {

    /// A state that fills its Secret, unpacked.
    static final int BYTES_MAX = 17 << 20;

    private static final int ELEMENTS_MAX = 100_000;
    private static final int BUFFER_BYTES = 64 << 10;

    /// What is asked.
    enum Question {
        ABOUT,
        HOLD,
        MAKE_FOLDER,
        READ,
        WRITE,
        DELETE,
        IS_FOLDER,
        FILES,
        FOLDERS,
        CHECKSUM,
        COPY,
        WORKING,
        END,
        RUN
    }

    /// What comes back: of a command several, of all else one.
    enum Answer {
        DONE,
        FAILED,
        LINE,
        TICK
    }

    private final SocketChannel channel;
    private final DataInputStream in;
    private final DataOutputStream out;

    Wire(SocketChannel channel) {
        this.channel = channel;
        this.in =
                new DataInputStream(
                        new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES));
        this.out =
                new DataOutputStream(
                        new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES));
    }

    static Wire open(Path socket) throws IOException {
        return new Wire(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    Wire put(Question question) throws IOException {
        return put(question.name());
    }

    Wire put(Answer answer) throws IOException {
        return put(answer.name());
    }

    Wire put(String text) throws IOException {
        return put(text.getBytes(UTF_8));
    }

    Wire put(Path path) throws IOException {
        return put(path.toString());
    }

    Wire put(byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
        return this;
    }

    Wire put(long number) throws IOException {
        out.writeLong(number);
        return this;
    }

    Wire put(boolean isTrue) throws IOException {
        out.writeBoolean(isTrue);
        return this;
    }

    Wire put(List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (var text : texts) {
            put(text);
        }
        return this;
    }

    Wire put(SequencedMap<String, String> texts) throws IOException {
        out.writeInt(texts.size());
        for (var entry : texts.entrySet()) {
            put(entry.getKey()).put(entry.getValue());
        }
        return this;
    }

    void send() throws IOException {
        out.flush();
    }

    Question question() throws IOException {
        return one(Question.values());
    }

    Answer answer() throws IOException {
        return one(Answer.values());
    }

    private <T extends Enum<T>> T one(T[] all) throws IOException {
        var name = text();
        for (var each : all) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        throw new IOException("the other side speaks otherwise: " + Shortened.of(name));
    }

    /// Waits until the other side says anything, or goes.
    boolean hasMore() throws IOException {
        return in.read() >= 0;
    }

    String text() throws IOException {
        return new String(bytes(), UTF_8);
    }

    Path path() throws IOException {
        return Path.of(text());
    }

    byte[] bytes() throws IOException {
        return bytes(BYTES_MAX);
    }

    private byte[] bytes(int most) throws IOException {
        var length = bounded(in.readInt(), most);
        var bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the other side went in the middle");
        }
        return bytes;
    }

    private static int bounded(int length, int most) throws IOException {
        if (length < 0 || length > most) {
            throw new IOException(
                    "found a length of %d; wanted at most %d".formatted(length, most));
        }
        return length;
    }

    long number() throws IOException {
        return in.readLong();
    }

    boolean isTrue() throws IOException {
        return in.readBoolean();
    }

    List<String> texts() throws IOException {
        var count = bounded(in.readInt(), ELEMENTS_MAX);
        var texts = new ArrayList<String>();
        var left = BYTES_MAX;
        for (var index = 0; index < count; index++) {
            var bytes = bytes(left);
            left -= bytes.length;
            texts.add(new String(bytes, UTF_8));
        }
        return texts;
    }

    SequencedMap<String, String> textsByName() throws IOException {
        var count = bounded(in.readInt(), ELEMENTS_MAX);
        var texts = new TreeMap<String, String>();
        var left = BYTES_MAX;
        for (var index = 0; index < count; index++) {
            var name = bytes(left);
            left -= name.length;
            var text = bytes(left);
            left -= text.length;
            texts.put(new String(name, UTF_8), new String(text, UTF_8));
        }
        return texts;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
