package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Comparator;

/// How many slips of the pen lie between two words: a letter too many, too few, another one, or two
/// that changed places.
public final class Slips {

    /// What a person may have made in one word.
    private static final int SLIPS_MAX = 2;

    private Slips() {}

    /// Whether one may have been written where the other was meant. Of short words every letter
    /// counts: `a` is not a slip of `b`, and `arm64` none of `amd64`.
    public static boolean isLikely(String one, String other) {
        var length = Math.max(one.length(), other.length());
        return !one.equals(other) && between(one, other) <= Math.min(SLIPS_MAX, length / 3);
    }

    /// The word that was most likely meant, by the fewest slips and then by name; null where none
    /// is likely.
    public static @Nullable String nearest(String word, Collection<String> words) {
        return words.stream()
                .filter(each -> isLikely(word, each))
                .min(
                        Comparator.comparingInt((String each) -> between(word, each))
                                .thenComparing(Comparator.naturalOrder()))
                .orElse(null);
    }

    public static int between(String one, String other) {
        var before = new int[other.length() + 1];
        var last = new int[other.length() + 1];
        var row = new int[other.length() + 1];
        for (var at = 0; at < row.length; at++) {
            last[at] = at;
        }
        for (var i = 1; i <= one.length(); i++) {
            row[0] = i;
            for (var j = 1; j <= other.length(); j++) {
                var isSame = one.charAt(i - 1) == other.charAt(j - 1);
                row[j] =
                        Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + (isSame ? 0 : 1));
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
            var spare = before;
            before = last;
            last = row;
            row = spare;
        }
        return last[other.length()];
    }
}
