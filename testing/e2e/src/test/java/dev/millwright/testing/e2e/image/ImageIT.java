package dev.millwright.testing.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.operator.Fleet;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/// The image of this machine's platform, linked from the JDK that runs the tests.
@Tag("long")
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ImageIT {

    private static final Path LAYERS = Path.of("opt/millwright");
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(5);
    private static final long RESIDENT_KIB_MAX = 128 * 1024;

    /// The optional module that libraries name and live without.
    private static final String DESKTOP = "java.desktop";

    private Path scratch = Path.of("");

    private String platform = "";
    private Path first = Path.of("");
    private Path container = Path.of("");
    private Path root = Path.of("");

    @BeforeAll
    void build(@TempDir Path directory) throws IOException {
        scratch = directory;
        platform = platform();
        var jdks = Files.createDirectory(scratch.resolve("jdks"));
        Files.createSymbolicLink(jdks.resolve(platform), Path.of(System.getProperty("java.home")));
        first = scratch.resolve("first");
        build(first, platform);
        container = scratch.resolve("container");
        root = ImageContainer.unpack(archive(first), container);
    }

    /// Lest who deletes the directory wonder about a link that leads out of it.
    @AfterAll
    void unlink() throws IOException {
        Files.delete(scratch.resolve("jdks").resolve(platform));
    }

    private static String platform() {
        return switch (System.getProperty("os.arch")) {
            case "aarch64" -> "arm64";
            case String same -> same;
        };
    }

    private String build(Path output, String... platforms) {
        var script = ImageContainer.REPOSITORY.resolve("build/image/image.py");
        var command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "MILLWRIGHT_JDKS=" + scratch.resolve("jdks"),
                                "MILLWRIGHT_IMAGE_DIR=" + output,
                                "JAVA_HOME=" + System.getProperty("java.home"),
                                "python3",
                                script.toString(),
                                "--or-newest"));
        command.addAll(List.of(platforms));
        return Shell.run(command, "", BUILD_LIMIT);
    }

    private Path archive(Path output) {
        return only(output, "-" + platform + ".tar");
    }

    private static Path only(Path directory, String suffix) {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix)).findFirst().orElseThrow();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void theSameSourcesGiveTheSameBytes() throws IOException {
        var second = scratch.resolve("second");

        build(second, platform);

        assertThat(Files.mismatch(archive(first), archive(second))).isEqualTo(-1);
        assertThat(Files.mismatch(only(first, ".cdx.json"), only(second, ".cdx.json")))
                .isEqualTo(-1);
    }

    @Test
    void itsCommandsRun() {
        assertThat(ImageContainer.run(container, "version")).startsWith("millwright ");
        assertThat(ImageContainer.run(container, "--help")).contains("simulate");
    }

    @Test
    void itHoldsNoShell() {
        assertThat(root.resolve("usr/bin")).doesNotExist();
        assertThat(root.resolve("bin")).doesNotExist();
        assertThat(root.resolve(LAYERS).resolve("runtime/bin"))
                .isDirectoryContaining("glob:**/java")
                .isDirectoryNotContaining("glob:**/keytool");
    }

    @Test
    void itsOperatorServesARealClusterWithoutRightsAndWithoutWriting(ControlPlane plane)
            throws IOException {
        var fleet = Fleet.of(plane, "from-image").pool();
        var kubeconfig = scratch.resolve("kubeconfig");
        Files.copy(plane.kubeconfig(), kubeconfig);
        assertThat(kubeconfig.toFile().setReadable(true, false)).isTrue();
        var inside = "/etc/millwright/kubeconfig";
        try (var operator =
                ImageContainer.start(
                        container,
                        ImageContainer.Options.none()
                                .mount(kubeconfig, inside)
                                .variable("KUBECONFIG", inside)
                                .variable("SYSTEM_NAMESPACE", "kube-system")
                                .variable("METRICS_PORT", "0")
                                .variable("HEALTH_PROBE_PORT", "0"),
                        List.of("run", "controllers"))) {
            operator.says("started controllers");
            assertThat(residentKib(operator)).isLessThan(RESIDENT_KIB_MAX);

            fleet.deployment(10).running(10).paired();

            assertThat(operator.proc("status"))
                    .containsPattern("Uid:\\s+65532\\s+65532\\s+65532\\s+65532")
                    .containsPattern("CapEff:\\s+0+\\n")
                    .containsPattern("NoNewPrivs:\\s+1");
            assertThat(operator.proc("mountinfo")).containsPattern(" / ro,");
            fleet.removed();
            assertThat(operator.stop()).as(operator.log()).isZero();
        }
    }

    /// Of the runner beside the manager: decisions 30 and 48.
    @Test
    void itsRunnerAppliesAWorkspaceAsTheChartStartsItBesideTheManager() throws IOException {
        var folder = Files.createDirectory(scratch.resolve("pod"));
        try (var plane = ControlPlane.start(ControlPlane.Options.apiOnly());
                var pod = TerraformPod.start(container, plane, folder)) {
            pod.apply("hello");

            assertThat(pod.output("hello")).isEqualTo("hello from /terraform");
            assertThat(pod.runner().proc("status"))
                    .containsPattern("Uid:\\s+65533\\s+65533\\s+65533\\s+65533")
                    .containsPattern("Gid:\\s+65532\\s+65532\\s+65532\\s+65532")
                    .containsPattern("CapEff:\\s+0+\\n")
                    .containsPattern("NoNewPrivs:\\s+1");
            assertThat(pod.manager().proc("status")).containsPattern("Uid:\\s+65532\\s+65532");
            assertThat(pod.runner().proc("mountinfo"))
                    .containsPattern(" / ro,")
                    .containsPattern(" /terraform ro,")
                    .containsPattern(" /work rw,")
                    .doesNotContain("serviceaccount");
            assertThat(pod.manager().proc("mountinfo"))
                    .contains("/serviceaccount ro,")
                    .doesNotContain(" /work ", " /terraform ");
            assertThat(pod.ownersOfWork()).containsOnly(65_533);

            pod.delete("hello");
            assertThat(pod.manager().stop()).as(pod.manager().log()).isZero();
            assertThat(pod.runner().stop()).as(pod.runner().log()).isZero();
        } finally {
            ImageContainer.erase(folder);
        }
    }

    private static long residentKib(ImageContainer operator) {
        var line = Pattern.compile("VmRSS:\\s+(\\d+) kB").matcher(operator.proc("status"));
        assertThat(line.find()).isTrue();
        return Long.parseLong(line.group(1));
    }

    @Test
    void itsRuntimeHasTheModulesThatTheJarsNeed() throws IOException {
        var release = Files.readString(root.resolve(LAYERS).resolve("runtime/release"));
        var modules = Pattern.compile("MODULES=\"([^\"]*)\"").matcher(release);
        assertThat(modules.find()).isTrue();
        var present = new TreeSet<>(Arrays.asList(modules.group(1).split(" ", -1)));
        present.add(DESKTOP);

        assertThat(modulesNeeded()).isNotEmpty().isSubsetOf(present);
    }

    private Set<String> modulesNeeded() throws IOException {
        var arguments =
                new ArrayList<>(
                        List.of("--ignore-missing-deps", "--multi-release", "25", "-summary"));
        try (var files = Files.walk(root.resolve(LAYERS))) {
            files.map(Path::toString).filter(file -> file.endsWith(".jar")).forEach(arguments::add);
        }
        var out = new StringWriter();
        var jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        assertThat(
                        jdeps.run(
                                new PrintWriter(out),
                                new PrintWriter(new StringWriter()),
                                arguments.toArray(String[]::new)))
                .isZero();
        var needed = new TreeSet<String>();
        Pattern.compile("-> ((?:java|jdk)\\.\\S+)")
                .matcher(out.toString())
                .results()
                .forEach(match -> needed.add(match.group(1)));
        return needed;
    }

    @Test
    void itsBillOfMaterialsNamesEveryJar() throws IOException {
        var bill = Files.readString(only(first, ".cdx.json"));

        try (var jars = Files.list(root.resolve(LAYERS).resolve("lib"))) {
            assertThat(jars.map(jar -> jar.getFileName().toString().replaceAll("-\\d.*", "")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(bill).contains("/" + name + "@"));
        }
    }

    @Test
    void aPlatformWithoutAJdkIsNamed() {
        assertThatThrownBy(() -> build(scratch.resolve("none"), "s390x"))
                .hasMessageContaining("MILLWRIGHT_JDKS has no s390x/");
    }
}
