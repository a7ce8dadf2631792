package dev.millwright.testing.bench.comparison;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The peer: Karpenter's solver as a program, see `testing/bench/peer`.
///
/// An answer is kept under the problem's and the program's hash, because the peer does not change
/// when we do and its large problems take minutes. Delete the folder to measure it again.
final class PeerProgram {

    /// A pass that takes longer is measured once; a shorter one three times after a warm-up.
    private static final double MEASURED_THRICE_MILLIS_MAX = 10_000;

    private static final String TIMEOUT = "500s";

    private final Path binary;
    private final Path answers;

    PeerProgram(Path binary, Path answers) {
        this.binary = binary;
        this.answers = answers;
    }

    PeerFigures measure(Path problem) throws IOException, InterruptedException {
        var known = known(problem);
        return known == null ? measureAgain(problem) : known;
    }

    /// The figures measured before, or null.
    @Nullable PeerFigures known(Path problem) throws IOException {
        var answer = answer(problem);
        return Files.exists(answer) ? figures(Files.readString(answer)) : null;
    }

    private PeerFigures measureAgain(Path problem) throws IOException, InterruptedException {
        var text = ChildProcess.run(command(problem, "--runs", "1"));
        if (figures(text).wallMillis() <= MEASURED_THRICE_MILLIS_MAX) {
            text =
                    ChildProcess.run(
                            command(problem, "--warmups", "1", "--runs", "3", "--repeat", "3"));
        }
        Files.createDirectories(answers);
        Files.writeString(answer(problem), text);
        return figures(text);
    }

    private List<String> command(Path problem, String... options) {
        var command = new ArrayList<String>();
        command.add(binary.toString());
        command.addAll(List.of(options));
        command.addAll(List.of("--timeout", TIMEOUT, problem.toString()));
        return command;
    }

    private static PeerFigures figures(String text) {
        return PeerFigures.read(JsonLine.parse("peer", text));
    }

    private Path answer(Path problem) throws IOException {
        return KeptAnswer.of(answers, problem, binary);
    }
}
