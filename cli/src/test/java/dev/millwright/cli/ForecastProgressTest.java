package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

final class ForecastProgressTest {

    private static final SchedulingProblem PROBLEM =
            new SchedulingProblem(
                    Snapshot.EMPTY, List.of(), new TreeMap<>(), SchedulingPolicy.DEFAULT);
    private static final Deliberation DECISION =
            new Deliberation.Provisioning(PROBLEM, Planner.plan(PROBLEM));

    private final List<String> told = new ArrayList<>();
    private Duration wall = Duration.ofHours(1);
    private final ForecastProgress progress =
            new ForecastProgress(
                    "forecasting",
                    DECISION.at().minus(Duration.ofSeconds(90)),
                    told::add,
                    () -> wall.toNanos());

    @Test
    void aShortForecastIsToldOfOnce() {
        wall = wall.plusSeconds(14);
        progress.accept(DECISION);
        assertThat(told).containsExactly("forecasting");
    }

    @Test
    void aLongForecastTellsHowFarItHasCome() {
        progress.accept(DECISION);
        wall = wall.plusSeconds(15);
        progress.accept(DECISION);
        progress.accept(DECISION);
        assertThat(told).containsExactly("forecasting", "forecasting: 2 decisions, 1m30s from now");
    }
}
