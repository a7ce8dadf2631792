package dev.millwright.testing.e2e.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.PictureFeed;
import dev.millwright.testing.kit.dashboard.SampleFleet;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// Whether the page bears a large fleet. The bounds are those of a person's patience on two cores
/// that others use too; what was measured is printed.
class LargeFleetIT {

    private static final int NODES = 2_000;
    private static final int PODS_PER_NODE = 20;
    private static final double FIRST_PICTURE_MILLIS_MAX = 2_000;
    private static final double FRAME_MILLIS_MAX = 33;
    private static final double CHANGE_MILLIS_MAX = 250;

    @Test
    void thousandsOfNodesAreSeenAndMovedOver() throws IOException {
        var fleet = new SampleFleet(NODES, PODS_PER_NODE, 7);
        var feed = new PictureFeed(fleet.picture());
        try (var server = DashboardServer.start(0, feed, fleet);
                var browser = Browser.start();
                var tab = browser.tab().size(1600, 1100).prefers("dark", false)) {
            tab.visit(server.address());
            tab.sees("#nodes", "2,000");
            var first =
                    Double.parseDouble(
                            tab.eval(
                                    "window.performance.getEntriesByName('first-picture')[0].startTime"));
            var frame = Double.parseDouble(tab.eval(FRAMES));
            for (var step = 0; step < 10; step++) {
                fleet.pass(Duration.ofMinutes(1));
                fleet.carryOut(new Action.AddPods(40, 500, 512));
                fleet.settle();
                feed.show(fleet.picture());
            }
            var change = Double.parseDouble(tab.eval(FRAMES));
            tab.screenshot(Path.of("target", "screenshots", "page-2000-nodes.png"));
            System.out.printf(
                    "2,000 nodes: first picture after %.0f ms; %.1f ms a frame while moving over it, %.1f ms while it changes%n",
                    first, frame, change);
            assertThat(tab.complaints()).isEmpty();
            assertThat(first).isLessThan(FIRST_PICTURE_MILLIS_MAX);
            assertThat(frame).isLessThan(FRAME_MILLIS_MAX);
            assertThat(change).isLessThan(CHANGE_MILLIS_MAX);
        }
    }

    /// The middle one of the times that frames took while the mouse went over the map.
    private static final String FRAMES =
            """
            (async () => {
              const map = document.querySelector('#map');
              const frame = map.getBoundingClientRect();
              const next = () => new Promise(resolve => requestAnimationFrame(resolve));
              const times = [];
              let last = await next();
              for (let step = 0; step < 60; step++) {
                map.dispatchEvent(new MouseEvent('mousemove', {clientX: frame.x + 8 * step, clientY: frame.y + 5 * step, bubbles: true}));
                const now = await next();
                times.push(now - last);
                last = now;
              }
              return times.sort((a, b) => a - b)[30];
            })()
            """;
}
