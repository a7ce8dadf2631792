package dev.millwright.testing.kit.generator;

/// Writes a document as JSON: on one line for a pipe, or indented for people.
public final class SnapshotWriter {

    private SnapshotWriter() {}

    public static String line(Document document) {
        return PlainJson.text(document.root(), false);
    }

    public static String indented(Document document) {
        return PlainJson.text(document.root(), true);
    }
}
