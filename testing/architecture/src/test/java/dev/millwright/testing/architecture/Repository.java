package dev.millwright.testing.architecture;

import java.nio.file.Files;
import java.nio.file.Path;

/// Where the sources are, whatever module a test was started in.
final class Repository {

    private Repository() {}

    static Path root() {
        var at = Path.of("").toAbsolutePath();
        while (at != null && !Files.exists(at.resolve("mvnw"))) {
            at = at.getParent();
        }
        if (at == null) {
            throw new IllegalStateException("no mvnw above " + Path.of("").toAbsolutePath());
        }
        return at;
    }
}
