package dev.millwright.cli.migrate;

import java.util.ArrayList;
import java.util.List;

/// The shortest way from one text to another by lines taken out and put in.
final class LineDiff {

    /// Longer texts are shown as all taken out and all put in.
    private static final int LINES_MAX = 2_000;

    private LineDiff() {}

    /// Lines with `-`, `+` or a space before them.
    static List<String> of(List<String> before, List<String> after) {
        if (before.size() > LINES_MAX || after.size() > LINES_MAX) {
            var all = new ArrayList<String>();
            before.forEach(line -> all.add("-" + line));
            after.forEach(line -> all.add("+" + line));
            return all;
        }
        var common = common(before, after);
        var lines = new ArrayList<String>();
        var i = 0;
        var j = 0;
        while (i < before.size() || j < after.size()) {
            if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
                lines.add(" " + before.get(i));
                i++;
                j++;
            } else if (j >= after.size()
                    || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
                lines.add("-" + before.get(i++));
            } else {
                lines.add("+" + after.get(j++));
            }
        }
        return lines;
    }

    /// Length of the longest common run of lines of what follows each pair of places.
    private static int[][] common(List<String> before, List<String> after) {
        var common = new int[before.size() + 1][after.size() + 1];
        for (var i = before.size() - 1; i >= 0; i--) {
            for (var j = after.size() - 1; j >= 0; j--) {
                common[i][j] =
                        before.get(i).equals(after.get(j))
                                ? common[i + 1][j + 1] + 1
                                : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }
}
