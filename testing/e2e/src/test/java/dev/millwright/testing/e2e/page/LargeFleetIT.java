package dev.millwright.testing.e2e.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Content;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.PictureFeed;
import dev.millwright.dashboard.picture.Lookback;
import dev.millwright.testing.kit.dashboard.SampleFleet;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// Whether the page bears a large fleet: all of it works as on a small one. How fast it does is for
/// [PageBenchmark] to say.
@Tag("long")
class LargeFleetIT {

    static final int NODES = 2_000;
    static final int PODS_PER_NODE = 20;

    @Test
    void thousandsOfNodesAreSeenSearchedAskedAndGoneBackIn() throws IOException {
        var fleet = SampleFleet.dense(NODES, PODS_PER_NODE, 7);
        var lookback = new Lookback(Duration.ofSeconds(30));
        lookback.add(fleet.picture());
        fleet.pass(Duration.ofMinutes(1));
        lookback.add(fleet.picture());
        var feed = new PictureFeed(fleet.picture());
        try (var server =
                        DashboardServer.start(
                                0,
                                Content.live(feed)
                                        .withAnswers(fleet.answers())
                                        .withReel(lookback));
                var browser = Browser.start();
                var tab = browser.tab().size(1600, 1100).prefers("dark", true)) {
            tab.visit(server.address());
            tab.sees("#nodes", "2,000");
            tab.sees("#pods", "40,000");

            fleet.pass(Duration.ofMinutes(1));
            fleet.carryOut(new Action.AddPods(40, 500, 512));
            fleet.settle();
            feed.show(fleet.picture());
            tab.sees("#nodes", "2,005");

            tab.eval("document.querySelector('#map').focus()");
            tab.press("End");
            tab.press("ArrowUp");
            assertThat(
                            Integer.parseInt(
                                    tab.eval(
                                            "document.querySelector('#active-node').getAttribute('aria-posinset')")))
                    .isBetween(NODES - 200, NODES + 5);
            tab.click("#node-table-words");
            tab.click("#rows-after");
            tab.sees("#rows-words", "51 to 100 of 2,005");
            tab.eval(
                    "(e => { e.value = 'visitor/'; e.dispatchEvent(new Event('input')); })(document.querySelector('#find'))");
            tab.sees("#found", "5 nodes found");
            tab.sees("#rows-words", "1 to 5 of 5");
            tab.eval("document.querySelector('#moment').focus()");
            tab.press("Home");
            tab.sees("#moment-text", "Day 1, 08:00:00");
            tab.sees("#nodes", "2,000");
            tab.screenshot(Path.of("target", "screenshots", "page-2000-nodes.png"));
            assertThat(tab.complaints()).isEmpty();
        }
    }
}
