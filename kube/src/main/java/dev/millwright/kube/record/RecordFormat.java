package dev.millwright.kube.record;

import java.nio.charset.StandardCharsets;

/// What every record begins with, and how it goes on: docs/reference/record.md.
final class RecordFormat {

    /// Raised whenever a reader of the last one could not read the next one.
    static final int NUMBER = 2;

    /// The first line, in plain letters, so that a person who opens the file knows what it is.
    static final String FIRST_WORDS = "millwright record ";

    /// Longest first line.
    static final int FIRST_LINE_MAX = 64;

    /// Of one decision with all that is new in it. The first one of a file brings the whole
    /// cluster.
    static final int FRAME_BYTES_MAX = 128 << 20;

    static final String SUFFIX = ".mwrecord";

    /// What a frame is about, by its first byte.
    static final int HEAD = 'H';

    static final int DECISION = 'D';
    static final int MISSED = 'M';
    static final int END = 'E';

    private RecordFormat() {}

    static byte[] firstLine() {
        return (FIRST_WORDS + NUMBER + "\n").getBytes(StandardCharsets.US_ASCII);
    }
}
