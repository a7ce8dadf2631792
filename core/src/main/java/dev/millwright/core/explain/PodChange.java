package dev.millwright.core.explain;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// A change to the pod that waits.
public sealed interface PodChange extends Change {

    Pod on(Pod pod);

    /// The label was meant to be another.
    record RenameLabel(String from, String to) implements PodChange {
        @Override
        public String topic() {
            return "label " + from;
        }

        @Override
        public double effort() {
            return Effort.MEND;
        }

        @Override
        public String describe() {
            return "ask for label %s instead of %s".formatted(to, from);
        }

        @Override
        public Pod on(Pod pod) {
            var renamed =
                    withAffinity(
                            pod.placement(),
                            expression ->
                                    expression.key().equals(from)
                                            ? under(expression, to)
                                            : expression);
            var selector = new TreeMap<>(renamed.nodeSelector());
            var value = selector.remove(from);
            if (value != null) {
                selector.put(to, value);
            }
            return pod.withPlacement(renamed.withNodeSelector(selector));
        }

        private static Requirement under(Requirement expression, String key) {
            return expression.lower() == null && expression.upper() == null
                    ? Requirement.of(key, expression.operator(), null, expression.values())
                    : expression; // A number under another label means something else.
        }
    }

    /// Asks for another value of a label: the one that was meant, when the value asked for is known
    /// nowhere, else one that there is.
    record UseValue(String key, String value, boolean isMend) implements PodChange {
        @Override
        public String topic() {
            return "label " + key;
        }

        @Override
        public double effort() {
            return isMend ? Effort.MEND + 0.02 : Effort.POD + 0.02;
        }

        @Override
        public String describe() {
            return "ask for %s=%s".formatted(key, value);
        }

        @Override
        public Pod on(Pod pod) {
            var placement =
                    withAffinity(
                            pod.placement(),
                            expression ->
                                    expression.key().equals(key)
                                            ? Requirement.in(key, value)
                                            : expression);
            var selector = new TreeMap<>(placement.nodeSelector());
            selector.computeIfPresent(key, (_, _) -> value);
            return pod.withPlacement(placement.withNodeSelector(selector));
        }
    }

    /// @param mistyped a toleration that was perhaps meant for the taint; null where there is none
    record Tolerate(Taint taint, @Nullable Toleration mistyped) implements PodChange {
        public Tolerate(Taint taint) {
            this(taint, null);
        }

        @Override
        public String topic() {
            return "taint " + taint.key();
        }

        @Override
        public double effort() {
            return mistyped == null
                    ? Effort.POD + (Isolation.isStrict(taint) ? 0.01 : 0)
                    : Effort.MEND + 0.03;
        }

        @Override
        public String describe() {
            return "tolerate taint %s%s"
                    .formatted(
                            taint,
                            mistyped == null
                                    ? ""
                                    : " instead of %s%s"
                                            .formatted(
                                                    mistyped.key(),
                                                    mistyped.value().isEmpty()
                                                            ? ""
                                                            : "=" + mistyped.value()));
        }

        @Override
        public Pod on(Pod pod) {
            var tolerations = new ArrayList<>(pod.placement().tolerations());
            tolerations.removeIf(each -> each.equals(mistyped));
            tolerations.add(
                    new Toleration(
                            taint.key(), Toleration.Match.EQUAL, taint.value(), taint.effect()));
            return pod.withPlacement(pod.placement().withTolerations(tolerations));
        }
    }

    /// Ask for less. `requests` are the pod's whole amounts of the resources it names.
    record AskForLess(Resources requests, double share) implements PodChange {
        @Override
        public String topic() {
            return "requests";
        }

        /// The more is given up the later: a request that is cut by more than half comes after a
        /// label that is given up.
        @Override
        public double effort() {
            return Effort.POD + 0.04 + Math.min(share, 1) / 10;
        }

        @Override
        public String describe() {
            return requests.amounts().entrySet().stream()
                    .map(
                            entry ->
                                    entry.getValue().isZero()
                                            ? "ask for no " + entry.getKey()
                                            : "ask for at most %s of %s"
                                                    .formatted(
                                                            Resources.render(
                                                                    entry.getKey(),
                                                                    entry.getValue()),
                                                            entry.getKey()))
                    .collect(Collectors.joining(" and "));
        }

        @Override
        public Pod on(Pod pod) {
            return pod.withRequests(pod.requests().overriddenBy(requests));
        }
    }

