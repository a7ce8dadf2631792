package dev.millwright.kube.translation;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelSyntax;
import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodeFee;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// NodePools, by the rules of Karpenter's API server and of its own validation.
public record NodePoolTranslation(LabelTranslation labels) {

    /// What a pool refers to when a hand-written file names no class.
    public static final NodeClassRef CLASS_DEFAULT =
            new NodeClassRef("karpenter.k8s.aws", "EC2NodeClass", "default");

    private static final int WEIGHT_MAX = 100;
    private static final int MIN_VALUES_MAX = 50;
    private static final int REQUIREMENTS_MAX = 100;

    public NodePool nodePool(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        var template = spec.at("template");
        if (!template.at("spec").isPresent()) {
            template.at("spec").missing("requirements and nodeClassRef");
        }
        DisruptionRules.check(spec);
        var replicas = spec.at("replicas").whole(0, Long.MAX_VALUE);
        if (replicas != null) {
            checkStatic(spec);
        }
        return new NodePool(
                meta.name().name(),
                spec.at("weight").whole(1, WEIGHT_MAX, 0),
                spec.at("limits").resources(),
                template(template),
                replicas,
                isReady(object.at("status")),
                meta.isTerminating(),
                nodeFee(object));
    }

    private static @Nullable Double nodeFee(Field object) {
        var fee = NodeFee.of(ObjectMeta.annotations(object.at("metadata")));
        fee.problems().forEach(object::fault);
        return fee.perHour();
    }

    private static void checkStatic(Field spec) {
        if (spec.at("weight").isPresent()) {
            spec.at("weight").fault("a pool with replicas has no weight; take one of them away");
        }
        for (var entry : spec.at("limits").entries().entrySet()) {
            if (!entry.getKey().equals("nodes")) {
                entry.getValue()
                        .fault("a pool with replicas is limited by nodes alone; take this away");
            }
        }
    }

    /// Ready unless the status says otherwise: a hand-written pool has none.
    private static boolean isReady(Field status) {
        return status.at("conditions").elements().stream()
                .filter(condition -> condition.at("type").text("").equals("Ready"))
                .allMatch(condition -> condition.at("status").text("").equals("True"));
    }

    private NodePool.Template template(Field template) {
        var spec = template.at("spec");
        checkLabels(template.at("metadata").at("labels"));
        checkTaints(spec);
        DisruptionRules.duration(spec.at("expireAfter"), true);
        DisruptionRules.duration(spec.at("terminationGracePeriod"), false);
        return new NodePool.Template(
                ObjectMeta.labels(template.at("metadata")),
                ObjectMeta.annotations(template.at("metadata")),
                requirements(spec.at("requirements")),
                labels.taints(spec.at("taints")),
                labels.taints(spec.at("startupTaints")),
                nodeClassRef(spec.at("nodeClassRef")));
    }

    private static NodeClassRef nodeClassRef(Field field) {
        if (!field.isPresent()) {
            return CLASS_DEFAULT;
        }
        var group = field.at("group").requiredText("an API group such as karpenter.k8s.aws");
        if (group.contains("/")) {
            field.at("group")
                    .fault(
                            "found \"%s\"; wanted the group without a version"
                                    .formatted(Shortened.of(group)));
        }
        return new NodeClassRef(
                group,
                field.at("kind").requiredText("a kind such as EC2NodeClass"),
                field.at("name").requiredText("the name of a node class"));
    }

    private void checkLabels(Field field) {
        field.entries()
                .forEach(
                        (key, entry) -> {
                            checkKey(key, entry);
                            checkValue(entry.text(""), entry);
                        });
    }

    /// An overlay's own faults are told by its evaluation, which lays the others all the same.
    public NodeOverlay overlay(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        return new NodeOverlay(
                meta.name().name(),
                spec.at("weight").whole(1, NodeOverlay.WEIGHT_MAX, 0),
                overlayRequirements(spec.at("requirements")),
                spec.at("price").textOrNumber(),
                spec.at("priceAdjustment").textOrNumber(),
                spec.at("capacity").resources());
    }

    private List<Requirement> overlayRequirements(Field field) {
        var requirements = new ArrayList<Requirement>();
        for (var element : field.elements()) {
            var requirement = labels.requirement(element, null);
            if (requirement != null) {
                requirements.add(requirement);
            }
        }
        return requirements;
    }

