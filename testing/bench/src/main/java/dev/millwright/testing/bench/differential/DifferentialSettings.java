package dev.millwright.testing.bench.differential;

import java.nio.file.Path;

/// What is compared, and how hard the peer is asked.
///
/// The peer breaks ties by chance, so that it is asked `repeats` times; before a disagreement is
/// believed, it is asked `repeatsWhenInDoubt` times more.
public record DifferentialSettings(
        Path peer,
        long seedFrom,
        long seedTo,
        int size,
        int repeats,
        int repeatsWhenInDoubt,
        int shrinksMax,
        Path output) {

    public static final String USAGE =
            "usage: Differential --peer BINARY [--seeds FROM..TO] [--size PODS] [--repeat N]"
                    + " [--shrink N] [--out FOLDER]";

    public static DifferentialSettings of(String[] arguments) {
        var settings =
                new DifferentialSettings(
                        Path.of(""), 0, 500, 40, 5, 60, 12, Path.of("target", "differential"));
        for (var index = 0; index < arguments.length; index += 2) {
            if (index + 1 == arguments.length) {
                throw new IllegalArgumentException(
                        "%s has no value; wanted one after it".formatted(arguments[index]));
            }
            settings = settings.with(arguments[index], arguments[index + 1]);
        }
        if (settings.peer.toString().isEmpty()) {
            throw new IllegalArgumentException(
                    "--peer is missing; testing/bench/peer/build.sh prints the path");
        }
        return settings;
    }

    private DifferentialSettings with(String name, String value) {
        return switch (name) {
            case "--peer" -> withPaths(Path.of(value), output);
            case "--out" -> withPaths(peer, Path.of(value));
            case "--seeds" -> withSeeds(value);
            case "--size" -> withCounts(number(name, value), repeats, shrinksMax);
            case "--repeat" -> withCounts(size, number(name, value), shrinksMax);
            case "--shrink" -> withCounts(size, repeats, number(name, value));
            default -> throw new IllegalArgumentException("%s is unknown".formatted(name));
        };
    }

    private DifferentialSettings withPaths(Path binary, Path folder) {
        return new DifferentialSettings(
                binary, seedFrom, seedTo, size, repeats, repeatsWhenInDoubt, shrinksMax, folder);
    }

    private DifferentialSettings withCounts(int pods, int asked, int shrinks) {
        return new DifferentialSettings(
                peer, seedFrom, seedTo, pods, asked, repeatsWhenInDoubt, shrinks, output);
    }

    private DifferentialSettings withSeeds(String range) {
        var dots = range.indexOf("..");
        if (dots < 0) {
            throw new IllegalArgumentException(
                    "--seeds is \"%s\"; wanted FROM..TO such as 0..500".formatted(range));
        }
        var from = number("--seeds", range.substring(0, dots));
        var to = number("--seeds", range.substring(dots + 2));
        return new DifferentialSettings(
                peer, from, to, size, repeats, repeatsWhenInDoubt, shrinksMax, output);
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(
                    "%s is \"%s\"; wanted a whole number".formatted(name, value), wrong);
        }
    }
}
