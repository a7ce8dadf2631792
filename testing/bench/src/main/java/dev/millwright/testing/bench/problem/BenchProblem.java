package dev.millwright.testing.bench.problem;

import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.Given;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/// A problem by its name, `diverse-5000-fake400` or with a seed `diverse-5000-fake400-s7`: the same
/// name is the same problem on every machine.
public record BenchProblem(ProblemKind kind, int pods, ProblemCatalogue catalogue, long seed) {

    public static final long SEED_DEFAULT = 42;

    private static final int PODS_MAX = 1_000_000;

    private static final Pattern NAME =
            Pattern.compile("([a-z]+)-([0-9]{1,7})-([a-z0-9]+?)(?:-s([0-9]{1,18}))?");

    public BenchProblem {
        if (pods < 1 || pods > PODS_MAX) {
            throw new IllegalArgumentException(
                    "%d pods; wanted at least 1 and at most %d".formatted(pods, PODS_MAX));
        }
    }

    public static BenchProblem parse(String name) {
        var problem = parseOrNull(name);
        if (problem == null) {
            throw new IllegalArgumentException(
                    "problem \"%s\" is not like diverse-5000-fake400 or diverse-5000-fake400-s7"
                            .formatted(name));
        }
        return problem;
    }

    /// Null for files that somebody else named.
    public static @Nullable BenchProblem parseOrNull(String name) {
        var parts = NAME.matcher(name);
        if (!parts.matches()) {
            return null;
        }
        var seed = parts.group(4);
        return new BenchProblem(
                ProblemKind.parse(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                ProblemCatalogue.parse(parts.group(3)),
                seed == null ? SEED_DEFAULT : Long.parseLong(seed));
    }

    public String name() {
        var name = "%s-%d-%s".formatted(kind.text(), pods, catalogue.text());
        return seed == SEED_DEFAULT ? name : name + "-s" + seed;
    }

    /// The problem with all labels of its catalogue, which a neutral file does not hold.
    public SchedulingProblem problem() {
        return Given.cluster()
                .selling(catalogue.types())
                .with(kind.pods(pods, seed))
                .policy(policy -> policy.withVocabulary(catalogue.vocabulary()))
                .problem();
    }

    /// Writes it as a neutral file, unless the folder has it: a name is one problem for ever.
    public Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        var file = folder.resolve(name() + ".json.gz");
        if (Files.notExists(file)) {
            // Under another name until whole, so that a run that was cut short leaves no half file.
            var part = folder.resolve(name() + ".part");
            try (var stream = new GZIPOutputStream(Files.newOutputStream(part))) {
                stream.write(ProblemText.of(name(), problem()).getBytes(StandardCharsets.UTF_8));
            }
            Files.move(part, file);
        }
        return file;
    }
}
