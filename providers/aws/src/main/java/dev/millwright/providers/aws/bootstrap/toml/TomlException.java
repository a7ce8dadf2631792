package dev.millwright.providers.aws.bootstrap.toml;

/// A text that is no TOML, and in which line.
public final class TomlException extends Exception {

    private static final long serialVersionUID = 1L;

    TomlException(int line, String problem) {
        super("line %d: %s".formatted(line, problem));
    }
}
