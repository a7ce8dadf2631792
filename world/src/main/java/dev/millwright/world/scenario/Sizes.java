package dev.millwright.world.scenario;

import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How big pods are: most are small and a few are large, as in clusters one meets.
final class Sizes {

    /// Thousandths of a CPU; what stands more often is drawn more often.
    private static final List<Integer> CPU_MILLIS =
            List.of(100, 100, 100, 250, 250, 250, 500, 500, 1_000, 1_000, 2_000, 4_000);

    /// MiB for a CPU.
    private static final List<Integer> MIB_PER_CPU = List.of(1_024, 2_048, 2_048, 4_096, 7_000);

    private static final int MIB_MIN = 64;
    private static final int MILLIS_PER_CPU = 1_000;

    private Sizes() {}

    static WorkloadManifest workload(String name, Chance chance) {
        return workload(name, chance, chance.pick(CPU_MILLIS));
    }

    static WorkloadManifest workload(String name, Chance chance, int millis) {
        var mib = Math.max(MIB_MIN, millis * chance.pick(MIB_PER_CPU) / MILLIS_PER_CPU);
        return WorkloadManifest.named(name, millis + "m", mib + "Mi");
    }

    /// ` of 5 pods, 500m and 1024Mi each`, as far as the object says so.
    static String inWords(Value.Mapping object) {
        var spec = at(object, "spec");
        var requests = at(firstContainer(spec), "resources", "requests");
        if (!(requests instanceof Value.Mapping(_, var amounts))) {
            return "";
        }
        var count = at(spec, "replicas") == null ? at(spec, "parallelism") : at(spec, "replicas");
        var each = new StringBuilder();
        amounts.forEach(
                (name, amount) -> {
                    if (amount instanceof Value.Text(_, var text)) {
                        each.append(each.isEmpty() ? "" : ", ")
                                .append(text)
                                .append(' ')
                                .append(name);
                    }
                });
        return count instanceof Value.Numeral(_, var number)
                ? " of %s pods (%s each)".formatted(number, each)
                : " (%s)".formatted(each);
    }

    private static @Nullable Value firstContainer(@Nullable Value spec) {
        return at(spec, "template", "spec", "containers") instanceof Value.Sequence(_, var all)
                        && !all.isEmpty()
                ? all.getFirst()
                : null;
    }

    private static @Nullable Value at(@Nullable Value from, String... path) {
        var value = from;
        for (var step : path) {
            value = value instanceof Value.Mapping(_, var fields) ? fields.get(step) : null;
        }
        return value;
    }
}
