package dev.millwright.core.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.forecast.Forecast.Ending;
import dev.millwright.core.forecast.Forecast.Fleet;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

final class ForecastTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Purchase node(String name, double price) {
        return new Purchase(name, "default", "small", "test-zone-1", "on-demand", price);
    }

    private static Action removal(String name, ObjectName... evicted) {
        return new Action.Remove(
                SECOND, node(name, 1), DisruptionMethod.DRIFT, List.of(evicted), List.of());
    }

    private static Forecast forecast(List<Action> actions) {
        return new Forecast(
                new Fleet(List.of(node("a", 2), node("b", 1)), 2, 0, 0, 1),
                new Fleet(List.of(node("b", 1)), 2, 0, 0, 1),
                actions,
                new TreeMap<>(),
                List.of(),
                new Ending.Quiet(SECOND));
    }

    @Test
    void aMonthHas730Hours() {
        assertThat(forecast(List.of()).before().pricePerMonth()).isEqualTo(3 * 730.0);
    }

    @Test
    void whatIsSavedIsThePriceBeforeLessThePriceAfter() {
        assertThat(forecast(List.of()).savedPerMonth()).isEqualTo(2 * 730.0);
    }

    @Test
    void podsThatLeaveTheirNodesAreCounted() {
        var one = new ObjectName("default", "one");
        var two = new ObjectName("default", "two");
        var launch = new Action.Launch(SECOND, node("c", 1), List.of(one, two), null);

        assertThat(forecast(List.of(launch, removal("a", one, two), removal("b", one))).evictions())
                .isEqualTo(3);
    }
}
