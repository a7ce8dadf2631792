package dev.millwright.testing.bench;

import dev.millwright.testing.bench.problem.BenchProblem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Writes benchmark problems as neutral files and prints their paths: `ProblemFiles FOLDER NAME…`,
/// each name like `diverse-5000-fake400`, or with a seed of its own `diverse-5000-fake400-s7`.
public final class ProblemFiles {

    private ProblemFiles() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2) {
            System.err.println(
                    "usage: ProblemFiles FOLDER NAME...; a name is like diverse-5000-fake400");
            System.exit(2);
        }
        var folder = Path.of(arguments[0]);
        for (var name : List.of(arguments).subList(1, arguments.length)) {
            System.out.println(BenchProblem.parse(name).write(folder));
        }
    }
}
