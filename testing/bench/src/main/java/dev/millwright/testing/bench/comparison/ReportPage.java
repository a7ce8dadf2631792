package dev.millwright.testing.bench.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes the report between two marks of the documentation's page; the words around them are a
/// person's and stay.
public final class ReportPage {

    static final String BEGIN = "<!-- figures: begin, written by make bench -->\n";
    static final String END = "<!-- figures: end -->\n";

    private ReportPage() {}

    static void write(Path page, Report report) throws IOException {
        replace(page, BEGIN, END, figures(report));
    }

    /// Puts the text between two lines of the page that are there already.
    public static void replace(Path page, String first, String last, String figures)
            throws IOException {
        var text = Files.readString(page);
        var begin = text.indexOf(first);
        var end = text.indexOf(last);
        if (begin < 0 || end < begin) {
            throw new IllegalStateException(
                    "%s lacks the line %s or %s".formatted(page, first.strip(), last.strip()));
        }
        Files.writeString(
                page, text.substring(0, begin + first.length()) + figures + text.substring(end));
    }

    private static String figures(Report report) {
        var tables = new ReportTables(report);
        var circumstances = report.circumstances();
        var text = new StringBuilder();
        text.append(
                """
                Measured on %s: %s, %d cores with a load of %s before; JDK %s with `%s`; peer Karpenter %s.

                """
                        .formatted(
                                circumstances.date(),
                                circumstances.processor(),
                                circumstances.cores(),
                                Rounded.nearest(circumstances.load(), 1),
                                circumstances.java(),
                                String.join(" ", OwnProgram.JVM_OPTIONS),
                                circumstances.peerVersion()));
        text.append("### Time and memory\n\n").append(tables.time().markdown()).append('\n');
        text.append("### Price\n\n").append(tables.price().markdown()).append('\n');
        text.append("### Order of growth\n\n").append(tables.growth().markdown()).append('\n');
        text.append("### Promises\n\n").append(tables.limits().markdown()).append('\n');
        text.append("### What falls short\n\n");
        report.shortfalls().forEach(each -> text.append("- ").append(each).append('\n'));
        if (report.shortfalls().isEmpty()) {
            text.append("Nothing of the above.\n");
        }
        return text.append('\n').toString();
    }
}
