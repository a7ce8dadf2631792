package dev.millwright.testing.bench.problem;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Selector;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.generator.PlainJson;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/// A problem as a neutral file, format 1: numbers for sizes, the Kubernetes API's own words for the
/// rest. Both programs read it, so that neither gets a document the other wrote.
final class ProblemText {

    private static final int FORMAT = 1;

    private static final BigDecimal MILLIS_PER_UNIT = new BigDecimal(1_000);

    private ProblemText() {}

    static String of(String name, SchedulingProblem problem) {
        var document = new LinkedHashMap<String, Object>();
        document.put("format", FORMAT);
        document.put("name", name);
        document.put(
                "instanceTypes",
                problem.catalogs().firstEntry().getValue().stream()
                        .map(ProblemText::type)
                        .toList());
        document.put("pods", problem.snapshot().pods().stream().map(ProblemText::pod).toList());
        return PlainJson.text(document, false);
    }

    static Map<String, Object> type(InstanceType type) {
        return map(
                "name",
                type.name(),
                "capacity",
                size(type.capacity(), true),
                "allocatable",
                size(type.allocatable(), true),
                "arch",
                type.requirements().on(LabelKeys.ARCH).values().getFirst(),
                "os",
                type.requirements().on(LabelKeys.OS).values(),
                "offerings",
                type.offerings().stream()
                        .filter(Offering::isAvailable)
                        .map(
                                offering ->
                                        map(
                                                "zone",
                                                offering.zone(),
                                                "capacityType",
                                                offering.capacityType(),
                                                "price",
                                                offering.pricePerHour()))
                        .toList());
    }

    private static Map<String, Object> size(Resources resources, boolean hasPods) {
        return map(
                "cpuMilli",
                millis(resources),
                "memoryBytes",
                resources.amount(Resources.MEMORY).units(),
                "pods",
                hasPods ? resources.amount(Resources.PODS).units() : null);
    }

    static long millis(Resources resources) {
        return resources
                .amount(Resources.CPU)
                .toBigDecimal()
                .multiply(MILLIS_PER_UNIT)
                .longValueExact();
    }

    private static Map<String, Object> pod(Pod pod) {
        var placement = pod.placement();
        var affinity =
                map(
                        "nodeAffinity",
                        unlessEmpty(nodeAffinity(placement.nodeAffinity())),
                        "podAffinity",
                        unlessEmpty(podAffinity(placement.podAffinity())),
                        "podAntiAffinity",
                        unlessEmpty(podAffinity(placement.podAntiAffinity())));
        var spread = placement.spread().stream().map(ProblemText::spread).toList();
        return map(
                "name",
                pod.name().name(),
                "labels",
                pod.labels(),
                "requests",
                size(pod.requests(), false),
                "topologySpreadConstraints",
                spread.isEmpty() ? null : spread,
                "affinity",
                unlessEmpty(affinity));
    }

    private static Map<String, Object> spread(SpreadConstraint constraint) {
        return map(
                "maxSkew",
                constraint.maxSkew(),
                "topologyKey",
                constraint.topologyKey(),
                "whenUnsatisfiable",
                constraint.isHard() ? "DoNotSchedule" : "ScheduleAnyway",
                "labelSelector",
                selector(constraint.selector()));
    }

    private static Map<String, Object> podAffinity(PodAffinity affinity) {
        var required = affinity.required().stream().map(ProblemText::term).toList();
        var preferred =
                affinity.preferred().stream()
                        .map(
                                wish ->
                                        map(
                                                "weight",
                                                wish.weight(),
                                                "podAffinityTerm",
                                                term(wish.term())))
                        .toList();
        return map(
                "requiredDuringSchedulingIgnoredDuringExecution",
                required.isEmpty() ? null : required,
                "preferredDuringSchedulingIgnoredDuringExecution",
                preferred.isEmpty() ? null : preferred);
    }

    private static Map<String, Object> term(PodAffinity.Term term) {
        return map("labelSelector", selector(term.selector()), "topologyKey", term.topologyKey());
    }

    /// Benchmark pods wish for nodes and never require them.
    private static Map<String, Object> nodeAffinity(NodeAffinity affinity) {
        if (!affinity.required().isEmpty()) {
            throw new IllegalArgumentException(
                    "a pod requires nodes %s; benchmark pods have only wishes"
                            .formatted(affinity.required()));
        }
        var preferred =
                affinity.preferred().stream()
                        .map(
                                wish ->
                                        map(
                                                "weight",
                                                wish.weight(),
                                                "preference",
                                                map(
                                                        "matchExpressions",
                                                        wish.term().expressions().stream()
                                                                .map(ProblemText::expression)
                                                                .toList())))
                        .toList();
        return map(
                "preferredDuringSchedulingIgnoredDuringExecution",
                preferred.isEmpty() ? null : preferred);
    }

    private static Map<String, Object> expression(Requirement requirement) {
        return map(
                "key",
                requirement.key(),
                "operator",
                requirement.operator().text(),
                "values",
                requirement.values());
    }

    private static @Nullable Map<String, Object> selector(@Nullable Selector selector) {
        return selector == null ? null : map("matchLabels", selector.matchLabels());
    }

    private static @Nullable Object unlessEmpty(Map<String, Object> value) {
        return value.isEmpty() ? null : value;
    }

    /// Keys and values in turn; a pair whose value is null is left out.
    static Map<String, Object> map(@Nullable Object... keysAndValues) {
        var map = new LinkedHashMap<String, Object>();
        for (var index = 0; index < keysAndValues.length; index += 2) {
            var key = keysAndValues[index];
            var value = keysAndValues[index + 1];
            if (key != null && value != null) {
                map.put(key.toString(), value);
            }
        }
        return map;
    }
}
