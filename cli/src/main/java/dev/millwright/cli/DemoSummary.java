package dev.millwright.cli;

import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.dashboard.picture.Picture;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// How a demo went, under the JSON keys that scripts rely on. Keys may be added, never renamed.
record DemoSummary(long seed, Picture last) {

    static DemoSummary of(long seed, Picture last) {
        return new DemoSummary(seed, last);
    }

    void print(OutputFormat format, PrintWriter out) {
        switch (format) {
            case TABLE, WIDE -> table(out);
            case JSON -> ResultText.json(result(), out);
            case YAML -> ResultText.yaml(result(), out);
        }
    }

    /// The demo's operator is told nothing of it.
    private static String packing() {
        return SchedulingPolicy.DEFAULT.packing().text();
    }

    private long virtualSeconds() {
        return Duration.between(last.pace().startedAt(), last.pace().now()).toSeconds();
    }

    private SequencedMap<String, Object> result() {
        var counters = last.counters();
        var result = new LinkedHashMap<String, Object>();
        result.put("seed", seed);
        result.put("packing", packing());
        result.put("virtualSeconds", virtualSeconds());
        result.put("podsRun", counters.podsRun());
        result.put("podsWaiting", last.workload().waiting().size());
        result.put("nodes", last.nodes().size());
        result.put("nodesLaunched", counters.nodesLaunched());
        result.put("nodesTerminated", counters.nodesTerminated());
        result.put("interruptions", counters.interruptions());
        result.put("evictions", counters.evictions());
        result.put("pricePerHour", ResultText.number(last.price().perHour()));
        result.put("lowerBoundPerHour", ResultText.number(last.price().lowerBoundPerHour()));
        result.put("invariantsBroken", counters.invariantsBroken());
        return result;
    }

    private void table(PrintWriter out) {
        var counters = last.counters();
        var price = last.price();
        out.println(
                "demo of seed %d, packing %s: %s of a cluster's life, %s"
                        .formatted(
                                seed,
                                packing(),
                                life(Duration.ofSeconds(virtualSeconds())),
                                counters.invariantsBroken() == 0
                                        ? "no rule broken"
                                        : "%,d rules broken"
                                                .formatted(counters.invariantsBroken())));
        out.println(
                "pods:  %,d run, %,d waiting, %,d evicted"
                        .formatted(
                                counters.podsRun(),
                                last.workload().waiting().size(),
                                counters.evictions()));
        out.println(
                "nodes: %,d now, %,d launched, %,d gone, %,d of them taken back by the cloud"
                        .formatted(
                                last.nodes().size(),
                                counters.nodesLaunched(),
                                counters.nodesTerminated(),
                                counters.interruptions()));
        out.println(
                "cost:  $%s an hour now; these pods cannot cost less than $%s an hour"
                        .formatted(
                                Money.perHour(price.perHour()),
                                Money.perHour(price.lowerBoundPerHour())));
        out.flush();
    }

    private static String life(Duration time) {
        return time.toHours() == 0
                ? "%d min".formatted(time.toMinutes())
                : "%d h %d min".formatted(time.toHours(), time.toMinutesPart());
    }
}
