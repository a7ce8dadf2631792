package dev.millwright.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Lists in the documents name what there is: modules, charts, directories, pages. A part that is
/// added without a line is noticed here, and so is a line whose part is gone.
final class DocumentsTest {

    private static final Path ROOT = Repository.root();
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    /// Of each row but the head of a table.
    private static final Pattern FIRST_CELL =
            Pattern.compile("(?m)^\\| \\[?`?([^`|\\]]+).*$(?!\\n\\|---)");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    private static final Pattern ALERT = Pattern.compile("(?m)^- alert: (\\w+)$");

    private static final String BOUNDARIES = "Boundaries, and the tests that hold them";

    private static final Pattern TEST =
            Pattern.compile(
                    "`(?:([A-Z]\\w*(?:Test|IT|Properties))(?:\\.(\\w+))?|(\\w+\\.tftest\\.hcl))`");

    /// Not the sources of this project, or made by the build.
    private static final Pattern NOT_OURS =
            Pattern.compile("(^|/)(target|\\.git|node_modules)(/|$)");

    @Test
    void theIndexSaysWhereEachModuleIs() {
        assertThat(rows("docs/README.md", "Where things are")).containsAll(modules());
    }

    @Test
    void theIndexNamesNoDirectoryThatIsGone() {
        assertThat(rows("docs/README.md", "Where things are"))
                .filteredOn(row -> !row.contains("*"))
                .allSatisfy(row -> assertThat(ROOT.resolve(row)).isDirectory());
    }

    @ParameterizedTest
    @CsvSource({"deploy", "testing", "providers"})
    void theIndexNamesEachPartOf(String directory) {
        var parts = directories(directory).map(name -> directory + "/" + name).toList();
        assertThat(rows("docs/README.md", "Where things are")).containsAll(parts);
    }

    @Test
    void theIndexLinksToEveryPage() {
        var index = text("docs/README.md");
        var pages =
                Stream.of("docs", "docs/how-to", "docs/reference")
                        .flatMap(DocumentsTest::files)
                        .map(page -> page.substring("docs/".length()))
                        .filter(page -> page.endsWith(".md") && !page.equals("README.md"));
        assertThat(pages).isNotEmpty().allMatch(page -> index.contains("](" + page + ")"));
    }

    @Test
    void theIndexOfDecisionsLinksToEach() {
        var index = text("docs/decisions/README.md");
        var records =
                files("docs/decisions")
                        .map(page -> page.substring("docs/decisions/".length()))
                        .filter(page -> !page.equals("README.md"));
        assertThat(records).isNotEmpty().allMatch(page -> index.contains("](" + page + ")"));
    }

    /// Whoever is woken by an alert finds what to do under its name.
    @Test
    void everyAlertHasARunbook() {
        var alerts =
                ALERT.matcher(text("deploy/charts/millwright/files/alerts.yaml"))
                        .results()
                        .map(found -> found.group(1).toLowerCase(Locale.ROOT))
                        .toList();
        assertThat(alerts).isNotEmpty();
        assertThat(anchors(ROOT.resolve("docs/how-to/runbooks.md"))).containsAll(alerts);
    }

    /// A file that no page names is read by nobody, and grows old.
    @Test
    void everyExampleHasAPage() {
        var pages =
                Stream.concat(Stream.of("README.md"), files("docs/how-to"))
                        .map(DocumentsTest::text)
                        .toList();
        var examples =
                Stream.of("examples", "examples/capt", "examples/nodepools")
                        .flatMap(DocumentsTest::files);
        assertThat(examples)
                .isNotEmpty()
                .allMatch(file -> pages.stream().anyMatch(page -> page.contains(file)));
        assertThat(directories("examples")).containsExactlyInAnyOrder("capt", "nodepools");
    }

    @Test
    void architectureHasARowForEachModule() {
        assertThat(rows("docs/architecture.md", "Modules")).containsAll(modules());
    }

    @Test
    void thePictureOfTheModulesShowsEach() {
        var picture = text("docs/images/modules.svg");
        assertThat(modules()).allSatisfy(name -> assertThat(picture).contains(">" + name + "<"));
        assertThat(Rules.CORE_ORDER)
                .allSatisfy(name -> assertThat(picture).contains(">" + name + "<"));
    }

    @Test
    void architectureHasCoresPackagesInTheirOrder() {
        var packages =
                FIRST_CELL
                        .matcher(section("docs/architecture.md", "Modules"))
                        .results()
                        .map(row -> row.group(1).strip())
                        .filter(Rules.CORE_ORDER::contains);
        assertThat(packages).containsExactlyElementsOf(Rules.CORE_ORDER);
    }

    @Test
    void thePageOfChartsHasEach() {
        var charts = new TreeSet<>(directories("deploy/charts").toList());
        assertThat(rows("docs/reference/chart.md", "Charts")).isEqualTo(charts);
    }

