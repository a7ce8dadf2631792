package dev.millwright.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What somebody else makes and we run is named by its content: a commit or a digest, which its
/// maker cannot move. Dependabot proposes what is newer.
final class PinsTest {

    private static final Path ROOT = Repository.root();
    private static final Pattern USES = Pattern.compile("(?m)^\\s*-?\\s*uses:\\s*(\\S+)");
    private static final Pattern COMMIT = Pattern.compile("[\\w./-]+@[0-9a-f]{40}");

    /// An image in a registry, wherever a line names one.
    private static final Pattern IMAGE =
            Pattern.compile(
                    "\\b(?:ghcr\\.io|docker\\.io|quay\\.io|registry\\.k8s\\.io|public\\.ecr\\.aws)/[\\w./-]+(?::[\\w.-]+)?(@\\S+)?");

    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final Pattern CHART_IMAGE = Pattern.compile("(?m)^\\s*-?\\s*image:\\s*(.+)$");
    private static final Pattern REQUIREMENT =
            Pattern.compile("(?m)^([\\w.-]+)(==\\S+)?((?: \\\\\\n +--hash=sha256:[0-9a-f]{64})*)$");

    @Test
    void everyActionIsPinnedByItsCommit() {
        var actions =
                workflows().stream()
                        .flatMap(file -> USES.matcher(text(file)).results())
                        .map(found -> found.group(1))
                        .toList();
        assertThat(actions).isNotEmpty().allMatch(each -> COMMIT.matcher(each).matches());
    }

    @Test
    void everyImageThatAWorkflowRunsIsPinnedByItsDigest() {
        var images =
                workflows().stream()
                        .flatMap(file -> IMAGE.matcher(text(file)).results())
                        .filter(found -> !found.group().startsWith("ghcr.io/$"))
                        .map(found -> found.group())
                        .toList();
        assertThat(images).isNotEmpty().allMatch(PinsTest::hasDigest);
    }

    @Test
    void everyImageThatAChartNamesIsPinnedByItsDigest() {
        var images =
                files("deploy/charts/*/values.yaml").stream()
                        .flatMap(file -> images(document(file)))
                        .toList();
        assertThat(images).hasSizeGreaterThanOrEqualTo(2).allMatch(PinsTest::hasDigest);
    }

    @Test
    void noTemplateOfAChartNamesAnImageByItself() {
        var written =
                files("deploy/charts/*/templates/*.yaml").stream()
                        .flatMap(file -> CHART_IMAGE.matcher(text(file)).results())
                        .map(found -> found.group(1))
                        .toList();
        assertThat(written).isNotEmpty().allMatch(each -> each.startsWith("{{"));
    }

    @Test
    void pipInstallsNothingWithoutADigest() {
        var file = ROOT.resolve("testing/aws-endpoint/requirements.txt");
        var requirements =
                REQUIREMENT
                        .matcher(text(file))
                        .results()
                        .filter(found -> found.group(2) == null || found.group(3).isEmpty())
                        .map(found -> found.group(1));
        assertThat(requirements).isEmpty();
        assertThat(text(file)).contains("moto==");
        assertThat(text(ROOT.resolve("testing/aws-endpoint/build.sh")))
                .contains("install --quiet --disable-pip-version-check --require-hashes");
    }

    @Test
    void everyGoModuleHasTheSumsOfWhatItNeeds() {
        assertThat(files("**/go.mod"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(file.resolveSibling("go.sum")).exists());
    }

    @ParameterizedTest
    @CsvSource({
        "maven, pom.xml",
        "github-actions, .github/workflows/ci.yml",
        "pip, **/requirements.txt",
        "gomod, **/go.mod",
        "terraform, **/*.tf"
    })
    void dependabotLooksAtEveryPlaceOf(String ecosystem, String pattern) {
        var places = new TreeSet<String>();
        for (var file : files(pattern)) {
            if (!ecosystem.equals("terraform") || text(file).contains("required_providers")) {
                places.add(place(ecosystem, file));
            }
        }
        assertThat(places)
                .isNotEmpty()
                .allMatch(
                        place -> watched(ecosystem).stream().anyMatch(pin -> matches(pin, place)));
    }

    /// Workflows lie where Dependabot finds them by itself.
    private static String place(String ecosystem, Path file) {
        return ecosystem.equals("github-actions")
                ? "/"
                : "/" + ROOT.relativize(file.resolveSibling("x")).resolveSibling("");
    }

    private static boolean matches(String pattern, String place) {
        return FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(Path.of(place));
    }

    private static SortedSet<String> watched(String ecosystem) {
        var directories = new TreeSet<String>();
        for (var update : list(document(ROOT.resolve(".github/dependabot.yml")), "updates")) {
            if (ecosystem.equals(update.text("package-ecosystem"))) {
                var directory = update.text("directory");
                if (directory != null) {
                    directories.add(directory);
                }
                texts(update, "directories").forEach(directories::add);
            }
        }
        return directories;
    }

    private static boolean hasDigest(String image) {
        var parts = image.split("@", 2);
        return parts.length == 2 && DIGEST.matcher(parts[1]).matches();
    }

    /// All that have a repository, wherever they are in a chart's values. One without is the
    /// release's own, which is named by its digest when it is made.
    private static Stream<String> images(Value value) {
        if (!(value instanceof Value.Mapping mapping)) {
            return Stream.of();
        }
        var repository = mapping.text("repository");
        var own =
                repository == null || repository.isEmpty()
                        ? Stream.<String>of()
                        : Stream.of(repository + ":" + mapping.text("tag"));
        return Stream.concat(own, mapping.fields().values().stream().flatMap(PinsTest::images));
    }

    private static List<Value.Mapping> list(Value.Mapping mapping, String field) {
        return mapping.fields().get(field) instanceof Value.Sequence(_, var elements)
                ? elements.stream()
                        .filter(Value.Mapping.class::isInstance)
                        .map(Value.Mapping.class::cast)
                        .toList()
                : List.of();
    }

    private static List<String> texts(Value.Mapping mapping, String field) {
        return mapping.fields().get(field) instanceof Value.Sequence(_, var elements)
                ? elements.stream()
                        .filter(Value.Text.class::isInstance)
                        .map(each -> ((Value.Text) each).text())
                        .toList()
                : List.of();
    }

    private static Value.Mapping document(Path file) {
        return (Value.Mapping) DocumentReader.readAll(Source.file(file)).getFirst();
    }

    private static List<Path> workflows() {
        return files(".github/workflows/*.yml");
    }

    /// Not what the build made.
    private static List<Path> files(String pattern) {
        var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        try (var all = Files.walk(ROOT)) {
            return all.map(ROOT::relativize)
                    .filter(matcher::matches)
                    .filter(file -> !file.toString().contains("target/"))
                    .map(ROOT::resolve)
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
