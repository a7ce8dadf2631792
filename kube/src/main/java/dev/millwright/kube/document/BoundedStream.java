package dev.millwright.kube.document;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Ends a file that unpacks to more than is sane.
final class BoundedStream extends FilterInputStream {

    /// The file went past its bound.
    static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        TooLongException(long bytesMax) {
            super("is longer than %d bytes; split it into several files".formatted(bytesMax));
        }
    }

    private final long bytesMax;
    private long count;

    BoundedStream(InputStream stream, long bytesMax) {
        super(stream);
        this.bytesMax = bytesMax;
    }

    @Override
    public int read() throws IOException {
        var read = super.read();
        if (read >= 0) {
            count(1);
        }
        return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        var read = super.read(buffer, offset, length);
        if (read > 0) {
            count(read);
        }
        return read;
    }

    private void count(int read) throws IOException {
        count += read;
        if (count > bytesMax) {
            throw new TooLongException(bytesMax);
        }
    }
}
