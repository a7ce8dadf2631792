package dev.millwright.core.label;

/// How many slips of the pen lie between two words: a letter too many, too few, another one, or two
/// that changed places.
public final class Slips {

    private Slips() {}

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
