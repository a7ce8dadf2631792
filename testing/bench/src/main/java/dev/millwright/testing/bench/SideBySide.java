package dev.millwright.testing.bench;

import dev.millwright.testing.bench.comparison.Comparison;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Compares us with the peer: `SideBySide quick|normal|full PEER PEER_VERSION TARGET DOCS [FILE…]`.
/// See `testing/bench/bench.sh`.
public final class SideBySide {

    private static final int WORDS_MIN = 5;

    private SideBySide() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < WORDS_MIN) {
            System.err.println(
                    "usage: SideBySide quick|normal|full PEER PEER_VERSION TARGET DOCS [FILE...]");
            System.exit(2);
        }
        var words = List.of(arguments);
        var mode = Comparison.Mode.valueOf(words.get(0).toUpperCase(Locale.ROOT));
        var files = words.subList(WORDS_MIN, words.size()).stream().map(Path::of).toList();
        new Comparison(mode, Path.of(words.get(3)), Path.of(words.get(1)))
                .run(words.get(2), Path.of(words.get(4)), files);
    }
}
