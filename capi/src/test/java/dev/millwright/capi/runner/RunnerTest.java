package dev.millwright.capi.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.runner.TerraformHost.Command;
import dev.millwright.capi.runner.TerraformHost.Observer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/// A manager's side and a runner's in one process, with a shell in the place of Terraform. Each
/// says the same of a host that the manager has to itself.
@Timeout(60)
final class RunnerTest {

    private static final Duration WAIT = Duration.ofSeconds(10);

    @TempDir private Path directory;

    private Path root = Path.of("");
    private Path socket = Path.of("");

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private RunnerServer server;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private RunnerClient client;

    private final List<String> log = new ArrayList<>();

    @BeforeEach
    void open() throws IOException, InterruptedException {
        root = directory.resolve("work");
        socket = directory.resolve("socket");
        var binary = new TerraformBinary(Path.of("/bin/sh"), "1.11.4");
        var environment = Map.of("PATH", "/bin:/usr/bin", "KUBE_TOKEN", "secret");
        server = RunnerServer.open(new LocalHost(binary, root, environment), socket, log::add);
        client = RunnerClient.find(socket, WAIT);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private static final class Heard implements Observer {
        private final List<String> lines = new ArrayList<>();
        private final AtomicBoolean isInterrupted = new AtomicBoolean();
        private int ticks;

        @Override
        public void line(String line) {
            lines.add(line);
        }

        @Override
        public void tick() {
            ticks++;
        }

        @Override
        public boolean isInterrupted() {
            return isInterrupted.get();
        }
    }

    private Command script(String name, String text) throws IOException {
        var folder = root.resolve(name);
        client.makeFolder(folder);
        client.write(folder.resolve("script"), text.getBytes(UTF_8));
        return Command.of(
                folder,
                List.of("script"),
                Map.of("PATH", "/bin:/usr/bin", "WORD", "given"),
                folder.resolve("log"),
                WAIT);
    }

    @Test
    void itTellsItsProgramAndWhatOfItsEnvironmentTerraformMaySee() {
        assertThat(client.about().binary())
                .isEqualTo(new TerraformBinary(Path.of("/bin/sh"), "1.11.4"));
        assertThat(client.about().root()).isEqualTo(root);
        assertThat(client.about().environment()).containsOnlyKeys("PATH");
    }

    @Test
    void onlyItsUserAndItsGroupMayAsk() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-rw----");
    }

    @Test
    void filesAreWrittenReadListedCopiedAndDeleted() throws IOException {
        var folder = root.resolve("a");
        client.write(folder.resolve("main.tf"), "one".getBytes(UTF_8));
        client.write(folder.resolve("deep/more.tf"), "two".getBytes(UTF_8));
        client.copy(folder, root.resolve("b"));

        assertThat(client.files(folder)).containsExactly("main.tf");
        assertThat(client.folders(folder)).containsExactly("deep");
        assertThat(client.folders(root.resolve("none"))).isEmpty();
        assertThat(client.isFolder(root.resolve("b/deep"))).isTrue();
        assertThat(client.read(root.resolve("b/deep/more.tf"), 2)).asString().isEqualTo("tw");
        assertThat(client.read(root.resolve("none"), 2)).isEmpty();
        assertThat(client.checksum(folder, Set.of(), "x"))
                .isEqualTo(client.checksum(root.resolve("b"), Set.of(), "x"))
                .isNotEqualTo(client.checksum(folder, Set.of("main.tf"), "x"));
        client.delete(folder);
        assertThat(client.isFolder(folder)).isFalse();
    }

    @Test
    void nothingOutsideItsFolderIsReadOrWritten() {
        var outside = root.resolve("../secret");

        assertThatThrownBy(() -> client.write(outside, new byte[1]))
                .hasMessageContaining("is not below " + root);
        assertThatThrownBy(() -> client.read(outside, 1)).hasMessageContaining("is not below");
        assertThatThrownBy(() -> client.delete(outside)).hasMessageContaining("is not below");
        assertThatThrownBy(() -> client.copy(outside, root.resolve("b")))
                .hasMessageContaining("is not below");
        assertThat(directory.resolve("secret")).doesNotExist();
    }

    @Test
    void aPipeThatAModuleLeftHoldsNobody() throws IOException, InterruptedException {
        client.run(script("a", "mkfifo pipe"), new Heard());

        assertThatThrownBy(() -> client.read(root.resolve("a/pipe"), 1))
                .hasMessageContaining("is no file");
    }

    @Test
    void aCommandIsHeardToItsEnd() throws IOException {
        var heard = new Heard();

        var ended =
                client.run(
                        script("a", "echo $WORD; sleep 1; echo last; echo bad >&2; exit 3"), heard);

        assertThat(ended).isEqualTo(new TerraformHost.Ended(3, "bad\n", false));
        assertThat(heard.lines).containsExactly("given", "last");
        assertThat(heard.ticks).isPositive();
    }

    @Test
    void anInterruptedCommandMaySaveItsStateFirst() throws IOException {
        var heard = new Heard();
        heard.isInterrupted.set(true);

        var ended =
                client.run(
                        script(
                                "a",
                                "trap 'echo saved; exit 1' TERM; while true; do sleep 0.1; done"),
                        heard);

        assertThat(ended.wasInterrupted()).isTrue();
        assertThat(heard.lines).containsExactly("saved");
    }

    /// As when a manager is killed: the next one finds the command by its folder.
    @Test
    void aCommandGoesOnWhenItsManagerGoesAndIsFound() throws IOException, InterruptedException {
        var command = script("a", "echo on; sleep 2; echo end");
        Observer dying =
                new Observer() {
                    @Override
                    public void line(String line) throws IOException {
                        throw new IOException("killed");
                    }

                    @Override
                    public void tick() {}

                    @Override
                    public boolean isInterrupted() {
                        return false;
                    }
                };
        assertThatThrownBy(() -> client.run(command, dying)).hasMessage("killed");

        var next = RunnerClient.find(socket, WAIT);
        assertThat(next.working(root.resolve("a"))).isNotEmpty();
        server.awaitEnd(WAIT);

        assertThat(next.working(root.resolve("a"))).isEmpty();
    }

    @Test
    void itEndsOnlyWhenNoRunGoesOn() throws Exception {
        var hold = client.hold();
        client.about();
        // The hold's question is read once another that came later is.
        assertThat(client.isFolder(root)).isTrue();
        var end =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                server.awaitEnd(WAIT);
                            } catch (IOException | InterruptedException failure) {
                                throw new IllegalStateException(failure);
                            }
                        });
        assertThat(end.isDone()).isFalse();

        hold.close();

        end.get();
        assertThat(end).isCompleted();
    }

    @Test
    void aManagerWithoutARunnerSaysWhatIsMissing() {
        assertThatThrownBy(() -> RunnerClient.find(directory.resolve("none"), Duration.ofMillis(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no runner of Terraform answers at")
                .hasMessageContaining("millwright run terraform --socket=");
    }

    @Test
    void anAnswerThatIsTooLongIsRefused() throws IOException, ExecutionException {
        var file = root.resolve("large");
        client.makeFolder(root);
        Files.write(file, new byte[Wire.BYTES_MAX + 10]);

        assertThat(client.read(file, Integer.MAX_VALUE)).hasSize(Wire.BYTES_MAX);
    }
}
