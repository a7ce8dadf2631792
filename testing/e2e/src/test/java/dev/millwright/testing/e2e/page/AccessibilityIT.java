package dev.millwright.testing.e2e.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Content;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.PictureFeed;
import dev.millwright.dashboard.picture.Lookback;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.kit.dashboard.SampleFleet;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Whether the page can be read: by who sees little, and by who does not see.
class AccessibilityIT {

    private static final Set<String> NAMED =
            Set.of(
                    "button",
                    "combobox",
                    "spinbutton",
                    "listbox",
                    "option",
                    "meter",
                    "link",
                    "image",
                    "table",
                    "form");

    /// What WCAG 2 asks of text of ordinary size, level AA.
    private static final String CONTRAST_MIN = "4.5";

    /// Rules that must have looked at something, lest an audit that did not run passes.
    private static final int AXE_RULES_MIN = 25;

    private static final Duration FETCH_MAX = Duration.ofMinutes(2);

    private static Browser browser;
    private static DashboardServer server;

    @BeforeAll
    static void start() throws IOException {
        var fleet = new SampleFleet(24, 20, 7);
        var lookback = new Lookback(Duration.ofSeconds(30));
        for (var minute = 0; minute < 30; minute++) {
            fleet.pass(Duration.ofMinutes(1));
            lookback.add(fleet.picture());
        }
        fleet.carryOut(new Action.AddPods(12, 2_000, 4_096));
        fleet.settle();
        fleet.carryOut(new Action.Freeze(true));
        fleet.carryOut(new Action.Interrupt(fleet.picture().nodes().get(3).name()));
        fleet.carryOut(new Action.Scale("shop/search", 60));
        var content =
                Content.live(new PictureFeed(fleet.picture()))
                        .withControls(fleet)
                        .withAnswers(fleet.answers())
                        .withReel(lookback);
        server = DashboardServer.start(0, content);
        browser = Browser.start();
    }

    @AfterAll
    static void stop() {
        browser.close();
        server.close();
    }

    private static Tab tab(String scheme) {
        var tab = browser.tab().size(1440, 1000).prefers(scheme, true).visit(server.address());
        tab.eval("document.querySelector('#map').focus()");
        tab.press("ArrowRight");
        return tab;
    }

    @Test
    void everythingThatActsHasAName() {
        var tab = tab("dark");
        var nodes = tab.call("Accessibility.getFullAXTree", Tree.of()).fields().get("nodes");
        var nameless =
                ((Value.Sequence) nodes)
                        .elements().stream()
                                .map(Value.Mapping.class::cast)
                                .filter(node -> NAMED.contains(value(node, "role")))
                                .filter(node -> !isIgnored(node) && value(node, "name").isBlank())
                                .map(node -> value(node, "role"))
                                .toList();
        assertThat(nameless).isEmpty();
        tab.close();
    }

    private static boolean isIgnored(Value.Mapping node) {
        return node.fields().get("ignored") instanceof Value.Flag(_, var isTrue) && isTrue;
    }

    private static String value(Value.Mapping node, String property) {
        var text = Tab.at(node, property).text("value");
        return text == null ? "" : text;
    }

    @Test
    void landmarksAndHeadsLeadThroughThePage() {
        var tab = tab("light");
        assertThat(tab.eval("document.querySelectorAll('h1').length")).isEqualTo("1");
        assertThat(
                        tab.eval(
                                "['header', 'main', 'footer'].map(tag => document.querySelectorAll(tag).length).join()"))
                .isEqualTo("1,1,1");
        assertThat(
                        tab.eval(
                                "[...document.querySelectorAll('section')].filter(e => !e.getAttribute('aria-label') && !e.getAttribute('aria-labelledby')).length"))
                .isEqualTo("0");
        assertThat(tab.eval("document.documentElement.lang")).isEqualTo("en");
        tab.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dark", "light"})
    void textStandsOutFromItsGround(String scheme) {
        var tab = tab(scheme);
        assertThat(tab.eval(FAINT.replace("CONTRAST_MIN", CONTRAST_MIN)).lines().toList())
                .isEmpty();
        tab.screenshot(Path.of("target", "screenshots", "page-" + scheme + ".png"));
        tab.close();
    }

    /// All that can be opened is open, so that all of it is looked at.
    @ParameterizedTest
    @ValueSource(strings = {"dark", "light"})
    void axeFindsNothingToObjectTo(String scheme) throws IOException {
        var tab = tab(scheme);
        tab.click("#why");
        tab.sees("#answer-verdict", "It stays");
        tab.click("#detail-pods button.chip");
        tab.eval("document.querySelectorAll('details').forEach(each => { each.open = true; })");
        tab.eval(
                "(e => { e.value = 'pool'; e.dispatchEvent(new Event('change')); })(document.querySelector('#colouring'))");
        tab.sees("#pool-legend", "batch");
        audit(tab);
        tab.eval("document.querySelector('#moment').focus()");
        tab.press("Home");
        tab.sees("#moment-text", "Day 1");
        audit(tab);
        tab.eval("localStorage.clear()");
        tab.close();
    }

    /// What axe-core calls a violation of WCAG 2.2 at level AA, or of its own best practices.
    private static void audit(Tab tab) throws IOException {
        var script =
                Shell.run(List.of(Browser.root().resolve("build/axe.sh").toString()), "", FETCH_MAX)
                        .strip();
        tab.script(Files.readString(Path.of(script)));
        var found =
                tab.eval(
                        """
                        axe.run(document).then(result => result.violations.map(each =>
                            each.id + ': ' + each.nodes.map(node => node.target.join(' ') + ' ' + node.failureSummary).join('; ')).join('\\n'))
                        """);
        assertThat(found).isEmpty();
        assertThat(
                        Integer.parseInt(
                                tab.eval("axe.run(document).then(result => result.passes.length)")))
                .isGreaterThan(AXE_RULES_MIN);
    }

    @Test
    void whoWantsNoMotionGetsNone() {
        var tab = tab("dark");
        assertThat(tab.eval("document.getAnimations().length")).isEqualTo("0");
        tab.close();
    }

    @Test
    void nothingIsCutOffOnANarrowScreen() {
        for (var width : List.of(360, 800)) {
            var tab = browser.tab().size(width, 900).prefers("light", true).visit(server.address());
            assertThat(
                            tab.eval(
                                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                    .isEqualTo("0");
            tab.close();
        }
    }

    /// A line for each text whose colour is too near to what lies behind it.
    private static final String FAINT =
            """
            (() => {
              const channels = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
              const light = colour => {
                const values = colour.startsWith('color(') ? channels(colour).slice(0, 3) : channels(colour).slice(0, 3).map(v => v / 255);
                const [r, g, b] = values.map(v => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const ground = element => {
                for (let at = element; at; at = at.parentElement) {
                  const colour = getComputedStyle(at).backgroundColor;
                  if (colour !== 'rgba(0, 0, 0, 0)' && colour !== 'transparent') return colour;
                }
                return 'rgb(255, 255, 255)';
              };
              const faint = [];
              for (const element of document.querySelectorAll('body *')) {
                const words = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.textContent.trim()).join('');
                if (!words || !element.offsetParent || element.closest('[aria-disabled="true"], .unseen, svg, option')) continue;
                const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
                const contrast = (a + 0.05) / (b + 0.05);
                if (contrast < CONTRAST_MIN) faint.push(`${words} ${contrast.toFixed(2)} ${getComputedStyle(element).color} on ${ground(element)}`);
              }
              return faint.join('\\n');
            })()
            """;
}
