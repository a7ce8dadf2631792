package dev.millwright.testing.e2e.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Content;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.PictureFeed;
import dev.millwright.dashboard.picture.Lookback;
import dev.millwright.testing.kit.dashboard.SampleFleet;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;

/// What a visitor looks for, asks and goes back to, on a page that only shows.
class AskingIT {

    private static final int MOMENTS = 10;

    private static Browser browser;

    private final SampleFleet fleet = new SampleFleet(24, 20, 7);
    private final Lookback lookback = new Lookback(Duration.ofSeconds(30));
    private PictureFeed feed;
    private DashboardServer server;
    private Tab tab;

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start();
    }

    @AfterAll
    static void stopBrowser() {
        browser.close();
    }

    @BeforeEach
    void open() throws IOException {
        for (var minute = 0; minute < MOMENTS; minute++) {
            fleet.carryOut(new Action.AddPods(8, 1_000, 2_048));
            fleet.settle();
            lookback.add(fleet.picture());
            fleet.pass(Duration.ofMinutes(1));
        }
        fleet.carryOut(new Action.AddPods(5, 1_000, 2_048));
        feed = new PictureFeed(fleet.picture());
        server =
                DashboardServer.start(
                        0, Content.live(feed).withAnswers(fleet.answers()).withReel(lookback));
        tab = browser.tab().size(1440, 1400).prefers("light", true).visit(server.address());
    }

    @AfterEach
    void close() {
        assertThat(tab.complaints()).isEmpty();
        tab.close();
        server.close();
    }

    private String focus() {
        return tab.eval("document.activeElement.id");
    }

    private void set(String selector, String value, String event) {
        tab.eval(
                "(e => { e.value = '%s'; e.dispatchEvent(new Event('%s')); })(document.querySelector('%s'))"
                        .formatted(value, event, selector));
    }

    @Test
    void aNodeIsAskedWhyItStaysWithTheKeyboardAlone() {
        tab.eval("document.querySelector('#map').focus()");
        tab.press("ArrowRight");
        tab.press("Enter");
        assertThat(focus()).isEqualTo("why");
        tab.press("Enter");
        tab.sees("#answer", "It stays.");
        assertThat(tab.text("#answer-changes")).contains("set consolidateAfter to 0s");
        assertThat(focus()).isEqualTo("answer-head");
        tab.press("Escape");
        assertThat(focus()).isEqualTo("why");
        assertThat(tab.eval("document.querySelector('#answer').hidden")).isEqualTo("true");
    }

    @Test
    void aWaitingPodAndAPodOnANodeAreAskedAbout() {
        tab.click("[aria-label^=\"Why does pod visitor/pods\"]");
        tab.sees("#answer-head", "visitor/pods-");
        tab.eval("document.querySelector('#map').focus()");
        tab.click("#detail-pods button.chip");
        assertThat(
                        tab.eval(
                                "document.querySelector('#detail-pods button.chip').getAttribute('aria-expanded')"))
                .isEqualTo("true");
        var pod = tab.text("#detail-pods .pods button");
        tab.click("#detail-pods .pods button");
        tab.sees("#answer-head", pod);
    }

    @Test
    void theTimelineIsClickedThroughWithArrows() {
        tab.eval("document.querySelector('#decisions button.line').focus()");
        tab.press("ArrowDown");
        tab.press("ArrowDown");
        assertThat(
                        tab.eval(
                                "[...document.querySelectorAll('#decisions button.line')].findIndex(e => e === document.activeElement)"))
                .isEqualTo("2");
        assertThat(
                        tab.eval(
                                "[...document.querySelectorAll('#decisions button.line')].filter(e => e.tabIndex === 0).length"))
                .isEqualTo("1");
        tab.press("Enter");
        tab.sees("#answer-reasons", "launch m6i.large for pod shop/web-1");
    }

    @Test
    void whatIsAboutToGoAndWhyOthersStayIsTold() {
        assertThat(tab.text("#upcoming"))
                .contains("empty, by emptiness", "under way", "looked at once more first");
        assertThat(tab.text("#lostnodes")).isEqualTo("3");
        tab.sees("#kept", "a replacement is not cheaper");
        tab.click("#kept button");
        tab.sees("#found", "nodes stand out");
        tab.click("#find-all");
        assertThat(tab.text("#found")).isEmpty();
    }

    @Test
    void nodesAreFoundByWhatRunsOnThem() {
        set("#find", "visitor/pods", "input");
        tab.sees("#found", "10 nodes found");
        set("#find", "no such thing", "input");
        tab.sees("#found", "0 nodes found");
    }

    @Test
    void theTableIsTheMapInWords() {
        tab.click("#node-table-words");
        tab.sees("#rows-words", "1 to 34 of 34");
        assertThat(tab.text("#table-rows")).contains("m7a.8xlarge", "batch", "spot");
        tab.click("#table-head th:last-child button");
        assertThat(
                        tab.eval(
                                "document.querySelector('#table-head th:last-child').getAttribute('aria-sort')"))
                .isEqualTo("descending");
        var dearest = tab.text("#table-rows th button");
        tab.click("#table-rows th button");
        tab.sees("#detail-name", dearest);
    }

    @Test
    void boxesAreColouredByPoolAndCarryItsLetter() {
        assertThat(tab.eval("document.querySelector('#pool-legend').hidden")).isEqualTo("true");
        set("#colouring", "pool", "change");
        tab.sees("#pool-legend", "batch");
        assertThat(tab.text("#pool-legend")).contains("A", "B", "default");
    }

    @Test
    void aVisitorChoosesDarkWhateverTheSystemPrefers() {
        var light = tab.eval("getComputedStyle(document.body).backgroundColor");
        set("#theme", "dark", "change");
        assertThat(tab.eval("getComputedStyle(document.body).backgroundColor")).isNotEqualTo(light);
        set("#theme", "light", "change");
        assertThat(tab.eval("getComputedStyle(document.body).backgroundColor")).isEqualTo(light);
    }

    @Test
    void theSliderGoesBackAndNowComesBack() {
        tab.sees("#nodes", "34");
        tab.sees("#moment-text", "10 moments to go back to");
        tab.eval("document.querySelector('#moment').focus()");
        tab.press("Home");
        tab.sees("#moment-text", "Day 1, 08:00:00");
        tab.sees("#nodes", "25");
        assertThat(tab.eval("document.querySelector('#moment').getAttribute('aria-valuetext')"))
                .isEqualTo("Day 1, 08:00:00");
        tab.click("#later");
        tab.sees("#nodes", "26");
        fleet.settle();
        feed.show(fleet.picture());
        tab.click("#now");
        tab.sees("#nodes", "35");
    }

    @Test
    void whoIsToldNothingIsToldSo() {
        tab.eval(
                "import('/answer.js').then(m => new m.AnswerPanel(() => null).explain('node', '%s'))"
                        .formatted(SampleFleet.UNKNOWN));
        tab.sees("#answer-verdict", "there is no nobody any more");
        tab.complaints().removeIf(complaint -> complaint.contains("404 (Not Found)"));
    }
}
