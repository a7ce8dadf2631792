package dev.millwright.testing.e2e.crd;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// What holds for the requirements of pools and claims alone.
@ExtendWith(AdmissionExtension.class)
@ParameterizedClass
@MethodSource("kinds")
final class FlexibleRequirementsIT {

    private final Sample sample;
    private final Admission admission;

    FlexibleRequirementsIT(Sample sample, Admission admission) {
        this.sample = sample;
        this.admission = admission;
    }

    static List<Sample> kinds() {
        return List.of(Sample.nodePool(), Sample.nodeClaim());
    }

    @Tag("L67")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{key: a, operator: Exists, minValues: 1}",
                "{key: a, operator: Exists, minValues: 50}",
                "{key: a, operator: NotIn, values: [b], minValues: 50}",
                "{key: a, operator: In, values: [b, c], minValues: 1}",
                "{key: a, operator: In, values: [b, c], minValues: 2}",
            })
    void minValuesIsBetweenOneAndFifty(String requirement) {
        admission.accepts(sample.requiring("[%s]".formatted(requirement)));
    }

    @Tag("L68")
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 51})
    void minValuesIsNothingElse(int minValues) {
        admission.refuses(
                sample.requiring(
                        "[{key: a, operator: Exists, minValues: %d}]".formatted(minValues)),
                "requirements[0].minValues");
    }

    @Tag("L69")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{key: a, operator: In, values: [b], minValues: 2}",
                "{key: a, operator: In, values: [b, c, d], minValues: 4}",
            })
    void inWantsAsManyValuesAsMinValuesSays(String requirement) {
        admission.refuses(
                sample.requiring("[%s]".formatted(requirement)),
                "operator In wants at least as many values as minValues says");
    }

    @Tag("L70")
    @Test
    void notInMayExcludeNothing() {
        admission.accepts(sample.requiring("[{key: a, operator: NotIn}]"));
        admission.accepts(sample.requiring("[{key: a, operator: NotIn, values: []}]"));
    }
}
