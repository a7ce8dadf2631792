package dev.millwright.testing.e2e.rights;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.AuditLog;
import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which of an account's rights its requests needed, and what it asked for without a right.
///
/// @param unlisted requests that no right covers, with the answer's code
record UsedRights(
        Chart chart, List<String> values, SortedSet<String> used, SortedSet<String> unlisted) {

    /// Where runs of tests leave what they saw; `make test` empties it.
    static final Path FOLDER = Tools.ROOT.resolve("testing/e2e/target/rights");

    private static final String USED = "used";
    private static final String UNLISTED = "unlisted";

    UsedRights {
        values = values.stream().sorted().toList();
    }

    static UsedRights of(
            Chart chart, List<String> values, Granted granted, List<AuditLog.Request> requests) {
        var seen = new UsedRights(chart, values, new TreeSet<>(), new TreeSet<>());
        for (var request : requests) {
            if (!request.subject().resource().isEmpty()) {
                seen.count(granted, request.verb(), request.subject(), request.code());
            }
            for (var owner : request.outcome().blocked()) {
                seen.count(granted, "update", finalizers(owner, request), request.code());
            }
        }
        return seen;
    }

    /// An API server may ask for this right before it lets an owner's deletion wait.
    private static AuditLog.Subject finalizers(AuditLog.Blocked owner, AuditLog.Request request) {
        var kind = owner.kind().toLowerCase(Locale.ROOT);
        var plural = kind.endsWith("y") ? kind.substring(0, kind.length() - 1) + "ies" : kind + "s";
        return new AuditLog.Subject(
                owner.group(), plural + "/finalizers", request.subject().namespace(), "");
    }

    private void count(Granted granted, String verb, AuditLog.Subject subject, int code) {
        var needed =
                granted.rights().stream()
                        .filter(right -> right.covers(verb, subject))
                        .max(Comparator.comparingInt(Right::narrowness));
        if (needed.isPresent()) {
            used.add(needed.get().text(granted.account()));
        } else {
            unlisted.add(
                    "%s %s%s (%d)"
                            .formatted(
                                    verb,
                                    subject.resource(),
                                    subject.group().isEmpty() ? "" : "." + subject.group(),
                                    code));
        }
    }

    /// One line each: chart, values, whether a role has it, the right.
    void write() {
        var lines = new ArrayList<String>();
        used.forEach(right -> lines.add(line(USED, right)));
        unlisted.forEach(right -> lines.add(line(UNLISTED, right)));
        try {
            Files.createDirectories(FOLDER);
            Files.write(Files.createTempFile(FOLDER, chart.title() + "-", ".tsv"), lines, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String line(String which, String right) {
        return String.join("\t", chart.name(), String.join(" ", values), which, right);
    }

    /// All that runs left, a file each.
    static List<UsedRights> readAll() {
        if (!Files.isDirectory(FOLDER)) {
            return List.of();
        }
        try (var files = Files.list(FOLDER)) {
            return files.sorted().flatMap(file -> read(file).stream()).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<UsedRights> read(Path file) {
        try {
            var all = new ArrayList<UsedRights>();
            for (var line : Files.readAllLines(file, UTF_8)) {
                var fields = line.split("\t", -1);
                var values =
                        fields[1].isEmpty() ? List.<String>of() : List.of(fields[1].split(" "));
                var right = new TreeSet<>(List.of(fields[3]));
                var none = new TreeSet<String>();
                var isUsed = fields[2].equals(USED);
                all.add(
                        new UsedRights(
                                Chart.valueOf(fields[0]),
                                values,
                                isUsed ? right : none,
                                isUsed ? none : right));
            }
            return all;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
