package dev.millwright.testing.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.bench.problem.BenchProblem;
import dev.millwright.testing.kit.generator.PlainJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

final class ReportTest {

    private static final PeerFigures PEER =
            new PeerFigures(3, 900, 910, 500, 1e8, 4e7, 2e7, 44, 45, 200, 0, false);

    @TempDir private Path folder;

    @Test
    void ourCostsAreRoundedUpAndThePeersDown() {
        assertThat(Rounded.up(20.01, 1)).isEqualTo("20.1");
        assertThat(Rounded.up(0.1, 1)).isEqualTo("0.1");
        assertThat(Rounded.down(1_234.99, 0)).isEqualTo("1,234");
    }

    @Test
    void fourTimesTheTimeForTwiceThePodsGrowsByThePowerOfTwo() {
        var rows =
                List.of(row("diverse-1000-fake400", 10, 43), row("diverse-2000-fake400", 40, 43));

        var growth = Growth.of(rows);

        assertThat(growth).hasSize(1);
        assertThat(growth.getFirst().own()).isEqualTo(2.0);
        assertThat(growth.getFirst().peer()).isEqualTo(0.0);
    }

    @Test
    void aDearerPlanIsSaidToFallShort() {
        var report = report(row("diverse-1000-fake400", 10, 44.5));

        assertThat(report.shortfalls())
                .containsExactly(
                        "First fit is dearer than the cheapest pass of the peer on"
                                + " diverse-1000-fake400.");
    }

    @Test
    void aBrokenPromiseIsSaidToFallShort() {
        var report =
                new Report(
                        circumstances(),
                        List.of(),
                        List.of(),
                        List.of(new Limit("a plan", "ms", 500, 500.2)));

        assertThat(report.shortfalls()).containsExactly("a plan: found 501 ms, promised 500.");
    }

    @Test
    void aPeerThatWasStoppedIsComparedByTimeOnly() {
        var stopped = new PeerFigures(1, 5e5, 5e5, 4e5, 1e8, 4e7, 2e7, 1, 1, 2, 3, true);
        var row = row("diverse-1000-fake400", 10, 43);

        var report = report(new Row(row.name(), false, row.firstFit(), row.cheapest(), stopped));

        assertThat(report.shortfalls()).isEmpty();
        assertThat(new ReportTables(report).time().markdown()).contains("| > 500,000 |");
    }

    @Test
    void thePlotIsWellFormedAndToldInWords() throws Exception {
        var report =
                report(row("diverse-1000-fake400", 10, 43), row("diverse-5000-fake400", 50, 43));

        var text = new ReportPlot(report).text();

        var document =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(text)));
        assertThat(document.getElementsByTagName("title").getLength()).isEqualTo(1);
        assertThat(document.getElementsByTagName("desc").item(0).getTextContent())
                .contains("first fit 1,000: 10.0, 5,000: 50.0,");
    }

    @Test
    void thePageKeepsTheWordsAroundItsFigures() throws IOException {
        var page = folder.resolve("benchmarks.md");
        Files.writeString(
                page, "before\n" + ReportPage.BEGIN + "old\n" + ReportPage.END + "after\n");

        ReportPage.write(page, report(row("diverse-1000-fake400", 10, 43)));

        assertThat(Files.readString(page))
                .startsWith("before\n" + ReportPage.BEGIN)
                .endsWith(ReportPage.END + "after\n")
                .contains("| diverse-1000-fake400 |")
                .doesNotContain("old");
    }

    @Test
    void programsGetEveryDigit() {
        var json = PlainJson.object(ReportJson.text(report(row("generic-10-ec2", 10.123, 43))));

        assertThat(json).containsKeys("date", "jvmOptions", "problems", "growth", "limits");
        assertThat(json.get("problems").toString()).contains("cpuMillis=10.123");
    }

    private static Report report(Row... rows) {
        var list = List.of(rows);
        return new Report(circumstances(), list, Growth.of(list), List.of());
    }

    private static Circumstances circumstances() {
        return new Circumstances(LocalDate.of(2026, 1, 1), "25", "a processor", 2, 0.5, "v1");
    }

    private static Row row(String name, double cpuMillis, double firstFitPrice) {
        var pods = BenchProblem.parse(name).pods();
        return new Row(name, false, own(pods, cpuMillis, firstFitPrice), own(pods, 800, 30), PEER);
    }

    private static OwnFigures own(int pods, double cpuMillis, double price) {
        return new OwnFigures(
                pods, 400, 5, 100, 200, cpuMillis, cpuMillis, 1e7, 2e7, 1e7, price, 29, 200, 0);
    }
}
