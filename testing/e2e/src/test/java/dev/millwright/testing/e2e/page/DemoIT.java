package dev.millwright.testing.e2e.page;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// `millwright demo` as a process of its own, with a real world, watched by a real browser.
class DemoIT {

    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");
    private static final long END_SECONDS_MAX = 240;

    @TempDir private Path directory;

    private Process process;

    private void start(String... arguments) throws IOException {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-Dslf4j.internal.verbosity=ERROR",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.millwright.cli.Main",
                                "demo"));
        command.addAll(List.of(arguments));
        process =
                new ProcessBuilder(Shell.withCtrlC(command))
                        .redirectOutput(directory.resolve("out").toFile())
                        .redirectError(directory.resolve("err").toFile())
                        .start();
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
    }

    private String text(String file) {
        try {
            return Files.readString(directory.resolve(file), UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private int exitCode() throws InterruptedException {
        assertThat(process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)).as(text("err")).isTrue();
        return process.exitValue();
    }

    private URI address() {
        var said =
                Eventually.see(
                        "the address", () -> text("err"), err -> ADDRESS.matcher(err).find());
        var address = ADDRESS.matcher(said);
        assertThat(address.find()).isTrue();
        return URI.create(address.group());
    }

    @Test
    void aHeadlessDemoEndsByItselfAndSaysHowItWent() throws Exception {
        start("--headless", "--for", "10s", "-o", "json");
        assertThat(exitCode()).isZero();
        assertThat(text("out")).contains("\"seed\" : 1", "\"invariantsBroken\" : 0");
        assertThat(text("out")).doesNotContain("\"nodesLaunched\" : 0");
        assertThat(text("err")).isEmpty();
    }

    @Test
    void aVisitorTakesPartAndCtrlCEndsIt() throws Exception {
        start("--port", "0", "--seed", "3");
        try (var browser = Browser.start();
                var tab = browser.tab().size(1440, 1000).prefers("dark", false)) {
            tab.visit(address());
            tab.sees("#deployments", "storefront");
            Eventually.see(
                    "nodes are bought and pods run on them",
                    () -> tab.eval("document.querySelector('#pods').textContent"),
                    pods -> pods.matches("[1-9][0-9]*"));
            tab.click("#add button");
            tab.sees("#toast", "You added 20 pods");
            tab.sees("[data-name=\"yours-1\"] .count", "20 of 20 ready");
            tab.click("[aria-label=\"More replicas of yours-1\"]");
            tab.sees("[data-name=\"yours-1\"] .count", "of 22 ready");
            tab.eval("document.querySelector('#map').focus()");
            tab.press("Home");
            tab.click("#why");
            tab.sees("#answer-head", "Node ");
            assertThat(tab.text("#answer-verdict")).containsAnyOf("It stays", "It may go");
            tab.click("#decisions button.line");
            Eventually.see(
                    "what is known of the decision",
                    () -> tab.text("#answer-head"),
                    head -> !head.startsWith("Node ") && !head.equals("Why?"));
            tab.click("#answer-close");
            // Closing gives the focus back: who takes it sooner loses it again.
            Eventually.see(
                    "the answer is closed",
                    () -> tab.eval("document.querySelector('#answer').hidden"),
                    "true"::equals);
            Eventually.see(
                    "the page knows of moments to go back to",
                    () -> tab.eval("Number(document.querySelector('#moment').max) > 0"),
                    "true"::equals);
            tab.eval("document.querySelector('#moment').focus()");
            tab.press("Home");
            tab.sees("#moment-text", "Day 1");
            tab.click("#now");
            tab.eval("document.querySelector('#map').focus()");
            tab.press("Home");
            tab.press("Enter");
            tab.press("Enter");
            tab.sees("#decisions", "You took node");
            tab.click("#freeze");
            tab.sees("#frozen", "no node is removed by choice");
            tab.screenshot(Path.of("target", "screenshots", "demo.png"));
            assertThat(tab.complaints()).isEmpty();
            interrupt();
            tab.sees("#lost", "The demo has ended");
        }
        assertThat(exitCode()).isZero();
        assertThat(text("out")).contains("demo of seed 3", "no rule broken");
    }

    @Test
    void kubectlSpeaksToTheDemosCluster() throws Exception {
        var kubeconfig = directory.resolve("kubeconfig");
        start("--headless", "--seed", "2", "--write-kubeconfig", kubeconfig.toString());
        Eventually.see(
                "the way to speak to it",
                () -> text("err"),
                err -> err.contains("kubectl --kubeconfig"));

        Eventually.see(
                "nodes are bought",
                () -> kubectl(kubeconfig, "get", "nodeclaims", "--no-headers"),
                claims -> claims.contains("True"));
        assertThat(
                        kubectl(
                                kubeconfig,
                                "scale",
                                "-n",
                                "shop",
                                "deployment/storefront",
                                "--replicas=3"))
                .contains("scaled");

        interrupt();
        assertThat(exitCode()).isZero();
        assertThat(kubeconfig).doesNotExist();
    }

    private static String kubectl(Path kubeconfig, String... arguments) {
        var command = new ArrayList<String>();
        command.add(ControlPlane.binary("kubectl").toString());
        command.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of(arguments));
        return Shell.run(command, "", Duration.ofSeconds(30));
    }

    /// As Ctrl-C does.
    private void interrupt() {
        Shell.run(
                List.of("kill", "-INT", Long.toString(process.pid())), "", Duration.ofSeconds(10));
    }
}
