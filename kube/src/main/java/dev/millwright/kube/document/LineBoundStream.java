package dev.millwright.kube.document;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Ends a text that has a line longer than is sane.
final class LineBoundStream extends FilterInputStream {

    private final int bytesMax;
    private int count;

    LineBoundStream(InputStream stream, int bytesMax) {
        super(stream);
        this.bytesMax = bytesMax;
    }

    @Override
    public int read() throws IOException {
        var read = super.read();
        if (read >= 0) {
            count((byte) read);
        }
        return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        var read = super.read(buffer, offset, length);
        for (var index = 0; index < read; index++) {
            count(buffer[offset + index]);
        }
        return read;
    }

    private void count(byte letter) throws IOException {
        count = letter == '\n' || letter == '\r' ? 0 : count + 1;
        if (count > bytesMax) {
            throw new IOException(
                    "has a line of more than %d bytes; wanted shorter lines, or JSON"
                            .formatted(bytesMax));
        }
    }
}
