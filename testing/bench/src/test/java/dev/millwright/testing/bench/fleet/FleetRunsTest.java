package dev.millwright.testing.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.bench.comparison.JsonLine;
import dev.millwright.testing.bench.problem.BenchFleet;
import dev.millwright.testing.kit.generator.PlainJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

final class FleetRunsTest {

    @TempDir private Path folder;

    @Test
    void aHalfEmptyFleetEndsWithFewerNodesAtALowerPrice() throws IOException {
        var answer = run("cheapest", "slack-10");

        assertThat(answer.at("final").number("pricePerHour"))
                .isLessThan(answer.number("pricePerHour"));
        assertThat(answer.at("final").number("nodes")).isLessThan(10);
        assertThat(answer.at("final").number("podsMoved")).isPositive();
    }

    @Test
    void nodeByNodeItEndsAtALowerPriceToo() throws IOException {
        var answer = run("karpenter", "slack-10");

        assertThat(answer.at("final").number("pricePerHour"))
                .isLessThan(answer.number("pricePerHour"));
    }

    @Test
    void aDearerEndIsSaidToFallShort() {
        var tables = new FleetTables(List.of(row(11.0, 10.0, 100, 2_500)));

        assertThat(tables.shortfalls())
                .containsExactly(
                        "slack-100, whole fleet: the fleet ends at 11.00 $/h, the peer's at 10.00.");
    }

    @Test
    void aSlowDecisionIsSaidToFallShort() {
        var tables = new FleetTables(List.of(row(9.0, 10.0, 200, 2_500)));

        assertThat(tables.shortfalls())
                .containsExactly(
                        "slack-100, whole fleet: the first decision takes the peer 12.5 times our CPU"
                                + " time; promised 20.");
    }

    private JsonLine run(String method, String fleet) throws IOException {
        var file = BenchFleet.parse(fleet).write(folder);
        return JsonLine.parse(fleet, PlainJson.text(FleetRuns.measure(method, 1, 0, file), false));
    }

    private static FleetRow row(double price, double peerPrice, int cpuMillis, int peerCpuMillis) {
        var peers = answer(peerPrice, peerCpuMillis);
        return new FleetRow("slack-100", answer(price, cpuMillis), answer(peerPrice, 1), peers);
    }

    private static JsonLine answer(double price, int firstCpuMillis) {
        return JsonLine.parse(
                "answer",
                """
                {"first": {"cpuMillis": %d}, "last": {"cpuMillis": 1}, "cut": true,
                 "final": {"pricePerHour": %s}}
                """
                        .formatted(firstCpuMillis, price));
    }
}
