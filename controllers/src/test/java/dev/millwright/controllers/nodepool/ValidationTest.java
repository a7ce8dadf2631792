package dev.millwright.controllers.nodepool;

import static dev.millwright.testing.kit.cluster.PoolManifests.message;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.reason;
import static dev.millwright.testing.kit.cluster.PoolManifests.rig;
import static dev.millwright.testing.kit.cluster.PoolManifests.strangersPool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.validation.ValidationController;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the API server lets pass and a pool cannot work with.
final class ValidationTest {

    private static final ValidationController CONTROLLER =
            new ValidationController(FakeCatalogue.VOCABULARY);
    private static final String LONG_NAME = "a".repeat(64);

    private static Rig checked(String manifest) {
        var rig = rig(manifest);
        rig.run(CONTROLLER, "p");
        return rig;
    }

    private static boolean isValid(Rig rig) {
        return rig.pool("p").conditions().isTrue(PoolObject.VALIDATION_SUCCEEDED);
    }

    private static String told(Rig rig) {
        return message(rig.pool("p"), PoolObject.VALIDATION_SUCCEEDED);
    }

    private static String requiring(String key, String values, String more) {
        return pool(
                "p",
                "",
                "requirements: [{key: %s, operator: In, values: [%s]%s}]"
                        .formatted(key, values, more));
    }

    @Test
    @Tag("I-VAL-1")
    void aPoolOfUnknownCapacityTypesIsFaulty() {
        var rig = checked(requiring("karpenter.sh/capacity-type", "rented, stolen", ""));

        assertThat(rig.pool("p").conditions().isFalse(PoolObject.VALIDATION_SUCCEEDED)).isTrue();
        assertThat(told(rig)).contains("rented", "on-demand", "spot", "reserved");
    }

    @Test
    @Tag("I-VAL-2")
    void aPoolOfKnownCapacityTypesIsSound() {
        assertThat(isValid(checked(requiring("karpenter.sh/capacity-type", "spot, on-demand", ""))))
                .isTrue();
    }

    @Test
    @Tag("I-VAL-3")
    void unknownCapacityTypesBesideKnownOnesAreOnlyToldOf() {
        var rig = checked(requiring("karpenter.sh/capacity-type", "spot, stolen", ""));

        assertThat(isValid(rig)).isTrue();
        assertThat(told(rig)).contains("stolen");
    }

    @Test
    void moreMinValuesThanKnownOnesAreAFault() {
        var rig =
                checked(requiring("karpenter.sh/capacity-type", "spot, stolen", ", minValues: 2"));

        assertThat(isValid(rig)).isFalse();
    }

    @Test
    @Tag("I-VAL-4")
    void aPoolOfAnotherProviderIsLeftAlone() {
        assertThat(checked(strangersPool("p")).api().writes()).isEmpty();
    }

    @Test
    @Tag("I-VAL-5")
    void aSoundPoolSaysSo() {
        var rig = checked(pool("p"));

        assertThat(isValid(rig)).isTrue();
        assertThat(told(rig)).isEmpty();
        assertThat(rig.events()).isEmpty();
    }

    @Test
    void aFeeThatIsNoneIsToldOfAndIgnored() {
        var rig =
                checked(
                        pool("p")
                                .replace(
                                        "generation: 1",
                                        "generation: 1, annotations: {millwright.dev/node-fee-per-hour: free}"));

        assertThat(isValid(rig)).isTrue();
        assertThat(told(rig))
                .isEqualTo(
                        "metadata.annotations[millwright.dev/node-fee-per-hour]: found \"free\"; wanted an amount an hour from 0 to 1000 such as 0.015; until it is mended it is ignored");
        assertThat(rig.pool("p").pool().nodeFeePerHour()).isNull();
    }

    @Test
    @Tag("I-VAL-6")
    void aFaultyPoolSaysSoInConditionAndEvent() {
        var rig = checked(requiring("karpenter.sh/nodepool", "x", ""));

        assertThat(reason(rig.pool("p"), PoolObject.VALIDATION_SUCCEEDED))
                .isEqualTo("NodePoolValidationFailed");
        assertThat(rig.eventReasons()).containsExactly("NodePoolValidationFailed");
        assertThat(rig.events().getFirst().message())
                .contains("NodePool p", "karpenter.sh/nodepool");
    }

