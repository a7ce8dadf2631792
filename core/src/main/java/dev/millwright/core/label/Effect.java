package dev.millwright.core.label;

import java.util.Arrays;

/// What a taint does to pods that do not tolerate it.
public enum Effect {
    NO_SCHEDULE("NoSchedule"),
    PREFER_NO_SCHEDULE("PreferNoSchedule"),
    NO_EXECUTE("NoExecute");

    private final String text;

    Effect(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    public static Effect parse(String text) {
        return Arrays.stream(values())
                .filter(effect -> effect.text.equals(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "effect \"%s\" is unknown; wanted one of NoSchedule, PreferNoSchedule, NoExecute"
                                                .formatted(text)));
    }
}
