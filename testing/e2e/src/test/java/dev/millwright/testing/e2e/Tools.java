package dev.millwright.testing.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What `tools/build.sh` builds or fetches, once.
public final class Tools {

    /// The folder of the project, wherever in it the tests run.
    public static final Path ROOT = root();

    /// The image that charts of these tests name. No pod of theirs pulls it.
    public static final String IMAGE = "registry.example.com/millwright";

    private static final Duration BUILD_LIMIT = Duration.ofMinutes(90);

    private Tools() {}

    /// Where a tool lies.
    public static Path path(String tool) {
        var script = ROOT.resolve("testing/e2e/tools/build.sh").toString();
        return Path.of(Shell.run(List.of("bash", script, tool), "", BUILD_LIMIT).strip());
    }

    /// Where one of our charts lies, with the name of an image in it, as a release has it: the
    /// source tree names none.
    public static Path chart(String name) {
        return Stamped.CHARTS.resolve(name);
    }

    private static final class Stamped {
        private static final Path CHARTS = copy();

        private static Path copy() {
            try {
                var charts = Files.createTempDirectory("millwright-charts").resolve("charts");
                var source = ROOT.resolve("deploy/charts").toString();
                Shell.run(List.of("cp", "-R", source, charts.toString()), "", BUILD_LIMIT);
                stamp(charts);
                return charts;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /// Writes the name of [#IMAGE] into a copy of our charts, as a release does.
    public static void stamp(Path charts) {
        var script = ROOT.resolve("build/release.py").toString();
        var command = List.of("env", "IMAGE=" + IMAGE, "python3", script, "stamp", charts + "");
        Shell.run(command, "", BUILD_LIMIT);
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