    @Test
    @Tag("L170")
    void aTaintsNameThatIsTooLongIsAFault() {
        assertThat(
                        isValid(
                                checked(
                                        pool(
                                                "p",
                                                "",
                                                "requirements: []\ntaints: [{key: %s, effect: NoSchedule}]"
                                                        .formatted(LONG_NAME)))))
                .isFalse();
    }

    @Test
    @Tag("L171")
    void aRequirementsKeyThatIsTooLongIsAFault() {
        assertThat(isValid(checked(requiring("example.com/" + LONG_NAME, "x", "")))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com/LONG", "a/b/c", "-x", "karpenter.sh/own"})
    @Tag("L172")
    void aLabelsKeyThatIsNoneIsAFault(String key) {
        var labelled =
                pool("p")
                        .replace(
                                "labels: {}",
                                "labels: {\"%s\": x}".formatted(key.replace("LONG", LONG_NAME)));

        assertThat(isValid(checked(labelled))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"})
    @Tag("L173")
    void everyConsolidationPolicyIsSound(String policy) {
        assertThat(
                        isValid(
                                checked(
                                        pool(
                                                "p",
                                                "disruption: {consolidationPolicy: %s}"
                                                        .formatted(policy),
                                                ""))))
                .isTrue();
    }

    @Test
    void aTaintThatStandsTwiceIsAFault() {
        var twice =
                """
                requirements: []
                taints: [{key: a, effect: NoSchedule}]
                startupTaints: [{key: a, value: x, effect: NoSchedule}]
                """;

        assertThat(isValid(checked(pool("p", "", twice)))).isFalse();
    }

    @Test
    void aBudgetThatCannotBeReadIsToldAndDoesNotCloseThePool() {
        var rig =
                checked(
                        pool(
                                "p",
                                "disruption: {budgets: [{nodes: \"1\", schedule: \"* * * * 8\", duration: 1h}]}",
                                ""));

        assertThat(isValid(rig)).isTrue();
        assertThat(told(rig)).contains("budgets[0]", "* * * * 8", "day of the week");
        assertThat(rig.eventReasons()).containsExactly("NodePoolValidationWarning");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    millwright.dev/maintenance-windows | weekends
                    millwright.dev/expire-softly-after | 7d
                    """)
    void anAnnotationThatCannotBeReadIsToldAndDoesNotCloseThePool(String key, String value) {
        var rig =
                checked(
                        pool("p")
                                .replace(
                                        "metadata: {name: p",
                                        "metadata: {annotations: {%s: %s}, name: p"
                                                .formatted(key, value)));

        assertThat(isValid(rig)).isTrue();
        assertThat(told(rig)).contains(key, value, "no node of the pool is disrupted");
        assertThat(rig.eventReasons()).containsExactly("NodePoolValidationWarning");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{nodes: {a: b}}]",
                "[{nodes: \"1\", reasons: [Drfited]}]",
                "[{nodes: \"1\", schedule: \"0 3 * * *\", duration: 1d}]"
            })
    void aBudgetOfAnotherFormIsToldAndDoesNotCloseThePool(String budgets) {
        var rig = checked(pool("p", "disruption: {budgets: %s}".formatted(budgets), ""));

        assertThat(isValid(rig)).isTrue();
        assertThat(told(rig)).contains("budgets[0]", "no node of the pool is disrupted");
    }

    @Test
    void aBudgetThatNeverComesIsTold() {
        var rig =
                checked(
                        pool(
                                "p",
                                "disruption: {budgets: [{nodes: \"1\", schedule: \"0 0 30 2 *\", duration: 1h}]}",
                                ""));

        assertThat(told(rig)).contains("budgets[0]", "0 0 30 2 *", "never");
    }

    @Test
    void aMendedPoolIsSoundAgainAndNothingIsWrittenTwice() {
        var rig = checked(requiring("karpenter.sh/nodepool", "x", ""));
        rig.apply(pool("p").replace("generation: 1", "generation: 2"));
        rig.run(CONTROLLER, "p");
        assertThat(isValid(rig)).isTrue();

        rig.api().forgetWrites();
        rig.run(CONTROLLER, "p");
        assertThat(rig.api().writes()).isEmpty();
    }
}
