package dev.millwright.testing.e2e.capi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.runner.LocalHost;
import dev.millwright.capi.runner.RunnerClient;
import dev.millwright.capi.runner.RunnerServer;
import dev.millwright.capi.runner.TerraformBinary;
import dev.millwright.capi.runner.TerraformHost.Command;
import dev.millwright.capi.runner.TerraformHost.Observer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// One side of a runner as a process of its own, which another user may start.
final class RunnerUser {

    private static final Duration WAIT = Duration.ofSeconds(30);

    private RunnerUser() {}

    /// `serve SOCKET FOLDER`, or `ask SOCKET SCRIPT` to run a script and print what it says.
    static void main(String[] arguments) throws IOException, InterruptedException {
        var socket = Path.of(arguments[1]);
        if (arguments[0].equals("serve")) {
            var shell = new TerraformBinary(Path.of("/bin/sh"), "1.11.4");
            var host = new LocalHost(shell, Path.of(arguments[2]), System.getenv());
            Consumer<String> log = System.err::println;
            try (var _ = RunnerServer.open(host, socket, log)) {
                new CountDownLatch(1).await();
            }
            return;
        }
        var client = RunnerClient.find(socket, WAIT);
        var folder = client.about().root().resolve("run");
        client.write(folder.resolve("script"), arguments[2].getBytes(UTF_8));
        var command =
                Command.of(
                        folder,
                        List.of("script"),
                        Map.of("PATH", "/bin:/usr/bin"),
                        folder.resolve("log"),
                        WAIT);
        client.run(command, new Printer());
        System.out.println("manager reads: " + Files.isReadable(folder.resolve("script")));
    }

    private static final class Printer implements Observer {
        @Override
        public void line(String line) {
            System.out.println("run says: " + line);
        }

        @Override
        public void tick() {}

        @Override
        public boolean isInterrupted() {
            return false;
        }
    }
}
