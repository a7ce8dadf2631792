package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.yaml;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// What holds for the requirements of pools, claims and overlays alike.
@ExtendWith(AdmissionExtension.class)
@ParameterizedClass
@MethodSource("kinds")
final class RequirementsIT {

    private final Sample sample;
    private final Admission admission;

    RequirementsIT(Sample sample, Admission admission) {
        this.sample = sample;
        this.admission = admission;
    }

    static List<Sample> kinds() {
        return List.of(Sample.nodePool(), Sample.nodeClaim(), Sample.nodeOverlay());
    }

    private Sample key(String key) {
        return sample.requiring(List.of(Map.of("key", key, "operator", "Exists")));
    }

    @Tag("L46")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#QUALIFIED_NAMES")
    void aKeyIsAQualifiedName(String key) {
        admission.accepts(key(key));
    }

    @Tag("L47")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_QUALIFIED_NAMES")
    void aKeyIsNothingElse(String key) {
        admission.refuses(key(key), "requirements[0].key");
    }

    @Tag("L48")
    @Test
    void aKeyIsOf316CharactersAtMost() {
        admission.accepts(key("a".repeat(252) + "/" + "b".repeat(63)));
        admission.refuses(key("a".repeat(252) + "/" + "b".repeat(64)), "316");
    }

    @Tag("L49")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#FREE_KEYS")
    void aKeyMayBeTheUsersOwn(String key) {
        admission.accepts(key(key));
    }

    @Tag("L50")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#KUBERNETES_KEYS")
    void aKeyMayBeOfAKubernetesDomain(String key) {
        admission.accepts(key(key));
    }

    @Tag("L51")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#WELL_KNOWN_KEYS")
    void aKeyMayBeWellKnown(String key) {
        admission.accepts(key(key));
    }

    @Tag("L52")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#RESERVED_KEYS")
    void aKeyIsNotOfTheControllersDomain(String key) {
        admission.refuses(key(key), "keys of the domain karpenter.sh belong to the controller");
    }

    @Tag("L53")
    @Test
    void aKeyIsNotTheHostName() {
        admission.refuses(key("kubernetes.io/hostname"), "kubernetes.io/hostname is not known");
    }

    @Tag("L54")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{key: a, operator: In, values: [b]}",
                "{key: a, operator: NotIn, values: [b]}",
                "{key: a, operator: Exists}",
                "{key: a, operator: DoesNotExist}",
                "{key: a, operator: Gt, values: ['1']}",
                "{key: a, operator: Lt, values: ['1']}",
                "{key: a, operator: Gte, values: ['1']}",
                "{key: a, operator: Lte, values: ['1']}",
            })
    void thereAreEightOperators(String requirement) {
        admission.accepts(sample.requiring("[%s]".formatted(requirement)));
    }

    @Tag("L55")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_OPERATORS")
    void thereIsNoOtherOperator(String operator) {
        admission.refuses(
                sample.requiring(List.of(Map.of("key", "a", "operator", operator))),
                "requirements[0].operator");
    }

    @Tag("L56")
    @ParameterizedTest
    @ValueSource(strings = {"{key: a}", "{operator: Exists}", "{values: [a]}"})
    void aRequirementHasKeyAndOperator(String requirement) {
        admission.refuses(sample.requiring("[%s]".formatted(requirement)), "Required value");
    }

    @Tag("L57")
    @ParameterizedTest
    @ValueSource(strings = {"{key: a, operator: In}", "{key: a, operator: In, values: []}"})
    void inWantsAValue(String requirement) {
        admission.refuses(
                sample.requiring("[%s]".formatted(requirement)),
                "operator In wants at least one value");
    }

    @Tag("L58")
    @ParameterizedTest
    @ValueSource(strings = {"['0']", "['1']", "['007']", "['9223372036854775807']"})
    void aComparisonWantsOneWholeNumber(String values) {
        admission.accepts(comparing("Gt", values));
        admission.accepts(comparing("Lt", values));
        admission.accepts(comparing("Gte", values));
        admission.accepts(comparing("Lte", values));
    }

    @Tag("L59")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "['']",
                "['1', '2']",
                "['-1']",
                "['1.5']",
                "[a]",
                "['9223372036854775808']",
            })
    void aComparisonWantsNothingElse(String values) {
        var wanted = "want exactly one value, an integer of 0 or more";

        admission.refuses(comparing("Gt", values), wanted);
        admission.refuses(comparing("Lt", values), wanted);
        admission.refuses(comparing("Gte", values), wanted);
        admission.refuses(comparing("Lte", values), wanted);
    }

    private Sample comparing(String operator, String values) {
        return sample.requiring(
                List.of(Map.of("key", "a", "operator", operator, "values", yaml(values))));
    }

    @Tag("L60")
    @Test
    void aComparisonWithoutValuesIsRefused() {
        admission.refuses(sample.requiring("[{key: a, operator: Gt}]"), "want exactly one value");
    }

    /// The controller looks at values; the definition does not.
    @Tag("L61")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{key: a, operator: In, values: ['not a label value!']}",
                "{key: a, operator: Exists, values: [b]}",
                "{key: a, operator: DoesNotExist, values: [b]}",
                "{key: karpenter.sh/capacity-type, operator: In, values: [unheard-of]}",
            })
    void valuesAreNotLookedAt(String requirement) {
        admission.accepts(sample.requiring("[%s]".formatted(requirement)));
    }

    @Tag("L62")
    @Test
    void aKeyMayBeRequiredTwice() {
        admission.accepts(
                sample.requiring(
                        """
                        - {key: topology.kubernetes.io/zone, operator: In, values: [a, b]}
                        - {key: topology.kubernetes.io/zone, operator: NotIn, values: [b]}
                        """));
    }

    @Tag("L63")
    @Test
    void thereMayBeNoRequirementAtAll() {
        admission.accepts(sample.requiring("[]"));
    }

    @Tag("L64")
    @Test
    void theListOfRequirementsIsNeeded() {
        admission.refuses(sample.requiring(null), "requirements: Required value");
    }

    @Tag("L65")
    @Test
    void thereAreAHundredRequirementsAtMost() {
        var requirement = yaml("{key: a, operator: Exists}");

        admission.accepts(sample.requiring(Collections.nCopies(100, requirement)));
        admission.refuses(
                sample.requiring(Collections.nCopies(101, requirement)), "at most 100 items");
    }

    @Tag("L66")
    @Test
    void aRequirementMayHaveMoreThanFiftyValues() {
        var values = IntStream.range(0, 60).mapToObj(index -> "value-" + index).toList();

        admission.accepts(
                sample.requiring(List.of(Map.of("key", "a", "operator", "In", "values", values))));
    }
}
