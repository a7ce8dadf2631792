package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millwright.capi.runner.RunnerServer;
import dev.millwright.kube.document.Shortened;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Manager and runner under the users that the chart gives them, on the real kernel: what a module
/// of a tenant can reach, and what not. Needs root, to become them.
final class RunnerUsersIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String MANAGER = "65532";
    private static final String RUNNER = "65533";

    @TempDir private Path directory;

    @Test
    void aModuleReachesNeitherTheFilesNorTheProcessOfTheManager()
            throws IOException, URISyntaxException {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        opened(directory);
        var code = copy();
        var shared = opened(Files.createDirectory(directory.resolve("shared")));
        var work = opened(Files.createDirectory(directory.resolve("work")));
        var token = Files.writeString(directory.resolve("token"), "secret");
        Shell.run(List.of("chgrp", MANAGER, shared.toString()), "", LIMIT);
        Shell.run(List.of("chown", MANAGER, token.toString()), "", LIMIT);
        Shell.run(List.of("chmod", "0400", token.toString()), "", LIMIT);
        var socket = shared.resolve("socket").toString();
        var server =
                new ProcessBuilder(as(RUNNER, code, "serve", socket, work.toString()))
                        .inheritIO()
                        .start();
        try {
            Eventually.see(
                    "the socket is there",
                    () -> Files.exists(Path.of(socket)),
                    Boolean.TRUE::equals);
            var script =
                    """
                    id -u
                    cat %s || echo no token
                    cat /proc/$PPID/environ >/dev/null && echo own process
                    for each in /proc/[0-9]*; do
                        [ "$(stat -c %%u $each 2>/dev/null)" != %s ] || cat $each/environ || echo no variables
                    done
                    """
                            .formatted(token, MANAGER);

            var said = Shell.run(as(MANAGER, code, "ask", socket, script), "", LIMIT);

            assertThat(said.lines())
                    .containsExactly(
                            "run says: " + RUNNER,
                            "run says: no token",
                            "run says: own process",
                            "run says: no variables",
                            "manager reads: false");
        } finally {
            server.destroy();
        }
    }

    private static Path opened(Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /// The code lies where other users may not look.
    private Path copy() throws IOException, URISyntaxException {
        var code = opened(Files.createDirectory(directory.resolve("code")));
        for (var type : List.of(RunnerServer.class, Shortened.class, RunnerUser.class)) {
            var place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            var folder = type.getPackageName().replace('.', '/');
            var target = Files.createDirectories(code.resolve(folder)).toString();
            if (Files.isDirectory(place)) {
                var files = place.resolve(folder) + "/.";
                Shell.run(List.of("cp", "-R", files, target), "", LIMIT);
            } else {
                var words =
                        List.of("unzip", "-q", "-o", place + "", folder + "/*", "-d", code + "");
                Shell.run(words, "", LIMIT);
            }
        }
        Shell.run(List.of("chmod", "-R", "a+rX", code.toString()), "", LIMIT);
        return code;
    }

    private static List<String> as(String user, Path code, String... arguments) {
        var command =
                new ArrayList<>(
                        List.of(
                                "setpriv",
                                "--reuid=" + user,
                                "--regid=" + MANAGER,
                                "--clear-groups",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                code.toString(),
                                RunnerUser.class.getName()));
        Stream.of(arguments).forEach(command::add);
        return command;
    }
}