    /// Gives up everything the pod asks of a label.
    record DropDemand(String key) implements PodChange {
        @Override
        public String topic() {
            return "label " + key;
        }

        @Override
        public double effort() {
            return Effort.POD + 0.09;
        }

        @Override
        public String describe() {
            return "ask nothing of label %s".formatted(key);
        }

        @Override
        public Pod on(Pod pod) {
            var terms = new ArrayList<NodeAffinity.Term>();
            for (var term : pod.placement().nodeAffinity().required()) {
                var kept =
                        term.expressions().stream()
                                .filter(expression -> !expression.key().equals(key))
                                .toList();
                if (!kept.isEmpty() || term.hasMatchFields()) {
                    terms.add(new NodeAffinity.Term(kept, term.hasMatchFields()));
                }
            }
            var selector = new TreeMap<>(pod.placement().nodeSelector());
            selector.remove(key);
            return pod.withPlacement(
                    pod.placement()
                            .withNodeSelector(selector)
                            .withNodeAffinity(
                                    new NodeAffinity(
                                            terms, pod.placement().nodeAffinity().preferred())));
        }
    }

    /// Makes a rule about spreading over a label a wish.
    record LoosenSpread(String topologyKey) implements PodChange {
        @Override
        public String topic() {
            return "spread " + topologyKey;
        }

        @Override
        public double effort() {
            return Effort.POD + 0.05;
        }

        @Override
        public String describe() {
            return "spread over %s with whenUnsatisfiable: ScheduleAnyway".formatted(topologyKey);
        }

        @Override
        public Pod on(Pod pod) {
            return pod.withPlacement(
                    pod.placement()
                            .withSpread(
                                    pod.placement().spread().stream()
                                            .map(this::loosened)
                                            .toList()));
        }

        private SpreadConstraint loosened(SpreadConstraint constraint) {
            return constraint.topologyKey().equals(topologyKey) ? constraint.asWish() : constraint;
        }
    }

    /// Which of a pod's wishes about other pods is meant.
    enum Neighbours {
        NEAR("podAffinity"),
        FAR("podAntiAffinity");

        private final String field;

        Neighbours(String field) {
            this.field = field;
        }

        public String field() {
            return field;
        }
    }

    /// Gives up what is required of other pods over a label.
    record DropNeighbours(Neighbours neighbours, String topologyKey) implements PodChange {
        @Override
        public String topic() {
            return neighbours.field() + " " + topologyKey;
        }

        @Override
        public double effort() {
            return Effort.POD + 0.07;
        }

        @Override
        public String describe() {
            return "require no %s over %s".formatted(neighbours.field(), topologyKey);
        }

        @Override
        public Pod on(Pod pod) {
            var placement = pod.placement();
            return pod.withPlacement(
                    switch (neighbours) {
                        case NEAR -> placement.withPodAffinity(without(placement.podAffinity()));
                        case FAR ->
                                placement.withPodAntiAffinity(without(placement.podAntiAffinity()));
                    });
        }

        private PodAffinity without(PodAffinity affinity) {
            return new PodAffinity(
                    affinity.required().stream()
                            .filter(term -> !term.topologyKey().equals(topologyKey))
                            .toList(),
                    affinity.preferred());
        }
    }

    /// Takes none of the node's ports.
    record DropHostPorts(List<Integer> ports) implements PodChange {
        public DropHostPorts {
            ports = List.copyOf(ports);
        }

        public static DropHostPorts of(Pod pod) {
            return new DropHostPorts(
                    pod.hostPorts().stream().map(HostPort::port).sorted().distinct().toList());
        }

        @Override
        public String topic() {
            return "host ports";
        }

        @Override
        public double effort() {
            return Effort.POD + 0.17;
        }

        @Override
        public String describe() {
            return "take no hostPort (found %s)".formatted(ports);
        }

        @Override
        public Pod on(Pod pod) {
            return pod.withHostPorts(List.of());
        }
    }

    private static PodPlacement withAffinity(
            PodPlacement placement, UnaryOperator<Requirement> change) {
        var affinity = placement.nodeAffinity();
        var terms =
                affinity.required().stream()
                        .map(
                                term ->
                                        new NodeAffinity.Term(
                                                term.expressions().stream().map(change).toList(),
                                                term.hasMatchFields()))
                        .toList();
        return placement.withNodeAffinity(new NodeAffinity(terms, affinity.preferred()));
    }
}
