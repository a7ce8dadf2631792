package dev.millwright.kube.document;

/// Where a value stands. Lines and columns count from 1; a line of 0 means the file as a whole.
public record Position(String file, int line, int column) {

    /// Of a value that no file holds.
    public static final Position NOWHERE = of("");

    public static Position of(String file) {
        return new Position(file, 0, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line;
    }
}
