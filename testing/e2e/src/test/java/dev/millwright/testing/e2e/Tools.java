package dev.millwright.testing.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What `tools/build.sh` builds or fetches, once.
public final class Tools {

    /// The folder of the project, wherever in it the tests run.
    public static final Path ROOT = root();

    private static final Duration BUILD_LIMIT = Duration.ofMinutes(90);

    private Tools() {}

    /// Where a tool lies.
    public static Path path(String tool) {
        var script = ROOT.resolve("testing/e2e/tools/build.sh").toString();
        return Path.of(Shell.run(List.of("bash", script, tool), "", BUILD_LIMIT).strip());
    }

    private static Path root() {
        var here = Path.of("").toAbsolutePath();
        while (here != null) {
            if (Files.isDirectory(here.resolve("testing/e2e/tools"))) {
                return here;
            }
            here = here.getParent();
        }
        throw new IllegalStateException(
                "found no testing/e2e/tools above %s; run in the project"
                        .formatted(Path.of("").toAbsolutePath()));
    }
}
