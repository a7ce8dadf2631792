package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.label.Selector;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The pods of a plan in the order they are tried, told apart by class. Equal parts of pods get
/// equal numbers first, so that each part is compared once (`FirstFitBenchmark`).
final class PodBatch {

    /// A class before any pass: one of its pods, its labels as selectors see them, what it asks
    /// for, and its volumes.
    record ClassSeed(
            Pod sample,
            Map<String, String> labels,
            long[] requests,
            PodVolumes volumes,
            boolean isFreeToMove) {}

    /// What tells a class apart, by the numbers of its parts.
    private record ClassKey(
            int labels,
            int placement,
            int requests,
            List<HostPort> hostPorts,
            @Nullable String uniqueUid,
            boolean hasResourceClaims,
            boolean isFreeToMove) {}

    private final Pod[] pods;
    private final int[] requestsOf;
    private final List<Resources> requests;
    private final int[] classOf;
    private final List<ClassSeed> classes = new ArrayList<>();

    private PodBatch(Pod[] pods, int[] requestsOf, List<Resources> requests) {
        this.pods = pods;
        this.requestsOf = requestsOf;
        this.requests = requests;
        this.classOf = new int[pods.length];
    }

    /// Orders the pods: most cpu first, then most memory, then the oldest.
    static PodBatch of(Pod[] unordered) {
        var numbers = new HashMap<Resources, Integer>();
        var requests = new ArrayList<Resources>();
        var requestsOf = new int[unordered.length];
        for (var index = 0; index < unordered.length; index++) {
            requestsOf[index] =
                    numbers.computeIfAbsent(
                            unordered[index].requests(),
                            own -> {
                                requests.add(own);
                                return requests.size() - 1;
                            });
        }
        var ranks = ranks(requests);
        var order = new Integer[unordered.length];
        Arrays.setAll(order, index -> index);
        Arrays.sort(
                order,
                (one, other) -> {
                    var byRank = Integer.compare(ranks[requestsOf[one]], ranks[requestsOf[other]]);
                    return byRank != 0 ? byRank : compareAge(unordered[one], unordered[other]);
                });
        var pods = new Pod[order.length];
        var sortedRequests = new int[order.length];
        for (var index = 0; index < order.length; index++) {
            pods[index] = unordered[order[index]];
            sortedRequests[index] = requestsOf[order[index]];
        }
        return new PodBatch(pods, sortedRequests, requests);
    }

    private static int compareAge(Pod one, Pod other) {
        var byAge = one.createdAt().compareTo(other.createdAt());
        if (byAge == 0) {
            byAge = one.uid().compareTo(other.uid());
        }
        return byAge != 0 ? byAge : one.name().compareTo(other.name());
    }

    /// The place of each amount in the order of the queue; the same for amounts that differ only in
    /// other resources.
    private static int[] ranks(List<Resources> requests) {
        Comparator<Resources> order =
                Comparator.comparing((Resources amounts) -> amounts.amount(Resources.CPU))
                        .thenComparing(amounts -> amounts.amount(Resources.MEMORY))
                        .reversed();
        var sorted = new Integer[requests.size()];
        Arrays.setAll(sorted, index -> index);
        Arrays.sort(sorted, (one, other) -> order.compare(requests.get(one), requests.get(other)));
        var ranks = new int[sorted.length];
        for (var index = 1; index < sorted.length; index++) {
            var isSame =
                    order.compare(requests.get(sorted[index - 1]), requests.get(sorted[index]))
                            == 0;
            ranks[sorted[index]] = ranks[sorted[index - 1]] + (isSame ? 0 : 1);
        }
        return ranks;
    }

    /// Tells the pods apart. Called once, when the units of the resources are known.
    void classify(
            Residents residents,
            RequirementSpace space,
            ResourceSpace resources,
            VolumeReader volumes) {
        var placements = placementNumbers();
        var labels = new LabelNumbers(selectorKeys(placements.keySet(), residents));
        var counts = requests.stream().map(resources::demand).toList();
        var numbers = new HashMap<ClassKey, Integer>();
        for (var index = 0; index < pods.length; index++) {
            var pod = pods[index];
            var isFree =
                    pod.state().phase() == PodState.Phase.PENDING
                            || residents.goingNodes().contains(pod.state().nodeName());
            var requestsNumber = requestsOf[index];
            var key =
                    new ClassKey(
                            labels.number(pod),
                            placements.getOrDefault(pod.placement(), -1),
                            requestsNumber,
                            pod.hostPorts(),
                            pod.volumes().isEmpty() ? null : pod.uid(),
                            pod.hasResourceClaims(),
                            isFree);
            var known = numbers.get(key);
            if (known == null) {
                known = classes.size();
                numbers.put(key, known);
                classes.add(
                        new ClassSeed(
                                pod,
                                labels.seen(pod),
                                counts.get(requestsNumber),
                                volumes.read(pod, space),
                                isFree));
            }
            classOf[index] = known;
        }
    }

    /// Placements by identity, equal ones with the same number.
    private Map<PodPlacement, Integer> placementNumbers() {
        var equal = new HashMap<PodPlacement, Integer>();
        var numbers = new IdentityHashMap<PodPlacement, Integer>();
        for (var pod : pods) {
            if (!numbers.containsKey(pod.placement())) {
                numbers.put(
                        pod.placement(), equal.computeIfAbsent(pod.placement(), _ -> equal.size()));
            }
        }
        return numbers;
    }

    /// Numbers namespaces and labels, as far as selectors look at them.
    private static final class LabelNumbers {
        private final String[] keys;
        private final Map<List<@Nullable String>, Integer> numbers = new HashMap<>();

        LabelNumbers(Set<String> keys) {
            this.keys = keys.toArray(String[]::new);
        }

        int number(Pod pod) {
            var values = new @Nullable String[keys.length + 1];
            for (var index = 0; index < keys.length; index++) {
                values[index] = pod.labels().get(keys[index]);
            }
            values[keys.length] = pod.name().namespace();
            return numbers.computeIfAbsent(Arrays.asList(values), _ -> numbers.size());
        }

        Map<String, String> seen(Pod pod) {
            var seen = new TreeMap<String, String>();
            for (var key : keys) {
                var value = pod.labels().get(key);
                if (value != null) {
                    seen.put(key, value);
                }
            }
            return seen;
        }
    }

    /// Labels that no selector looks at cannot tell two pods apart.
    private static Set<String> selectorKeys(Set<PodPlacement> placements, Residents residents) {
        var keys = new TreeSet<>(residents.keysKeptAway());
        placements.forEach(placement -> addSelectorKeys(placement, keys));
        return keys;
    }

    private static void addSelectorKeys(PodPlacement placement, Set<String> keys) {
        for (var constraint : placement.spread()) {
            addKeys(constraint.selector(), keys);
            keys.addAll(constraint.matchLabelKeys());
        }
        for (var affinity : List.of(placement.podAffinity(), placement.podAntiAffinity())) {
            affinity.required().forEach(term -> addKeys(term.selector(), keys));
            affinity.preferred().forEach(weighted -> addKeys(weighted.term().selector(), keys));
        }
    }

    private static void addKeys(@Nullable Selector selector, Set<String> keys) {
        if (selector != null) {
            keys.addAll(selector.keys());
        }
    }

    int size() {
        return pods.length;
    }

    Pod pod(int index) {
        return pods[index];
    }

    int classOf(int index) {
        return classOf[index];
    }

    List<ClassSeed> classes() {
        return classes;
    }

    /// The different amounts that pods ask for.
    List<Resources> requests() {
        return requests;
    }
}
