package dev.millwright.controllers.settings;

import org.jspecify.annotations.Nullable;

/// The spellings of a boolean that Go reads in variables and feature gates.
final class GoBoolean {

    private GoBoolean() {}

    /// The boolean, or null when the text is none.
    static @Nullable Boolean parse(String text) {
        return switch (text) {
            case "1", "t", "T", "true", "True", "TRUE" -> true;
            case "0", "f", "F", "false", "False", "FALSE" -> false;
            default -> null;
        };
    }
}
