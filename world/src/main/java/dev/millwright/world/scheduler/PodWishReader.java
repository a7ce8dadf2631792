package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Selector;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.PodVolumes;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.scheduler.PodWish.PodTerm;
import dev.millwright.world.scheduler.PodWish.PodTerms;
import dev.millwright.world.scheduler.PodWish.Spread;
import dev.millwright.world.scheduler.PodWish.WeightedNodes;
import dev.millwright.world.scheduler.PodWish.WeightedPods;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads what a pod asks for.
final class PodWishReader {

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    /// What a container without requests is taken for when nodes are compared.
    private static final Quantity SCORED_CPU = Quantity.ofMillis(100);

    private static final Quantity SCORED_MEMORY = Quantity.ofUnits(200L << 20);

    private PodWishReader() {}

    static PodWish read(PodFacts pod) {
        var spec = pod.spec();
        var affinity = Reading.mapping(spec, "affinity");
        var nodeAffinity = Reading.mapping(affinity, "nodeAffinity");
        var required =
                Reading.at(nodeAffinity, REQUIRED) instanceof Value.Mapping found ? found : null;
        var preferred = new ArrayList<WeightedNodes>();
        for (var term : Reading.list(nodeAffinity, PREFERRED)) {
            preferred.add(
                    new WeightedNodes(
                            Reading.number(1, term, "weight"),
                            NodeTerm.of(Reading.mapping(term, "preference"))));
        }
        var requests = requests(spec, Map.of());
        requests.put(Resources.PODS, Quantity.ONE);
        var scored =
                requests(spec, Map.of(Resources.CPU, SCORED_CPU, Resources.MEMORY, SCORED_MEMORY));
        return new PodWish(
                pod.name().namespace(),
                pod.labels(),
                Reading.number(0, spec, "priority"),
                !Reading.text(spec, "preemptionPolicy").equals("Never"),
                requests,
                new ResourceIndex().amounts(scored)[ResourceIndex.CPU],
                scored.getOrDefault(Resources.MEMORY, Quantity.ZERO).units(),
                Reading.texts(spec, "nodeSelector"),
                required == null ? null : NodeTerm.list(required),
                preferred,
                Reading.tolerations(spec, "tolerations"),
                terms(affinity, "podAffinity", pod),
                terms(affinity, "podAntiAffinity", pod),
                spread(spec, pod),
                ports(spec),
                PodVolumes.claims(pod.name(), spec),
                pod.controller() == null ? "" : pod.controller().uid());
    }

    private static PodTerms terms(Value.Mapping affinity, String field, PodFacts pod) {
        if (!(Reading.at(affinity, field) instanceof Value.Mapping found)) {
            return PodTerms.NONE;
        }
        var required = new ArrayList<PodTerm>();
        for (var term : Reading.list(found, REQUIRED)) {
            required.add(term(term, pod));
        }
        var preferred = new ArrayList<WeightedPods>();
        for (var term : Reading.list(found, PREFERRED)) {
            preferred.add(
                    new WeightedPods(
                            Reading.number(1, term, "weight"),
                            term(Reading.mapping(term, "podAffinityTerm"), pod)));
        }
        return new PodTerms(required, preferred);
    }

    private static PodTerm term(Value value, PodFacts pod) {
        var selector = Reading.selector(value, "labelSelector");
        if (selector != null) {
            selector = keyed(selector, value, "matchLabelKeys", Operator.IN, pod);
            selector = keyed(selector, value, "mismatchLabelKeys", Operator.NOT_IN, pod);
        }
        var namespaces = Reading.textList(value, "namespaces");
        var namespaceSelector = Reading.selector(value, "namespaceSelector");
        return new PodTerm(
                Reading.text(value, "topologyKey"),
                selector,
                namespaces.isEmpty() && namespaceSelector == null
                        ? List.of(pod.name().namespace())
                        : namespaces,
                namespaceSelector);
    }

    private static Selector keyed(
            Selector selector, Value value, String field, Operator operator, PodFacts pod) {
        var whole = selector;
        for (var key : Reading.textList(value, field)) {
            var label = pod.labels().get(key);
            if (label != null) {
                whole = whole.and(new Selector.Expression(key, operator, List.of(label)));
            }
        }
        return whole;
    }

