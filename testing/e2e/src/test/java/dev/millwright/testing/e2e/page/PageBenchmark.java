package dev.millwright.testing.e2e.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Content;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.PictureFeed;
import dev.millwright.dashboard.picture.Lookback;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.dashboard.SampleFleet;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How fast the page is with 2,000 nodes and 40,000 pods, by the browser's own clock. `make
/// bench-page` runs it and writes the figures into the page of benchmarks; no test asserts them.
class PageBenchmark {

    private static final boolean IS_WRITTEN =
            System.getProperty("millwright.docs", "").equals("write");
    private static final String BEGIN =
            "<!-- page figures: begin, written by make bench-page -->\n";
    private static final String END = "<!-- page figures: end -->";
    private static final int VISITS = 5;
    private static final int FRAMES = 120;

    /// What frames took, in milliseconds.
    private record Frames(double middle, double worst, double processor) {

        static Frames of(Tab tab, String step) {
            var before = processorMillis(tab);
            var parts = tab.eval(frames(step)).split(" ", -1);
            return new Frames(
                    Double.parseDouble(parts[0]),
                    Double.parseDouble(parts[1]),
                    (processorMillis(tab) - before) / FRAMES);
        }

        String row(String what) {
            return String.format(
                    Locale.ROOT,
                    "| %s | %.1f ms | %.1f ms, %.0f a second | %.1f ms, %.0f a second |",
                    what,
                    processor,
                    middle,
                    1_000 / middle,
                    worst,
                    1_000 / worst);
        }
    }

    private final SampleFleet fleet =
            SampleFleet.dense(LargeFleetIT.NODES, LargeFleetIT.PODS_PER_NODE, 7);
    private final PictureFeed feed = new PictureFeed(fleet.picture());

    @Test
    void figures() throws IOException {
        var lookback = new Lookback(Duration.ofSeconds(30));
        for (var moment = 0; moment < 20; moment++) {
            fleet.pass(Duration.ofMinutes(1));
            fleet.carryOut(new Action.AddPods(16, 500, 512));
            fleet.settle();
            lookback.add(fleet.picture());
        }
        feed.show(fleet.picture());
        var content = Content.live(feed).withAnswers(fleet.answers()).withReel(lookback);
        try (var server = DashboardServer.start(0, content);
                var browser = Browser.start()) {
            var firsts = new ArrayList<Double>();
            var paints = new ArrayList<Double>();
            var processor = new ArrayList<Double>();
            for (var visit = 0; visit < VISITS; visit++) {
                var tab = visited(browser, server);
                firsts.add(
                        number(tab, "performance.getEntriesByName('first-picture')[0].startTime"));
                paints.add(
                        number(
                                tab,
                                "performance.getEntriesByName('first-contentful-paint')[0].startTime"));
                processor.add(processorMillis(tab));
                tab.close();
            }
            var tab = visited(browser, server);
            var rows = new ArrayList<String>();
            rows.add(Frames.of(tab, POINTING).row("moving the mouse over the map"));
            rows.add(Frames.of(tab, WALKING).row("walking over the map by arrow keys"));
            rows.add(Frames.of(tab, SCROLLING).row("scrolling the page"));
            rows.add(
                    Frames.of(tab, REDRAWING)
                            .row("searching anew and drawing all of the map in each frame"));
            rows.add(changing(tab).row("moving the mouse while ten changes a second come"));
            var back = number(tab, BACK);
            assertThat(tab.complaints()).isEmpty();
            tab.close();
            write(text(List.of(firsts, paints, processor), rows, back));
        }
    }

    private static Tab visited(Browser browser, DashboardServer server) {
        var tab = browser.tab().size(1600, 1100).prefers("dark", false);
        tab.call("Performance.enable", Tree.of("timeDomain", "threadTicks"));
        tab.visit(server.address());
        tab.sees("#nodes", "2,0");
        return tab;
    }

    /// What the page's own thread has had of a processor since it began: others that use the
    /// machine do not count.
    private static double processorMillis(Tab tab) {
        var metrics = tab.call("Performance.getMetrics", Tree.of()).fields().get("metrics");
        return ((Value.Sequence) metrics)
                        .elements().stream()
                                .map(Value.Mapping.class::cast)
                                .filter(metric -> "TaskDuration".equals(metric.text("name")))
                                .map(metric -> metric.fields().get("value"))
                                .mapToDouble(PageBenchmark::seconds)
                                .sum()
                * 1_000;
    }

