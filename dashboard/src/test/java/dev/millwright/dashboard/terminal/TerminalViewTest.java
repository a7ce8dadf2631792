package dev.millwright.dashboard.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.CapacityType;
import dev.millwright.dashboard.picture.Picture.Counters;
import dev.millwright.dashboard.picture.Picture.Decision;
import dev.millwright.dashboard.picture.Picture.Kind;
import dev.millwright.dashboard.picture.Picture.Machine;
import dev.millwright.dashboard.picture.Picture.Moment;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Pace;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.picture.Picture.Pod;
import dev.millwright.dashboard.picture.Picture.Price;
import dev.millwright.dashboard.picture.Picture.Share;
import dev.millwright.dashboard.picture.Picture.WaitingPod;
import dev.millwright.dashboard.picture.Picture.Workload;
import dev.millwright.dashboard.terminal.TerminalView.Screen;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

class TerminalViewTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
    private static final Screen SCREEN = new Screen(100, 30, true);
    private static final Screen PLAIN = new Screen(100, 30, false);

    private static final Node SPOT =
            node("a", CapacityType.SPOT, Phase.READY, pod("web", 1_000), pod("web", 1_000));

    private static Node node(String name, CapacityType capacity, Phase phase, Pod... pods) {
        var used = List.of(pods).stream().mapToLong(Pod::cpuMillis).sum();
        return new Node(
                name,
                new Machine("default", "m5.xlarge", "zone-a", capacity, 0.05),
                phase,
                null,
                new Share(used, 4_000),
                new Share(1, 16),
                List.of(pods));
    }

    private static Pod pod(String owner, long cpu) {
        return new Pod(owner + "-1", owner, cpu, 1);
    }

    private static Picture picture(List<Node> nodes, WaitingPod... waiting) {
        return new Picture(
                "demo, seed 7",
                new Pace(NOON, NOON.plusSeconds(86_400), 60, false),
                true,
                nodes,
                new Workload(List.of(), List.of(waiting)),
                new Price(
                        0.2,
                        0.1,
                        IntStream.range(0, 16)
                                .mapToObj(
                                        second ->
                                                new Moment(
                                                        NOON.plusSeconds(second), second, 0, 0, 0))
                                .toList()),
                new Counters(9, 3, 2, 1, 1, 0),
                List.of(
                        new Decision(0, NOON, Kind.LAUNCH, "m5.xlarge for 2 pods"),
                        new Decision(1, NOON, Kind.INTERRUPT, "a is taken back")));
    }

    private static String text(Picture picture, Screen screen) {
        return String.join("\n", AnsiText.lines(TerminalView.render(picture, screen), false));
    }

    @Test
    void figuresStandAtTheTop() {
        assertThat(text(picture(List.of(SPOT)), SCREEN).lines().limit(4))
                .containsExactly(
                        "millwright  demo, seed 7  frozen" + " ".repeat(49) + "day 2 12:00:00  60×",
                        "$0.2000 an hour  lower bound $0.1000  gap 100%  ▁▁▂▂▃▃▄▄▅▅▆▆▇▇██",
                        "1 node (S 1 spot, O 0 other)  2 pods running  0 waiting",
                        "3 launched, 2 removed, 1 taken back by the cloud, 1 evictions");
    }

    @Test
    void aNodeIsABarOfItsPods() {
        assertThat(text(picture(List.of(SPOT)), SCREEN))
                .contains(
                        "S │██████████▓▓▓▓▓▓▓▓▓▓····················│  50%  m5.xlarge        zone-a      $0.0500");
    }

    @Test
    void aNodeThatGoesSaysSo() {
        var gone = node("b", CapacityType.ON_DEMAND, Phase.INTERRUPTED);
        assertThat(text(picture(List.of(gone)), SCREEN)).containsPattern("! │·+│   6%.*taken back");
    }

    @Test
    void withoutBlocksEverythingIsAscii() {
        var text = text(picture(List.of(SPOT)), PLAIN);
        assertThat(text).contains("S |##########%%%%%%%%%%..");
        assertThat(text.chars()).allMatch(each -> each < 128);
    }

    @Test
    void manyNodesShareLinesAndTheRestIsCounted() {
        var text = text(picture(Collections.nCopies(1_000, SPOT)), SCREEN);
        assertThat(text).contains("S│███▓▓·····│ S│███").contains("nodes more; the page shows");
        assertThat(text.lines().count()).isLessThanOrEqualTo(SCREEN.height());
    }

    @Test
    void podsThatWaitForTheSameReasonShareALine() {
        var waiting = new WaitingPod(pod("batch", 1), NOON, "no room");
        var other = new WaitingPod(pod("gpu", 1), NOON, "no type has so many");
        assertThat(text(picture(List.of(), waiting, waiting, other), SCREEN))
                .contains("     2 batch  no room\n     1 gpu  no type has so many\n");
    }

    @Test
    void theNewestDecisionComesFirst() {
        assertThat(text(picture(List.of()), SCREEN))
                .contains("  12:00:00 ! a is taken back\n  12:00:00 + m5.xlarge for 2 pods");
    }

    @Test
    void noLineIsWiderThanTheScreenAndNoneTooMany() {
        var narrow = new Screen(40, 12, true);
        var frame =
                TerminalView.render(
                        picture(
                                Collections.nCopies(30, SPOT),
                                new WaitingPod(pod("a", 1), NOON, "why ".repeat(80))),
                        narrow);
        assertThat(frame.lines()).hasSizeLessThanOrEqualTo(12);
        assertThat(frame.lines()).allMatch(line -> line.text().length() <= 40);
    }

    @Test
    void coloursAreEscapesAndEndOnTheirLine() {
        var lines = AnsiText.lines(TerminalView.render(picture(List.of(SPOT)), SCREEN), true);
        assertThat(lines.get(5)).startsWith("\u001b[33mS \u001b[0m").contains("\u001b[33m████");
        assertThat(lines.get(1)).startsWith("\u001b[36m$0.2000\u001b[0m an hour");
    }

    @Test
    void theSvgDrawsBarsAsBoxesAndSpellsTheRest() {
        var frame = TerminalView.render(picture(List.of(SPOT)), SCREEN);
        var svg = FrameSvg.of(frame, "millwright demo", "a fleet & its <price>");
        assertThat(svg)
                .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 880 ")
                .contains("<desc id=\"desc\">a fleet &amp; its &lt;price&gt;</desc>")
                .contains("<rect class=\"spot\" x=\"45.2\"")
                .contains(">m5.xlarge")
                .doesNotContain("█")
                .endsWith("</svg>\n");
        assertThat(FrameSvg.of(frame, "millwright demo", "a fleet & its <price>")).isEqualTo(svg);
    }

    private static String text(ViewState state, Node... nodes) {
        return String.join(
                "\n",
                AnsiText.lines(
                        TerminalView.render(
                                picture(List.of(nodes)), new Screen(100, 20, true), state),
                        false));
    }

    private static Node of(String type, double price, long cpu) {
        return new Node(
                type,
                new Machine("default", type, "zone-a", CapacityType.SPOT, price),
                Phase.READY,
                null,
                new Share(cpu, 4_000),
                new Share(1, 16),
                List.of(pod("web", cpu)));
    }

    @Test
    void withoutKeysNoneAreNamed() {
        assertThat(text(ViewState.STILL, SPOT)).doesNotContain("q quit");
    }

    @Test
    void withKeysTheLastLineNamesThem() {
        var lines = text(ViewState.FIRST, SPOT).lines().toList();
        assertThat(lines).hasSize(20);
        assertThat(lines.getLast())
                .isEqualTo("q quit  space pause  s order: age  l legend  ? keys");
    }

    @Test
    void nodesStandInTheChosenOrder() {
        var state = ViewState.FIRST.withNextOrder();
        var small = of("m5.large", 0.1, 1_000);
        var large = of("m5.4xlarge", 0.8, 3_000);

        assertThat(text(ViewState.FIRST, small, large).indexOf("m5.large"))
                .isLessThan(text(ViewState.FIRST, small, large).indexOf("m5.4xlarge"));
        assertThat(text(state, small, large)).contains("s order: price");
        assertThat(text(state, small, large).indexOf("m5.4xlarge"))
                .isLessThan(text(state, small, large).indexOf("m5.large"));
    }

    @Test
    void afterTheLastOrderComesTheFirst() {
        var state = ViewState.FIRST;
        for (var order : ViewState.Order.values()) {
            assertThat(state.order()).isEqualTo(order);
            state = state.withNextOrder();
        }
        assertThat(state).isEqualTo(ViewState.FIRST);
    }

    @Test
    void helpAndLegendAreShownUntilTheirKeyComesAgain() {
        var help = ViewState.FIRST.withHelpToggled();
        assertThat(text(help, SPOT)).contains("let time stand still", "S spot  O on demand");
        assertThat(text(help.withHelpToggled(), SPOT)).isEqualTo(text(ViewState.FIRST, SPOT));
        assertThat(text(ViewState.FIRST.withLegendToggled(), SPOT))
                .contains("S spot  O on demand")
                .doesNotContain("let time stand still");
    }

    @Test
    void whatDoesNotFitIsScrolledTo() {
        var many =
                IntStream.range(0, 400)
                        .mapToObj(number -> of("type-" + number, 0.1, 10L * number))
                        .toArray(Node[]::new);
        var first = text(ViewState.FIRST, many);
        var last = text(ViewState.FIRST.scrolled(1_000), many);

        assertThat(first).contains("nodes more, 0 of them above; up and down show them");
        assertThat(last).isNotEqualTo(first).doesNotContain(", 0 of them above");
        assertThat(text(ViewState.FIRST.scrolled(-3), many)).isEqualTo(first);
        assertThat(text(ViewState.FIRST.scrolled(1), SPOT)).isEqualTo(text(ViewState.FIRST, SPOT));
    }
}