    @Test
    void thePageOfTerraformModulesHasEach() {
        var modules =
                directories("deploy/terraform").filter(name -> !name.equals("examples")).toList();
        var examples = directories("deploy/terraform/examples").toList();
        assertThat(rows("deploy/terraform/README.md", "Terraform modules"))
                .containsAll(modules)
                .containsAll(examples);
    }

    @Test
    void everyRowOfTheThreatModelNamesATest() {
        var rows =
                Pattern.compile("(?m)^\\|.*$")
                        .matcher(section("docs/threat-model.md", BOUNDARIES))
                        .results()
                        .map(row -> row.group())
                        .skip(2)
                        .toList();
        assertThat(rows)
                .hasSizeGreaterThan(20)
                .allMatch(row -> TEST.matcher(row.replaceAll(".*\\| (?=[^|]+\\|$)", "")).find());
    }

    @Test
    void everyTestThatTheThreatModelNamesExists() throws IOException {
        var missing = new TreeSet<String>();
        try (var files = Files.walk(ROOT)) {
            var tests = new TreeMap<String, Path>();
            files.filter(file -> !NOT_OURS.matcher(ROOT.relativize(file).toString()).find())
                    .forEach(file -> tests.put(file.getFileName().toString(), file));
            TEST.matcher(text("docs/threat-model.md"))
                    .results()
                    .filter(test -> !exists(tests, test))
                    .forEach(test -> missing.add(test.group()));
        }
        assertThat(missing).isEmpty();
    }

    /// A class, one method of a class, or a file of Terraform's tests.
    private static boolean exists(SortedMap<String, Path> tests, MatchResult test) {
        var file = tests.get(test.group(3) == null ? test.group(1) + ".java" : test.group(3));
        return file != null
                && (test.group(2) == null
                        || text(file).contains(" void %s(".formatted(test.group(2))));
    }

    @Test
    void everyLinkLeadsToSomething() throws IOException {
        var broken = new TreeSet<String>();
        try (var files = Files.walk(ROOT)) {
            files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !NOT_OURS.matcher(ROOT.relativize(file).toString()).find())
                    .forEach(file -> broken.addAll(brokenLinks(file)));
        }
        assertThat(broken).isEmpty();
    }

    private static List<String> brokenLinks(Path page) {
        return LINK.matcher(FENCE.matcher(text(page)).replaceAll(""))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.contains("://") && !link.startsWith("mailto:"))
                .filter(link -> !leadsSomewhere(page, link))
                .map(link -> ROOT.relativize(page) + ": " + link)
                .toList();
    }

    private static boolean leadsSomewhere(Path page, String link) {
        var parts = link.split("#", 2);
        var target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!Files.exists(target)) {
            return false;
        }
        return parts.length == 1
                || !target.toString().endsWith(".md")
                || anchors(target).contains(parts[1]);
    }

    /// As GitHub makes them from headings.
    private static SortedSet<String> anchors(Path page) {
        var anchors = new TreeSet<String>();
        HEADING.matcher(FENCE.matcher(text(page)).replaceAll(""))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(words -> words.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .forEach(anchors::add);
        return anchors;
    }

    private static SortedSet<String> modules() {
        var modules = new TreeSet<String>();
        MODULE.matcher(text("pom.xml")).results().forEach(found -> modules.add(found.group(1)));
        return modules;
    }

    /// What the rows of the tables below a heading are about.
    private static SortedSet<String> rows(String page, String heading) {
        var rows = new TreeSet<String>();
        FIRST_CELL
                .matcher(section(page, heading))
                .results()
                .map(row -> row.group(1).strip())
                .filter(cell -> !cell.isEmpty() && !cell.startsWith("---"))
                .forEach(rows::add);
        return rows;
    }

    /// From a heading to the next one.
    private static String section(String page, String heading) {
        var whole = text(page);
        var found =
                Pattern.compile("(?ms)^#+ " + Pattern.quote(heading) + "$(.*?)(^#|\\z)")
                        .matcher(whole);
        assertThat(found.find()).as("%s has a heading %s", page, heading).isTrue();
        return found.group(1);
    }

    private static Stream<String> directories(String parent) {
        try (var all = Files.list(ROOT.resolve(parent))) {
            return all
                    .filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .filter(name -> !NOT_OURS.matcher(name).matches() && !name.equals("src"))
                    .toList()
                    .stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The files in a directory, by their paths from the root.
    private static Stream<String> files(String parent) {
        try (var all = Files.list(ROOT.resolve(parent))) {
            return all
                    .filter(Files::isRegularFile)
                    .map(file -> ROOT.relativize(file).toString())
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(String page) {
        return text(ROOT.resolve(page));
    }

    private static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