    private static double seconds(@Nullable Value value) {
        return value instanceof Value.Numeral(_, var text) ? Double.parseDouble(text) : 0;
    }

    private static double number(Tab tab, String expression) {
        return Double.parseDouble(tab.eval(expression));
    }

    private Frames changing(Tab tab) {
        var changes =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    while (!Thread.currentThread().isInterrupted()) {
                                        fleet.pass(Duration.ofSeconds(1));
                                        fleet.carryOut(new Action.AddPods(8, 500, 512));
                                        fleet.settle();
                                        feed.show(fleet.picture());
                                        try {
                                            Thread.sleep(Duration.ofMillis(100));
                                        } catch (InterruptedException over) {
                                            return;
                                        }
                                    }
                                });
        try {
            return Frames.of(tab, POINTING);
        } finally {
            changes.interrupt();
        }
    }

    private static String text(List<List<Double>> visits, List<String> rows, double back) {
        var firsts = visits.get(0);
        var paints = visits.get(1);
        var processor = visits.get(2);
        return String.format(
                Locale.ROOT,
                """
                Measured on %s in Chromium without a window and without a graphics processor, on %d cores with a load of %.1f before: \
                a page of 1600 × 1100 with 2,000 nodes and 40,000 pods and the fleet's last 20 moments, on a server on the same machine.

                | from the click to | middle of %d | worst |
                | --- | ---: | ---: |
                | first paint | %.0f ms | %.0f ms |
                | the whole fleet on the screen | %.0f ms | %.0f ms |

                All of that takes the page's own thread %.0f ms of processor time. A moment of the past is on the screen %.0f ms after the slider stops.

                | while | processor time of a frame | a frame, middle of %d | a frame, the 95th of 100 |
                | --- | ---: | ---: | ---: |
                %s
                """,
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                LOAD,
                VISITS,
                middle(paints),
                worst(paints),
                middle(firsts),
                worst(firsts),
                middle(processor),
                back,
                FRAMES,
                String.join("\n", rows));
    }

    /// Before the browser adds its own.
    private static final double LOAD =
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();

    private static double middle(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static double worst(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    private static void write(String text) throws IOException {
        System.out.println(text);
        if (IS_WRITTEN) {
            var file = Browser.root().resolve(Path.of("docs", "benchmarks.md"));
            var page = Files.readString(file);
            var from = page.indexOf(BEGIN);
            assertThat(from).as("place of the figures in %s", file).isPositive();
            Files.writeString(
                    file,
                    page.substring(0, from + BEGIN.length())
                            + text
                            + page.substring(page.indexOf(END)));
        }
    }

    private static String frames(String step) {
        return """
        (async () => {
          const map = document.querySelector('#map');
          const place = map.getBoundingClientRect();
          const next = () => new Promise(resolve => requestAnimationFrame(resolve));
          const times = [];
          map.focus();
          let last = await next();
          for (let step = 0; step < %d; step++) {
            %s
            const now = await next();
            times.push(now - last);
            last = now;
          }
          times.sort((a, b) => a - b);
          return times[times.length / 2] + ' ' + times[Math.floor(times.length * 0.95)];
        })()
        """
                .formatted(FRAMES, step);
    }

    private static final String POINTING =
            "map.dispatchEvent(new MouseEvent('mousemove', {clientX: place.x + 7 * step, clientY: place.y + 3 * step, bubbles: true}));";

    private static final String WALKING =
            "map.dispatchEvent(new KeyboardEvent('keydown', {key: step % 2 ? 'ArrowDown' : 'ArrowRight', bubbles: true}));";

    private static final String SCROLLING = "scrollTo(0, 4 * step);";

    /// What dims with the search makes every box be drawn anew.
    private static final String REDRAWING =
            "(find => { find.value = step % 2 ? 'spot' : 'batch'; find.dispatchEvent(new Event('input')); })(document.querySelector('#find'));";

    private static final String BACK =
            """
            (async () => {
              const slider = document.querySelector('#moment');
              const words = document.querySelector('#moment-text');
              const begun = performance.now();
              slider.value = 3;
              slider.dispatchEvent(new Event('input'));
              while (!words.textContent.startsWith('Day')) {
                await new Promise(resolve => requestAnimationFrame(resolve));
              }
              await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
              return performance.now() - begun;
            })()
            """;
}