    private List<Requirement> requirements(Field field) {
        var requirements = new ArrayList<Requirement>();
        var elements = field.elements();
        if (elements.size() > REQUIREMENTS_MAX) {
            field.fault(
                    "has %d elements; wanted at most %d"
                            .formatted(elements.size(), REQUIREMENTS_MAX));
        }
        for (var element : elements) {
            var minValues = element.at("minValues").whole(1, MIN_VALUES_MAX);
            var requirement =
                    labels.requirement(
                            element, minValues == null ? null : Math.toIntExact(minValues));
            if (requirement != null) {
                check(requirement, element);
                requirements.add(requirement);
            }
        }
        return requirements;
    }

    private void check(Requirement requirement, Field element) {
        checkKey(requirement.key(), element.at("key"));
        var lower = requirement.lower();
        var upper = requirement.upper();
        if ((lower != null && lower < 0) || (upper != null && upper < -1)) {
            element.at("values").fault("is below 0; wanted a whole number of at least 0");
        }
        for (var value : requirement.values()) {
            checkValue(value, element.at("values"));
        }
        checkKnownValues(requirement, element);
        var minValues = requirement.minValues();
        if (requirement.isComplement() || minValues == null) {
            return;
        }
        if (requirement.values().size() < minValues) {
            element.at("minValues")
                    .fault(
                            "asks for %d values where %d are listed; list more or ask for fewer"
                                    .formatted(minValues, requirement.values().size()));
        }
    }

    /// Some unknown values do no harm beside a known one; none known is a pool that buys nothing.
    private void checkKnownValues(Requirement requirement, Field element) {
        var known = labels.vocabulary().knownValues().get(requirement.key());
        if (known == null || requirement.operator() != Operator.IN) {
            return;
        }
        var usable = requirement.values().stream().filter(known::contains).count();
        var minValues = requirement.minValues();
        if (usable == 0) {
            element.at("values")
                    .fault(
                            "found %s, of which none is known; wanted one of %s"
                                    .formatted(
                                            Shortened.of(requirement.values().toString()), known));
        } else if (minValues != null && minValues > usable) {
            element.at("minValues")
                    .fault(
                            "asks for %d values where %d are known; wanted values of %s"
                                    .formatted(minValues, usable, known));
        }
    }

    private void checkKey(String key, Field field) {
        var vocabulary = labels.vocabulary();
        if (key.equals(LabelKeys.NODE_POOL) || vocabulary.isRestricted(key)) {
            var hint = Mismatch.hint(key, vocabulary.wellKnown(), Set.of());
            field.fault(
                    "label \"%s\" is not for pools to set%s"
                            .formatted(
                                    Shortened.of(key),
                                    hint == null || hint.equals(key)
                                            ? "; take it away"
                                            : "; maybe \"%s\"?".formatted(hint)));
        } else if (!LabelSyntax.isQualifiedName(key)) {
            field.fault(
                    "label key \"%s\" is malformed; wanted one such as example.com/team"
                            .formatted(Shortened.of(key)));
        }
    }

    private static void checkValue(String value, Field field) {
        if (!LabelSyntax.isValue(value)) {
            field.fault(
                    "label value \"%s\" is malformed; wanted at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit"
                            .formatted(Shortened.of(value)));
        }
    }

    /// A taint of one key and effect stands once, in either list.
    private void checkTaints(Field spec) {
        Map<String, String> seen = new HashMap<>();
        for (var list : List.of("taints", "startupTaints")) {
            for (var element : spec.at(list).elements()) {
                checkNames(element);
                var mark = mark(element);
                if (mark == null) {
                    continue;
                }
                var before = seen.putIfAbsent(mark, element.path());
                if (before != null) {
                    element.fault(
                            "taint %s stands in %s already; keep one of them"
                                    .formatted(Shortened.of(mark), before));
                }
            }
        }
    }

    private static void checkNames(Field taint) {
        for (var part : List.of("key", "value")) {
            var text = taint.at(part).text("");
            if (!text.isEmpty() && !LabelSyntax.isQualifiedName(text)) {
                taint.at(part)
                        .fault(
                                "found \"%s\"; wanted a name such as example.com/team"
                                        .formatted(Shortened.of(text)));
            }
        }
    }

    private static @Nullable String mark(Field taint) {
        var key = taint.at("key").text();
        var effect = taint.at("effect").text();
        return key == null || effect == null ? null : key + ":" + effect;
    }
}
