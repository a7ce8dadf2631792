package dev.millwright.kube.field;

import dev.millwright.core.label.Slips;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/// The name that somebody probably meant.
public final class NearName {

    /// One slip of the pen for each so many letters, and at least one.
    private static final int LETTERS_A_SLIP = 3;

    private NearName() {}

    /// Null when none is near.
    public static @Nullable String of(String name, Collection<String> known) {
        var slipsMax = Math.max(1, name.length() / LETTERS_A_SLIP);
        return known.stream()
                .filter(each -> slips(name, each) <= slipsMax)
                .min(
                        Comparator.comparingInt((String each) -> slips(name, each))
                                .thenComparing(Comparator.naturalOrder()))
                .orElse(null);
    }

    private static int slips(String name, String known) {
        return Slips.between(name.toLowerCase(Locale.ROOT), known.toLowerCase(Locale.ROOT));
    }

    /// What to do about an unknown field.
    public static String advice(String name, Collection<String> known) {
        var near = of(name, known);
        return near == null
                ? "wanted one of " + String.join(", ", known)
                : "maybe \"%s\"?".formatted(near);
    }
}
