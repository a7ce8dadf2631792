package dev.millwright.testing.e2e.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.PictureFeed;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.kit.dashboard.SampleFleet;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/// What a visitor sees and does, with a made-up fleet behind the page.
class PageIT {

    private static final int NODES = 24;

    private static Browser browser;

    private final SampleFleet fleet = new SampleFleet(NODES, 20, 7);
    private final PictureFeed feed = new PictureFeed(fleet.picture());
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
        server = DashboardServer.start(0, feed, this::carryOut);
        tab = browser.tab().size(1440, 1000).prefers("dark", true).visit(server.address());
    }

    /// Whatever a visitor does, nothing goes wrong in the page and nobody else is asked.
    @AfterEach
    void close() {
        var host = server.address().getAuthority();
        assertThat(tab.requests())
                .isNotEmpty()
                .allMatch(address -> URI.create(address).getAuthority().equals(host));
        assertThat(tab.complaints()).isEmpty();
        tab.close();
        server.close();
    }

    private Controls.Outcome carryOut(Action action) {
        var outcome = fleet.carryOut(action);
        feed.show(fleet.picture());
        return outcome;
    }

    private void settle() {
        fleet.settle();
        fleet.pass(Duration.ofMinutes(1));
        feed.show(fleet.picture());
    }

    @Test
    void theFleetIsThere() {
        tab.sees("#nodes", "24");
        assertThat(tab.eval("document.querySelector('#map').getAttribute('aria-label')"))
                .isEqualTo("Nodes, 24 in all");
        assertThat(paintedShare()).isGreaterThan(0.2);
        assertThat(tab.text("#title")).isEqualTo("sample");
        assertThat(tab.text("#deployments")).contains("shop/checkout", "shop/search");
        assertThat(tab.text("#decisions")).contains("a fleet of 24 nodes was made up");
    }

    /// The part of the map that is not empty.
    private double paintedShare() {
        return Double.parseDouble(
                tab.eval(
                        """
                        (canvas => {
                          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                          let painted = 0;
                          for (let at = 3; at < data.length; at += 4) painted += data[at] > 0 ? 1 : 0;
                          return painted / (data.length / 4);
                        })(document.querySelector('#tiles'))
                        """));
    }

    @Test
    void aClickAddsPodsWhichWaitAndThenRun() {
        tab.click("#add button");
        tab.sees("#toast", "20 pods were added");
        tab.sees("#waits", "20");
        tab.sees("#waiting", "no node has room; a node is on its way");
        settle();
        tab.sees("#waits", "0");
        tab.sees("#nodes", "27");
        tab.sees("#decisions", "for 8 pods");
    }

    @Test
    void plusAndMinusScaleADeployment() {
        var wanted = wanted();
        var step = Math.round(wanted / 10.0);
        tab.click("[aria-label=\"More replicas of shop/search\"]");
        tab.sees("#toast", "shop/search has %d replicas".formatted(wanted + step));
        tab.sees("[data-name=\"shop/search\"] .count", "of %d ready".formatted(wanted + step));
        tab.click("[aria-label=\"Fewer replicas of shop/search\"]");
        Eventually.see("fewer replicas", this::wanted, count -> count <= wanted + 1);
    }

    private int wanted() {
        return Integer.parseInt(
                tab.eval("document.querySelector('[data-name=\"shop/search\"]').dataset.wanted"));
    }

    @Test
    void aNumberMayBeTyped() {
        tab.eval(
                "(field => { field.value = '3'; field.dispatchEvent(new Event('change')); })(document.querySelector('[aria-label=\"Replicas of shop/checkout\"]'))");
        tab.sees("#toast", "shop/checkout has 3 replicas");
    }

    @Test
    void aNodeIsChosenAndInterruptedWithTheMouse() {
        assertThat(tab.text("#detail")).contains("Choose a node");
        clickFirstNode();
        tab.sees("#detail", "default-");
        assertThat(tab.text("#detail")).contains("an hour", "cores", "shop/");
        assertThat(tab.text("#detail-kept")).startsWith("Why it stays: ");
        tab.click("#interrupt");
        tab.sees("#toast", "will be taken back");
        tab.sees("#detail-facts", "taken back in 2:00");
        assertThat(tab.eval("document.querySelector('#interrupt').getAttribute('aria-disabled')"))
                .isEqualTo("true");
        tab.sees("#lostnodes", "1");
        settle();
        tab.sees("#nodes", "23");
        tab.sees("#detail", "Choose a node");
    }

    private void clickFirstNode() {
        var corner =
                tab.eval(
                                "(r => r.x + ' ' + r.y)(document.querySelector('#map').getBoundingClientRect())")
                        .split(" ", -1);
        tab.clickAt(Double.parseDouble(corner[0]) + 30, Double.parseDouble(corner[1]) + 30);
    }

    @Test
    void freezeAndPauseShowAndEnd() {
        assertThat(tab.eval("document.querySelector('#frozen').hidden")).isEqualTo("true");
        tab.click("#freeze");
        tab.sees("#freeze", "Unfreeze");
        tab.sees("#frozen", "no node is removed by choice");
        tab.click("#freeze");
        tab.sees("#freeze .word", "Freeze");
        tab.click("#pause");
        tab.sees("#pause", "Go on");
        assertThat(tab.eval("document.querySelector('#pause').getAttribute('aria-pressed')"))
                .isEqualTo("true");
    }

    @Test
    void speedIsAsked() {
        tab.eval(
                "(field => { field.value = '300'; field.dispatchEvent(new Event('change')); })(document.querySelector('#speed'))");
        tab.sees("#toast", "speed 300");
        assertThat(fleet.picture().pace().speed()).isEqualTo(300);
    }

    @Test
    void everythingCanBeDoneWithTheKeyboard() {
        assertThat(focusAfter("Tab")).isEqualTo("skip");
        assertThat(focusAfter("Tab")).isEqualTo("pause");
        assertThat(focusAfter("Tab")).isEqualTo("speed");
        assertThat(focusAfter("Tab")).isEqualTo("freeze");
        assertThat(focusAfter("Tab")).isEqualTo("theme");
        assertThat(focusAfter("Tab")).isEqualTo("find");
        assertThat(focusAfter("Tab")).isEqualTo("colouring");
        assertThat(focusAfter("Tab")).isEqualTo("map");
        assertThat(active()).contains("node default-").contains("per hour");
        var first = active();
        tab.press("ArrowRight");
        assertThat(active()).isNotEqualTo(first);
        tab.press("ArrowDown");
        tab.press("Home");
        assertThat(active()).isEqualTo(first);
        assertThat(focusAfter("Enter")).isEqualTo("interrupt");
        assertThat(fleet.picture().counters().interruptions()).isZero();
        tab.press("Enter");
        tab.sees("#toast", "will be taken back");
        assertThat(focusAfter("Tab")).isEqualTo("node-table-words");
        tab.eval("document.querySelector('#deployments').scrollIntoView()");
        assertThat(focusAfter("Tab")).isEqualTo("Fewer replicas of media/thumbnails");
        assertThat(focusAfter("Tab")).isEqualTo("Replicas of media/thumbnails");
        assertThat(focusAfter("Tab")).isEqualTo("More replicas of media/thumbnails");
        tab.press("Enter");
        tab.sees("#toast", "media/thumbnails has");
        assertThat(focus()).isEqualTo("More replicas of media/thumbnails");
    }

    private String active() {
        return tab.eval("document.querySelector('#active-node').textContent");
    }

    private String focusAfter(String key) {
        tab.press(key);
        return focus();
    }

    private String focus() {
        return tab.eval(
                "(e => e.id || e.getAttribute('aria-label') || e.className || e.tagName)(document.activeElement)");
    }

    @Test
    void theChartSaysWhatItShows() {
        tab.sees("#chart-words", "as soon as there is something");
        settle();
        settle();
        tab.sees("#chart-words", "no fleet for these pods can cost less than $");
        tab.eval("document.querySelector('#chart').focus()");
        tab.press("Home");
        tab.sees("#chart-words", "08:00:00: $");
    }

    @Test
    void aRefusalIsTold() {
        tab.eval(
                "(field => { field.value = '-4'; field.dispatchEvent(new Event('change')); })(document.querySelector('[aria-label=\"Replicas of shop/checkout\"]'))");
        tab.sees("#toast", "replicas: found -4; wanted a whole number from 0 to 5000");
        tab.complaints().removeIf(complaint -> complaint.contains("400 (Bad Request)"));
    }

    @Test
    void theEndIsTold() {
        server.close();
        tab.sees("#lost", "The demo has ended");
    }

    @Test
    void whatIsReadOnlyOffersNothingThatChangesTheFleet() throws IOException {
        server.close();
        tab.close();
        server = DashboardServer.start(0, new PictureFeed(fleet.picture()), null);
        tab = browser.tab().visit(server.address());
        assertThat(
                        tab.eval(
                                "[...document.querySelectorAll('.acts')].filter(e => e.checkVisibility()).length"))
                .isEqualTo("0");
        assertThat(
                        tab.eval(
                                "[...document.querySelectorAll('input, select')].filter(e => e.checkVisibility()).map(e => e.id).join()"))
                .isEqualTo("theme,find,colouring");
        assertThat(tab.text("#about")).contains("Nothing can be changed here");
    }
}
