package dev.millwright.testing.bench;

import dev.millwright.testing.bench.differential.DifferentialRun;
import dev.millwright.testing.bench.differential.DifferentialSettings;

import java.io.IOException;

/// Solves random worlds by our planner and by the peer, and says where they disagree. See
/// `testing/bench/differential.sh`.
public final class Differential {

    private Differential() {}

    public static void main(String[] arguments) throws IOException {
        DifferentialSettings settings;
        try {
            settings = DifferentialSettings.of(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println("differential: " + wrong.getMessage());
            System.err.println(DifferentialSettings.USAGE);
            System.exit(2);
            return;
        }
        System.exit(new DifferentialRun(settings, System.out, System.err).run() ? 0 : 1);
    }
}
