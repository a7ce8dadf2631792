package dev.millwright.kube.translation;

import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.SpreadConstraint.Inclusion;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// Where a pod may and would like to run.
public record PlacementTranslation(LabelTranslation labels) {

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final int WEIGHT_MAX = 100;

    /// Reads a pod's spec; the pod's own labels are what `matchLabelKeys` refers to.
    public PodPlacement placement(Field spec, SequencedMap<String, String> podLabels) {
        var selector = spec.at("nodeSelector");
        var affinity = spec.at("affinity");
        var tolerations = spec.at("tolerations");
        var spread = spec.at("topologySpreadConstraints");
        if (!selector.isPresent()
                && !affinity.isPresent()
                && !tolerations.isPresent()
                && !spread.isPresent()) {
            return PodPlacement.ANYWHERE;
        }
        return new PodPlacement(
                selector.texts(ObjectMeta.LABEL_LENGTH_MAX),
                nodeAffinity(affinity.at("nodeAffinity")),
                podAffinity(affinity.at("podAffinity"), podLabels),
                podAffinity(affinity.at("podAntiAffinity"), podLabels),
                labels.tolerations(tolerations),
                spread(spread));
    }

    private NodeAffinity nodeAffinity(Field field) {
        if (!field.isPresent()) {
            return NodeAffinity.NONE;
        }
        var preferred = new ArrayList<NodeAffinity.Preferred>();
        for (var element : field.at(PREFERRED).elements()) {
            preferred.add(
                    new NodeAffinity.Preferred(weight(element), term(element.at("preference"))));
        }
        return new NodeAffinity(nodeSelector(field.at(REQUIRED)), preferred);
    }

    /// The alternatives of a node selector.
    private List<NodeAffinity.Term> nodeSelector(Field selector) {
        var terms = new ArrayList<NodeAffinity.Term>();
        for (var term : selector.at("nodeSelectorTerms").elements()) {
            terms.add(term(term));
        }
        return terms;
    }

    /// The same as plain requirements, for volumes.
    public List<List<Requirement>> alternatives(Field selector) {
        return nodeSelector(selector).stream().map(NodeAffinity.Term::expressions).toList();
    }

    private NodeAffinity.Term term(Field term) {
        return new NodeAffinity.Term(
                labels.requirements(term.at("matchExpressions")),
                !term.at("matchFields").elements().isEmpty());
    }

    private static int weight(Field element) {
        var weight = element.at("weight");
        if (!weight.isPresent()) {
            weight.missing("a whole number from 1 to 100");
        }
        return weight.whole(1, WEIGHT_MAX, 1);
    }

    private PodAffinity podAffinity(Field field, SequencedMap<String, String> podLabels) {
        if (!field.isPresent()) {
            return PodAffinity.NONE;
        }
        var required = new ArrayList<PodAffinity.Term>();
        for (var element : field.at(REQUIRED).elements()) {
            required.add(podTerm(element, podLabels));
        }
        var preferred = new ArrayList<PodAffinity.Weighted>();
        for (var element : field.at(PREFERRED).elements()) {
            preferred.add(
                    new PodAffinity.Weighted(
                            weight(element), podTerm(element.at("podAffinityTerm"), podLabels)));
        }
        return new PodAffinity(required, preferred);
    }

    private PodAffinity.Term podTerm(Field term, SequencedMap<String, String> podLabels) {
        var selector = labels.selector(term.at("labelSelector"));
        if (selector != null) {
            selector = with(selector, term.at("matchLabelKeys"), Operator.IN, podLabels);
            selector = with(selector, term.at("mismatchLabelKeys"), Operator.NOT_IN, podLabels);
        }
        return new PodAffinity.Term(
                term.at("topologyKey")
                        .requiredText("a label key such as topology.kubernetes.io/zone"),
                selector,
                term.at("namespaces").textList(),
                labels.selector(term.at("namespaceSelector")));
    }

    /// The API server writes these keys into the selector; a hand-written pod has not met it yet.
    private static Selector with(
            Selector selector,
            Field keys,
            Operator operator,
            SequencedMap<String, String> podLabels) {
        var whole = selector;
        for (var key : keys.textList()) {
            var value = podLabels.get(key);
            if (value != null) {
                whole = whole.and(new Selector.Expression(key, operator, List.of(value)));
            }
        }
        return whole;
    }

    public List<SpreadConstraint> spread(Field field) {
        var constraints = new ArrayList<SpreadConstraint>();
        for (var element : field.elements()) {
            constraints.add(constraint(element));
        }
        return constraints;
    }

    private SpreadConstraint constraint(Field element) {
        var maxSkew = element.at("maxSkew");
        if (!maxSkew.isPresent()) {
            maxSkew.missing("a whole number of at least 1");
        }
        var minDomains = element.at("minDomains").whole(1, Integer.MAX_VALUE);
        return new SpreadConstraint(
                element.at("topologyKey")
                        .requiredText("a label key such as topology.kubernetes.io/zone"),
                maxSkew.whole(1, Integer.MAX_VALUE, 1),
                isHard(element.at("whenUnsatisfiable")),
                labels.selector(element.at("labelSelector")),
                minDomains == null ? null : Math.toIntExact(minDomains),
                inclusion(element.at("nodeTaintsPolicy"), Inclusion.IGNORE),
                inclusion(element.at("nodeAffinityPolicy"), Inclusion.HONOR),
                element.at("matchLabelKeys").textList());
    }

    private static boolean isHard(Field field) {
        var text = field.requiredText("DoNotSchedule or ScheduleAnyway");
        return switch (text) {
            case "DoNotSchedule", "" -> true;
            case "ScheduleAnyway" -> false;
            default -> {
                field.fault(
                        "found \"%s\"; wanted DoNotSchedule or ScheduleAnyway"
                                .formatted(Shortened.of(text)));
                yield true;
            }
        };
    }

    private static Inclusion inclusion(Field field, Inclusion fallback) {
        var text = field.text("");
        return switch (text) {
            case "" -> fallback;
            case "Honor" -> Inclusion.HONOR;
            case "Ignore" -> Inclusion.IGNORE;
            default -> {
                field.fault("found \"%s\"; wanted Honor or Ignore".formatted(Shortened.of(text)));
                yield fallback;
            }
        };
    }
}
