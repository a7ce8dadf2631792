package dev.millwright.kube.document;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// Reads a file that is JSON or YAML, packed by gzip or not: its content tells which.
public final class DocumentReader {

    /// Bytes looked at to tell the format.
    private static final int HEAD_BYTES = 512;

    private static final int BUFFER_BYTES = 1 << 16;

    private DocumentReader() {}

    /// All documents, whole.
    ///
    /// @throws DocumentException when the text is neither, or goes past a bound
    public static List<Value> readAll(Source source) {
        var documents = new ArrayList<Value>();
        read(
                source,
                new DocumentSink() {
                    @Override
                    public boolean isStreamed(String field) {
                        return false;
                    }

                    @Override
                    public void element(String field, Value element) {
                        throw new IllegalStateException(field + " is not streamed");
                    }

                    @Override
                    public void document(Value document) {
                        documents.add(document);
                    }
                });
        return documents;
    }

    /// @throws DocumentException when the text is neither, or goes past a bound
    public static void read(Source source, DocumentSink sink) {
        read(source, sink, Limits.BYTES_MAX);
    }

    static void read(Source source, DocumentSink sink, long bytesMax) {
        try (var raw = new BufferedInputStream(source.content().open(), BUFFER_BYTES);
                var plain =
                        new BufferedInputStream(
                                new BoundedStream(unpacked(raw), bytesMax), BUFFER_BYTES)) {
            if (isJson(plain)) {
                JsonText.read(source.name(), plain, sink);
            } else {
                YamlText.read(source.name(), plain, sink);
            }
        } catch (IOException failure) {
            throw new DocumentException(Fault.ofText(Position.of(source.name()), problem(failure)));
        }
    }

    private static InputStream unpacked(BufferedInputStream stream) throws IOException {
        stream.mark(2);
        var isPacked = stream.read() == 0x1f && stream.read() == 0x8b;
        stream.reset();
        return isPacked ? new GZIPInputStream(stream, BUFFER_BYTES) : stream;
    }

    /// JSON begins with `{` or `[` and then a quote, another bracket or the end of an empty one;
    /// YAML's brackets may hold bare words.
    private static boolean isJson(BufferedInputStream stream) throws IOException {
        stream.mark(HEAD_BYTES);
        var head = stream.readNBytes(HEAD_BYTES);
        stream.reset();
        var brackets = 0;
        for (var each : head) {
            var letter = (char) (each & 0xff);
            var isSpace = letter <= ' ' || letter == 0xef || letter == 0xbb || letter == 0xbf;
            if (letter == '{' || letter == '[') {
                brackets++;
            } else if (!isSpace) {
                return brackets > 0 && (letter == '"' || letter == '}' || letter == ']');
            }
        }
        return brackets > 0;
    }

    static String problem(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ ->
                    "there is no such file; give the path of one, or - for standard input";
            case AccessDeniedException _ -> "may not be read; see its permissions";
            case ZipException broken ->
                    "is broken gzip (%s); pack it again".formatted(broken.getMessage());
            case BoundedStream.TooLongException tooLong -> message(tooLong);
            case EOFException _ -> "ends in the middle of its gzip stream; copy it again";
            case CharacterCodingException _ ->
                    "is not UTF-8 text; wanted JSON or YAML, perhaps packed by gzip";
            default -> "cannot be read: " + message(failure);
        };
    }

    private static String message(IOException failure) {
        var message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : Shortened.of(message);
    }
}
