package dev.millwright.testing.e2e.page;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.dashboard.ledger.DeliberationReel;
import dev.millwright.dashboard.page.Content;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.OperatorPage;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.Given;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/// Real decisions on the page: as an operator makes them, and as a record keeps them.
class RecordIT {

    private static Browser browser;

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start();
    }

    @AfterAll
    static void stopBrowser() {
        browser.close();
    }

    private static Deliberation planned(ClusterBuilder cluster) {
        SchedulingProblem problem = cluster.problem();
        return new Deliberation.Provisioning(problem, Planner.plan(problem));
    }

    private static Deliberation launching() {
        return planned(
                cluster()
                        .with(pods(3, pod("web", "1")))
                        .with(pod("picky").nodeSelector("size", "enormous")));
    }

    private static Deliberation standing() {
        return planned(
                cluster()
                        .with(node("first"), node("second"))
                        .with(pods(2, pod("web", "1").onNode("first")))
                        .with(pod("picky").nodeSelector("size", "enormous")));
    }

    @Test
    void anOperatorsDecisionsAreSeenAndExplained() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var page = OperatorPage.open("production", address, Given.NOON);
                var tab = browser.tab().size(1440, 1200).prefers("dark", true)) {
            tab.visit(page.address());
            assertThat(tab.text("#hint")).contains("Nothing was decided here yet");
            page.accept(launching());
            tab.sees("#waiting", "a node is on its way");
            tab.sees("#decisions", "for 3 pods");
            assertThat(tab.eval("document.querySelector('#hint').hidden")).isEqualTo("true");
            tab.click("[aria-label=\"Why does pod default/picky wait?\"]");
            tab.sees("#answer-verdict", "It waits");
            assertThat(tab.text("#answer-changes")).contains("size");
            page.accept(standing());
            tab.sees("#nodes", "2");
            tab.click("#decisions button.line");
            tab.sees("#answer-reasons", "default/picky");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void aRecordIsGoneThroughDecisionByDecision() throws IOException {
        var reel = DeliberationReel.of("record", List.of(launching(), standing()));
        try (var server = DashboardServer.start(0, Content.recorded(reel));
                var tab = browser.tab().size(1440, 1200).prefers("light", true)) {
            tab.visit(server.address());
            tab.sees("#nodes", "2");
            tab.sees("#moment-text", "The last moment of the record");
            assertThat(tab.eval("document.querySelector('#now').hidden")).isEqualTo("true");
            tab.click("#earlier");
            tab.sees("#nodes", "0");
            tab.sees("#waiting", "default/");
            tab.click("#later");
            tab.sees("#nodes", "2");
            tab.click("#decisions li:last-child button");
            tab.sees("#nodes", "0");
            tab.sees("#answer-reasons", "launch");
            assertThat(tab.complaints()).isEmpty();
        }
    }
}
