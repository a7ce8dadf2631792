package dev.millwright.testing.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.roster.Roster;
import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.AwsCloud;
import dev.millwright.providers.aws.AwsProvider;
import dev.millwright.runtime.metrics.MetricFamily;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the charts repeat is what the code says. `make charts` writes it again.
final class ChartFilesTest {

    private static final boolean IS_WRITTEN =
            System.getProperty("millwright.docs", "").equals("write");
    private static final String MEND = "make charts mends it";
    private static final Path REFERENCE = Charts.ROOT.resolve("docs/reference/chart.md");

    private static final Pattern METRIC =
            Pattern.compile(
                    "\\b(?:karpenter|millwright|operator|client_go|aws_sdk_go|process)_[a-z0-9_]+");
    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|on|group_left) \\(([^)]*)\\)");
    private static final Pattern MATCHERS = Pattern.compile("\\{([^}]*)\\}");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(?:=~|!~|!=|=)\"");

    /// What Prometheus and its operator add to every sample.
    private static final List<String> LABELS_OF_SCRAPES = List.of("instance", "pod", "le");

    private static void same(Path file, String wanted) {
        if (IS_WRITTEN) {
            Charts.write(file, wanted);
        }
        assertThat(Charts.text(file)).as("%s; %s", file, MEND).isEqualTo(wanted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"millwright/crds", "millwright-crd/files"})
    void definitionsAreTheOperatorsOwn(String directory) {
        var path = Charts.ROOT.resolve("deploy/charts").resolve(directory);
        var definitions = CustomResources.aws();

        definitions.definitions().forEach((name, text) -> same(path.resolve(name + ".yaml"), text));
        assertThat(Charts.files(path))
                .extracting(file -> file.getFileName().toString())
                .isEqualTo(definitions.names().stream().map(name -> name + ".yaml").toList());
    }

    private static Value.Mapping schema() {
        return ValuesPage.mapping(Charts.SOURCE.resolve("values.schema.json"));
    }

    private static List<String> keys() {
        return ValuesPage.keys("", Rendered.mapping(schema(), "properties"));
    }

    @Test
    void knownKeysAreThoseOfTheSchema() {
        same(Charts.SOURCE.resolve("files/keys.txt"), String.join("\n", keys()) + "\n");
    }

    @Test
    void everyValueIsExplainedAndInTheSchema() {
        var explained = ValuesPage.comments(Charts.SOURCE.resolve("values.yaml"));
        var old = new ArrayList<>(List.of("global"));
        ValuesPage.oldRows(schema()).stream()
                .skip(2)
                .map(row -> row.substring(row.indexOf('`') + 1, row.lastIndexOf('`')))
                .forEach(old::add);

        var leaves = new ArrayList<String>();
        for (var key : keys()) {
            if (!key.endsWith(".") && old.stream().noneMatch(each -> isBelow(key, each))) {
                leaves.add(key);
            }
        }
        assertThat(explained.keySet()).containsExactlyInAnyOrderElementsOf(leaves);
    }

    private static boolean isBelow(String key, String parent) {
        return key.equals(parent) || key.startsWith(parent + ".");
    }

    static Stream<String> tables() {
        return Stream.of(
                "millwright",
                "millwright-crd",
                "karpenter-nodepools",
                "karpenter-aws-default-nodepool");
    }

    @ParameterizedTest
    @MethodSource("tables")
    void theReferenceShowsEveryValue(String chart) {
        hasTable(chart, ValuesPage.rows(Charts.ROOT.resolve("deploy/charts").resolve(chart)));
    }

    @Test
    void theReferenceShowsOldValues() {
        hasTable("old", ValuesPage.oldRows(schema()));
    }

    private static void hasTable(String name, List<String> rows) {
        var begin = "<!-- %s: begin -->\n".formatted(name);
        var end = "<!-- %s: end -->".formatted(name);
        var page = Charts.text(REFERENCE);
        var from = page.indexOf(begin) + begin.length();
        var to = page.indexOf(end);
        assertThat(to).as("place of the table %s in %s", name, REFERENCE).isGreaterThan(0);
        same(
                REFERENCE,
                page.substring(0, from) + String.join("\n", rows) + "\n" + page.substring(to));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void chartsAreOfTheProjectsVersion(String chart) {
        var pom = Charts.text(Charts.ROOT.resolve("pom.xml"));
        var version =
                pom.substring(
                        pom.indexOf("<version>") + "<version>".length(), pom.indexOf("</version>"));
        var file = Charts.ROOT.resolve("deploy/charts").resolve(chart).resolve("Chart.yaml");
        var metadata = ValuesPage.mapping(file);

        assertThat(metadata.text("appVersion")).as(file.toString()).isEqualTo(version);
        assertThat(version).startsWith(String.valueOf(metadata.text("version")));
    }

    private static List<MetricFamily> families() {
        var all = new ArrayList<>(Families.all());
        all.addAll(OwnFamilies.all());
        all.addAll(Roster.families(AwsCloud.fixedTraits()));
        all.addAll(AwsProvider.families());
        all.add(MetricFamily.gauge("process_resident_memory_bytes", ""));
        all.add(MetricFamily.counter("process_cpu_seconds_total", ""));
        return all;
    }

    static Stream<String> questions() {
        var alerts =
                (Value.Sequence)
                        DocumentReader.readAll(
                                        Source.file(Charts.SOURCE.resolve("files/alerts.yaml")))
                                .getFirst();
        return Stream.concat(
                alerts.elements().stream().flatMap(ChartFilesTest::expressions),
                Charts.files(Charts.SOURCE.resolve("dashboards")).stream()
                        .map(ValuesPage::mapping)
                        .flatMap(ChartFilesTest::expressions));
    }

    private static Stream<String> expressions(Value value) {
        return switch (value) {
            case Value.Mapping(_, var fields) ->
                    fields.entrySet().stream()
                            .flatMap(
                                    field ->
                                            field.getKey().equals("expr")
                                                            && field.getValue()
                                                                    instanceof
                                                                    Value.Text(_, var text)
                                                    ? Stream.of(text)
                                                    : expressions(field.getValue()));
            case Value.Sequence(_, var elements) ->
                    elements.stream().flatMap(ChartFilesTest::expressions);
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ -> Stream.of();
        };
    }

    @ParameterizedTest
    @MethodSource("questions")
    void dashboardsAndAlertsAskForWhatThereIs(String question) {
        var known = new TreeMap<String, MetricFamily>();
        for (var family : families()) {
            known.put(
                    family.type() == MetricFamily.Type.HISTOGRAM
                            ? family.name() + "_bucket"
                            : family.name(),
                    family);
        }
        var metrics = METRIC.matcher(question).results().map(found -> found.group()).toList();
        assertThat(metrics).isNotEmpty().allMatch(known::containsKey);

        var labels = new TreeSet<>(LABELS_OF_SCRAPES);
        metrics.forEach(metric -> labels.addAll(known.get(metric).labels()));
        assertThat(labelsOf(question)).allMatch(labels::contains);
    }

    private static List<String> labelsOf(String question) {
        var groups =
                GROUPING.matcher(question)
                        .results()
                        .flatMap(found -> Stream.of(found.group(1).split(", *", -1)))
                        .filter(label -> !label.isBlank());
        var matchers =
                MATCHERS.matcher(question)
                        .results()
                        .flatMap(found -> MATCHER.matcher(found.group(1)).results())
                        .map(found -> found.group(1));
        return Stream.concat(groups, matchers).toList();
    }
}
