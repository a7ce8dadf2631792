package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchCommandTest {

    private static final String PROBLEM =
            """
            {"format": 1, "name": "tiny", "instanceTypes": [
              {"name": "small", "capacity": {"cpuMilli": 2000, "memoryBytes": 4294967296, "pods": 10},
               "offerings": [{"zone": "a", "capacityType": "on-demand", "price": 0.25}]}],
             "pods": [{"name": "p1", "requests": {"cpuMilli": 1000}}]}
            """;

    @Test
    void theJsonKeysAreThoseOfTheContract() {
        var run =
                CommandRun.reading(
                        PROBLEM, "bench", "-q", "--warmups", "1", "--runs", "3", "-o", "json", "-");
        assertThat(run.exitCode()).isZero();
        assertThat(
                        run.out()
                                .replaceAll(
                                        "(median|p95|allocatedBytes|lowerBoundPerHour)\" : [0-9.]+",
                                        "$1\" : N"))
                .isEqualTo(
                        """
                        {
                          "problems" : [ {
                            "name" : "tiny",
                            "pods" : 1,
                            "types" : 1,
                            "packing" : "cheapest",
                            "runs" : 3,
                            "wallMillis" : {
                              "median" : N,
                              "p95" : N
                            },
                            "cpuMillis" : {
                              "median" : N,
                              "p95" : N
                            },
                            "allocatedBytes" : N,
                            "pricePerHour" : 0.25,
                            "lowerBoundPerHour" : N,
                            "optimal" : true,
                            "nodes" : 1,
                            "waiting" : 0
                          } ]
                        }
                        """);
    }

    @Test
    void theTableHasARowForEachProblem() {
        var run = CommandRun.reading(PROBLEM, "bench", "-q", "--warmups", "0", "--runs", "1", "-");
        assertThat(run.out()).startsWith("PROBLEM ").contains("\ntiny ");
    }

    @Test
    void runsMustBeAtLeastOne() {
        assertThat(CommandRun.of("bench", "--runs", "0", "-").exitCode()).isEqualTo(2);
    }
}
