package dev.millwright.testing.bench;

import dev.millwright.testing.bench.fleet.FleetComparison;
import dev.millwright.testing.bench.problem.BenchFleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Consolidates fleets by us and by the peer: `FleetSideBySide PEER PEER_VERSION PEER_LIMIT TARGET
/// PAGE FLEET…`, each fleet like `dense-1000`; an empty PAGE stays as it is. See
/// `testing/bench/disruption.sh`.
public final class FleetSideBySide {

    private static final int WORDS_MIN = 6;

    private FleetSideBySide() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < WORDS_MIN) {
            System.err.println(
                    "usage: FleetSideBySide PEER PEER_VERSION PEER_LIMIT TARGET PAGE FLEET...");
            System.exit(2);
        }
        var words = List.of(arguments);
        var fleets =
                words.subList(WORDS_MIN - 1, words.size()).stream().map(BenchFleet::parse).toList();
        new FleetComparison(Path.of(words.get(0)), Path.of(words.get(3)), words.get(2))
                .run(words.get(1), Path.of(words.get(4)), fleets);
    }
}
