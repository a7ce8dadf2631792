package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.nodePool;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Labels, annotations, taints and node class of a pool.
@ExtendWith(AdmissionExtension.class)
final class NodePoolTemplateIT {
    private static final String LABELS = "template.metadata.labels";
    private static final String CLASS = "template.spec.nodeClassRef";

    private final Admission admission;

    NodePoolTemplateIT(Admission admission) {
        this.admission = admission;
    }

    private static Sample label(String key, String value) {
        return nodePool().with(LABELS, Map.of(key, value));
    }

    private static Sample labels(int count) {
        var labels = new TreeMap<String, String>();
        IntStream.range(0, count).forEach(index -> labels.put("label-" + index, "x"));
        return nodePool().with(LABELS, labels);
    }

    private static Sample taint(String field, String taint) {
        return nodePool().with("template.spec." + field, yaml("[%s]".formatted(taint)));
    }

    @Tag("L24")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{key: a, effect: NoSchedule}",
                "{key: a, value: b, effect: NoSchedule}",
                "{key: a, value: b, effect: PreferNoSchedule}",
                "{key: a, value: b, effect: NoExecute}",
                "{key: example.com/a, value: example.com/b, effect: NoExecute}",
                "{key: a, effect: NoExecute, timeAdded: '2026-01-01T00:00:00Z'}",
                "{key: a, effect: NoSchedule}, {key: a, effect: NoExecute}",
            })
    void taintsHaveKeyValueAndEffect(String taints) {
        admission.accepts(taint("taints", taints));
        admission.accepts(taint("startupTaints", taints));
    }

    @Tag("L25")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#QUALIFIED_NAMES")
    void aTaintsKeyAndValueAreQualifiedNames(String name) {
        admission.accepts(
                taint(
                        "taints",
                        "{key: '%s', value: '%s', effect: NoSchedule}".formatted(name, name)));
    }

    @Tag("L26")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_QUALIFIED_NAMES")
    void aTaintsKeyIsNothingElse(String name) {
        var taint = "{key: '%s', effect: NoSchedule}".formatted(name);

        admission.refuses(taint("taints", taint), "spec.template.spec.taints[0].key");
        admission.refuses(taint("startupTaints", taint), "spec.template.spec.startupTaints[0].key");
    }

    @Tag("L27")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_QUALIFIED_NAMES")
    void aTaintsValueIsNothingElseAndNotEmpty(String name) {
        var taint = "{key: a, value: '%s', effect: NoSchedule}".formatted(name);

        admission.refuses(taint("taints", taint), "spec.template.spec.taints[0].value");
        admission.refuses(
                taint("startupTaints", taint), "spec.template.spec.startupTaints[0].value");
    }

    @Tag("L28")
    @ParameterizedTest
    @ValueSource(strings = {"{effect: NoSchedule}", "{key: a}", "{key: a, value: b}"})
    void aTaintHasKeyAndEffect(String taint) {
        admission.refuses(taint("taints", taint), "Required value");
        admission.refuses(taint("startupTaints", taint), "Required value");
    }

    @Tag("L29")
    @ParameterizedTest
    @ValueSource(strings = {"''", "anything", "noschedule", "NoExecution"})
    void aTaintHasNoOtherEffect(String effect) {
        var taint = "{key: a, effect: %s}".formatted(effect);

        admission.refuses(taint("taints", taint), "spec.template.spec.taints[0].effect");
        admission.refuses(
                taint("startupTaints", taint), "spec.template.spec.startupTaints[0].effect");
    }

    @Tag("L30")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#FREE_KEYS")
    void aPoolsLabelsAreTheUsersChoice(String key) {
        admission.accepts(label(key, "value"));
    }

    @Tag("L31")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#KUBERNETES_KEYS")
    void aPoolsLabelsMayBeOfKubernetesDomains(String key) {
        admission.accepts(label(key, "value"));
    }

    @Tag("L32")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#WELL_KNOWN_KEYS")
    void aPoolsLabelsMayBeWellKnown(String key) {
        admission.accepts(label(key, "value"));
    }

    @Tag("L33")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#RESERVED_KEYS")
    void aPoolsLabelsAreNotOfTheControllersDomain(String key) {
        admission.refuses(label(key, "value"), "labels of the domain karpenter.sh belong");
    }

    @Tag("L34")
    @Test
    void aPoolDoesNotLabelItsOwnName() {
        admission.refuses(label("karpenter.sh/nodepool", "a"), "the label karpenter.sh/nodepool");
    }

    @Tag("L35")
    @Test
    void aPoolDoesNotLabelHostNames() {
        admission.refuses(label("kubernetes.io/hostname", "a"), "the label kubernetes.io/hostname");
    }

    @Tag("L36")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "A-b_c.9",
                "123456789-123456789-123456789-123456789-123456789-123456789-123"
            })
    void aLabelsValueMayBeEmpty(String value) {
        admission.accepts(label("a", value));
    }

    @Tag("L37")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "a/b",
                "-a",
                "a.",
                "a b",
                "1234567890123456789012345678901234567890123456789012345678901234"
            })
    void aLabelsValueIsNothingElse(String value) {
        admission.refuses(label("a", value), "spec.template.metadata.labels.a");
    }

    @Tag("L38")
    @Test
    void aPoolHasAHundredLabelsAtMost() {
        admission.accepts(labels(100));
        admission.refuses(labels(101), "at most 100 items");
    }

    @Tag("L39")
    @Test
    void annotationsAreFree() {
        admission.accepts(
                nodePool()
                        .with(
                                "template.metadata.annotations",
                                Map.of("karpenter.sh/anything", "any thing!", "a", "")));
    }

    @Tag("L40")
    @ParameterizedTest
    @ValueSource(strings = {"group", "kind", "name"})
    void theNodeClassIsNamedInFull(String field) {
        admission.refuses(nodePool().without(CLASS + "." + field), "Required value");
        admission.refuses(nodePool().with(CLASS + "." + field, ""), field + " is empty");
    }

    @Tag("L41")
    @Test
    void theNodeClassIsNeeded() {
        admission.refuses(nodePool().without(CLASS), CLASS, "Required value");
    }

    @Tag("L42")
    @Test
    void theGroupOfTheNodeClassHasNoVersion() {
        admission.refuses(
                nodePool().with(CLASS + ".group", "karpenter.kwok.sh/v1alpha1"), CLASS + ".group");
    }

    @Tag("L43")
    @ParameterizedTest
    @ValueSource(strings = {"group", "kind"})
    void theKindOfNodeClassNeverChanges(String field) {
        admission.refusesChange(
                nodePool(),
                pool -> pool.with(CLASS + "." + field, "other"),
                field + " may not change");
    }

    @Tag("L44")
    @Test
    void anotherNodeClassOfTheSameKindMayBeNamed() {
        admission.acceptsChange(nodePool(), pool -> pool.with(CLASS + ".name", "other"));
    }

    @Tag("L45")
    @Test
    void specTemplateAndItsSpecAreNeeded() {
        admission.refuses(nodePool().bare(), "spec: Required value");
        admission.refuses(nodePool().without("template"), "spec.template: Required value");
        admission.refuses(
                nodePool().without("template.spec"), "spec.template.spec: Required value");
    }

    @Tag("L100")
    @Test
    void aPoolDoesNotRequireItsOwnName() {
        admission.refuses(
                nodePool().requiring("[{key: karpenter.sh/nodepool, operator: Exists}]"),
                "karpenter.sh/nodepool is set to the name of the pool");
    }
}