    private static List<Spread> spread(Value.Mapping spec, PodFacts pod) {
        var constraints = new ArrayList<Spread>();
        for (var value : Reading.list(spec, "topologySpreadConstraints")) {
            var selector = Reading.selector(value, "labelSelector");
            constraints.add(
                    new Spread(
                            Reading.text(value, "topologyKey"),
                            Reading.number(1, value, "maxSkew"),
                            !Reading.text(value, "whenUnsatisfiable").equals("ScheduleAnyway"),
                            selector == null
                                    ? null
                                    : keyed(selector, value, "matchLabelKeys", Operator.IN, pod),
                            Reading.number(1, value, "minDomains"),
                            !Reading.text(value, "nodeAffinityPolicy").equals("Ignore"),
                            Reading.text(value, "nodeTaintsPolicy").equals("Honor")));
        }
        return constraints;
    }

    private static List<HostPort> ports(Value.Mapping spec) {
        var isOnHost = Reading.isTrue(spec, "hostNetwork");
        var ports = new ArrayList<HostPort>();
        for (var container : Reading.list(spec, "containers")) {
            for (var port : Reading.list(container, "ports")) {
                var stated = Reading.number(0, port, "hostPort");
                var number =
                        stated == 0 && isOnHost ? Reading.number(0, port, "containerPort") : stated;
                if (number > 0) {
                    ports.add(
                            new HostPort(
                                    Reading.text(port, "hostIP"),
                                    number,
                                    Reading.text(port, "protocol")));
                }
            }
        }
        return ports;
    }

    /// What the pod needs at its largest moment: its containers and sidecars together, or one init
    /// container beside the sidecars before it. `fallback` is what a container is taken for that
    /// does not say.
    private static Map<String, Quantity> requests(
            Value.Mapping spec, Map<String, Quantity> fallback) {
        var running = new TreeMap<String, Quantity>();
        for (var container : Reading.list(spec, "containers")) {
            add(running, request(container, fallback));
        }
        var sidecars = new TreeMap<String, Quantity>();
        var starting = new TreeMap<String, Quantity>();
        for (var init : Reading.list(spec, "initContainers")) {
            var request = request(init, fallback);
            if (Reading.text(init, "restartPolicy").equals("Always")) {
                add(running, request);
                add(sidecars, request);
                raise(starting, sidecars);
            } else {
                add(request, sidecars);
                raise(starting, request);
            }
        }
        raise(running, starting);
        podLevel(spec, running);
        add(running, Reading.resources(spec, "overhead").amounts());
        return running;
    }

    private static void podLevel(Value.Mapping spec, Map<String, Quantity> total) {
        if (Reading.at(spec, "resources") != null) {
            var requests = Reading.resources(spec, "resources", "requests").amounts();
            Reading.resources(spec, "resources", "limits")
                    .amounts()
                    .forEach(
                            (name, limit) -> {
                                if (!requests.containsKey(name) && !total.containsKey(name)) {
                                    total.put(name, limit);
                                }
                            });
            total.putAll(requests);
        }
    }

    private static Map<String, Quantity> request(Value container, Map<String, Quantity> fallback) {
        var request = new TreeMap<>(Reading.resources(container, "resources", "limits").amounts());
        request.putAll(Reading.resources(container, "resources", "requests").amounts());
        fallback.forEach(request::putIfAbsent);
        return request;
    }

    private static void add(Map<String, Quantity> to, Map<String, Quantity> more) {
        more.forEach((name, amount) -> to.merge(name, amount, Quantity::plus));
    }

    private static void raise(Map<String, Quantity> to, Map<String, Quantity> least) {
        least.forEach((name, amount) -> to.merge(name, amount, Quantity::max));
    }

    /// Null where nothing selects the pods of a workload.
    static @Nullable Selector both(@Nullable Selector one, @Nullable Selector other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        var labels = new TreeMap<>(one.matchLabels());
        labels.putAll(other.matchLabels());
        var expressions = new ArrayList<>(one.expressions());
        expressions.addAll(other.expressions());
        return new Selector(labels, expressions);
    }
}
