package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.cli.demo.TickingShow;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class DemoCommandTest {

    private static CommandRun demo(String... arguments) {
        return CommandRun.showing(_ -> new TickingShow(0), arguments);
    }

    @Test
    void aDemoThatEndsSaysHowItWent() {
        var run = demo("demo", "--headless", "--for", "1ms", "--seed", "7");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("demo of seed 7, packing cheapest: ")
                .contains("no rule broken")
                .contains("pods:  0 run, 0 waiting, 0 evicted");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void theKeysAreThoseThatScriptsRelyOn() {
        var run = demo("demo", "--headless", "--for", "1ms", "-o", "json");
        assertThat(run.out())
                .containsSubsequence(
                        "\"seed\" : 1",
                        "\"packing\" : \"cheapest\"",
                        "\"virtualSeconds\" : ",
                        "\"podsRun\" : 0",
                        "\"podsWaiting\" : 0",
                        "\"nodesLaunched\" : 0",
                        "\"nodesTerminated\" : 0",
                        "\"evictions\" : 0",
                        "\"pricePerHour\" : 0",
                        "\"lowerBoundPerHour\" : 0",
                        "\"invariantsBroken\" : 0");
    }

    @Test
    void withoutATerminalProgressIsTold() {
        var run = demo("demo", "--for", "1ms", "--port", "0");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err())
                .contains("millwright: the page is at http://127.0.0.1:")
                .contains("0 nodes, 0 pods running");
        assertThat(run.out()).doesNotContain("\u001b");
    }

    @Test
    void aHeadlessDemoHasAPageWhenAPortIsGiven() {
        assertThat(demo("demo", "--headless", "--for", "1ms", "--port", "0").err())
                .contains("the page is at");
    }

    @Test
    void aPortThatIsTakenIsToldWithAWayOut() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = Integer.toString(taken.getLocalPort());
            var run = demo("demo", "--for", "1ms", "--port", port);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("port " + port).contains("--port 0");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--speed, 0, '--speed: found 0.0; wanted a number from 0.1 to 3600'",
        "--speed, NaN, '--speed: found NaN; wanted a number from 0.1 to 3600'",
        "--port, 70000, '--port: found 70000; wanted a number from 0 to 65535'",
        "--for, 0s, '--for: found 0s; wanted a duration above zero, such as 20s'",
        "--for, soon, 'found \"soon\"; wanted a duration'",
        "--seed, x, 'Invalid value for option ''--seed'''",
    })
    void whatIsWrongIsNamed(String option, String value, String message) {
        var run = demo("demo", option, value);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }

    @Test
    void aPictureIsWrittenWithoutWaiting(@TempDir Path directory) throws IOException {
        var file = directory.resolve("demo.svg");
        var run = demo("demo", "--picture", file.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(Files.readString(file)).startsWith("<svg ").contains("millwright demo");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--kubeconfig", "--write-kubeconfig"})
    void aFileThatIsThereIsNeverWritten(String option, @TempDir Path directory) throws IOException {
        var file = Files.writeString(directory.resolve("config"), "mine");
        var run = demo("demo", "--headless", "--for", "1ms", option, file.toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(option + ": found " + file).contains("wanted ");
        assertThat(Files.readString(file)).isEqualTo("mine");
    }

    @Test
    void theFileForKubectlIsRemovedAtTheEnd(@TempDir Path directory) {
        var file = directory.resolve("config");
        var run = demo("demo", "--headless", "--for", "1ms", "--write-kubeconfig", file.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("kubectl --kubeconfig %s get nodes".formatted(file));
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatSomebodyPutInItsPlaceStays(@TempDir Path directory) throws IOException {
        var path = directory.resolve("config");
        try (var _ = NewFile.write(path, "ours")) {
            Files.writeString(path, "theirs");
        }
        assertThat(path).hasContent("theirs");
    }

    @Test
    void aDirectoryThatIsMissingIsNamed(@TempDir Path directory) {
        var file = directory.resolve("none").resolve("config");
        var run = demo("demo", "--headless", "--for", "1ms", "--write-kubeconfig", file.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("there is no directory " + file.getParent());
    }

    @Test
    void helpHasAnExample() {
        assertThat(CommandRun.with("", Map.of(), "demo", "--help").out())
                .contains("millwright demo --headless --for 20s -o json");
    }
}
