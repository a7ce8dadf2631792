package dev.millwright.core.label;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

final class LabelVocabularyTest {

    @ParameterizedTest
    @CsvSource({
        "kubernetes.io/hostname, true",
        "karpenter.sh/test, true",
        "sub.karpenter.sh/test, true",
        "karpenter.sh, true",
        "karpenter.sh/nodepool, false",
        "karpenter.sh/capacity-type, false",
        "notkarpenter.sh/test, false",
        "karpenter.sh.example.com/test, false",
        "kubernetes.io/test, false",
        "node.kubernetes.io/instance-type, false",
        "team, false"
    })
    void keysOfOurDomainAreRestrictedUnlessWellKnown(String key, boolean isRestricted) {
        assertThat(LabelVocabulary.CORE.isRestricted(key)).isEqualTo(isRestricted);
    }

    @Test
    void aProviderAddsItsWordsWithoutChangingTheCore() {
        var words =
                LabelVocabulary.CORE
                        .withRestrictedDomain("example.com")
                        .withWellKnown(List.of("example.com/family"))
                        .withKnownValues("example.com/family", List.of("c", "m"))
                        .withReservationIdKey("example.com/reservation");

        assertThat(words.isRestricted("example.com/test")).isTrue();
        assertThat(words.isRestricted("example.com/family")).isFalse();
        assertThat(words.knownValues()).containsEntry("example.com/family", List.of("c", "m"));
        assertThat(words.reservationIdKey()).isEqualTo("example.com/reservation");
        assertThat(LabelVocabulary.CORE.isRestricted("example.com/test")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "In, IN",
        "NotIn, NOT_IN",
        "Exists, EXISTS",
        "DoesNotExist, DOES_NOT_EXIST",
        "Gt, GT",
        "Lt, LT",
        "Gte, GTE",
        "Lte, LTE"
    })
    void operatorsAreReadAsKubernetesSpellsThem(String text, Operator operator) {
        assertThat(Operator.parse(text)).isEqualTo(operator);
        assertThat(operator.text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    karpenter.sh/test          | x | label "karpenter.sh/test" is restricted; use a label of your own or a well-known one
                    /karpenter.sh              | x | label key "/karpenter.sh" is not a valid Kubernetes name
                    team                       | - | label "team": value "-" is not a valid label value
                    karpenter.sh/capacity-type | x | label "karpenter.sh/capacity-type": none of [x] is known; wanted one of [on-demand, reserved, spot]
                    """)
    void whatNobodyMayAskOfANodeIsToldWithTheReason(String key, String value, String problem) {
        assertThat(LabelVocabulary.CORE.problem(Requirement.in(key, value))).isEqualTo(problem);
    }

    @Test
    void whatPeopleMayAskOfANodeIsNoProblem() {
        assertThat(LabelVocabulary.CORE.problem(Requirement.in("team", "a"))).isNull();
        assertThat(
                        LabelVocabulary.CORE.problem(
                                Requirement.in(LabelKeys.CAPACITY_TYPE, "spot", "x")))
                .isNull();
        assertThat(
                        LabelVocabulary.CORE.problem(
                                Requirement.of(LabelKeys.CAPACITY_TYPE, Operator.NOT_IN, "x")))
                .isNull();
    }
}
