package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.nodePool;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;

@ExtendWith(AdmissionExtension.class)
final class NodePoolDisruptionIT {
    private static final String EXPIRE_AFTER = "template.spec.expireAfter";
    private static final String GRACE_PERIOD = "template.spec.terminationGracePeriod";
    private static final String CONSOLIDATE_AFTER = "disruption.consolidateAfter";
    private static final String POLICY = "disruption.consolidationPolicy";
    private static final String BUDGETS = "disruption.budgets";

    private final Admission admission;

    NodePoolDisruptionIT(Admission admission) {
        this.admission = admission;
    }

    /// A pool with the budgets of a YAML list.
    private static Sample budgets(String list) {
        return nodePool().with(BUDGETS, yaml(list));
    }

    @Tag("L1")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#DURATIONS_OR_NEVER")
    void nodesExpireAfterADurationOrNever(String value) {
        admission.accepts(nodePool().with(EXPIRE_AFTER, value));
    }

    @Tag("L2")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_DURATIONS_OR_NEVER")
    void nodesDoNotExpireAfterAnythingElse(String value) {
        admission.refuses(nodePool().with(EXPIRE_AFTER, value), "spec." + EXPIRE_AFTER);
    }

    @Tag("L3")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#DURATIONS_OR_NEVER")
    void nodesAreConsolidatedAfterADurationOrNever(String value) {
        admission.accepts(nodePool().with(CONSOLIDATE_AFTER, value));
    }

    @Tag("L4")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_DURATIONS_OR_NEVER")
    void nodesAreNotConsolidatedAfterAnythingElse(String value) {
        admission.refuses(nodePool().with(CONSOLIDATE_AFTER, value), "spec." + CONSOLIDATE_AFTER);
    }

    @Tag("L5")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#DURATIONS")
    void theTerminationGracePeriodIsADuration(String value) {
        admission.accepts(nodePool().with(GRACE_PERIOD, value));
    }

    @Tag("L6")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_DURATIONS")
    void theTerminationGracePeriodIsNothingElseAndNotNever(String value) {
        admission.refuses(nodePool().with(GRACE_PERIOD, value), "spec." + GRACE_PERIOD);
    }

    @Tag("L7")
    @ParameterizedTest
    @CsvSource({
        "WhenEmpty, 30s",
        "WhenEmpty, Never",
        "WhenEmptyOrUnderutilized, 30s",
        "WhenEmptyOrUnderutilized, Never",
        "Balanced, 30s",
        "Balanced, Never",
    })
    void everyPolicyGoesWithEveryConsolidateAfter(String policy, String after) {
        admission.accepts(nodePool().with(POLICY, policy).with(CONSOLIDATE_AFTER, after));
    }

    @Tag("L8")
    @ParameterizedTest
    @ValueSource(strings = {"WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"})
    void thereAreThreePolicies(String policy) {
        admission.accepts(nodePool().with(POLICY, policy));
    }

    @Tag("L9")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "1",
                "2",
                "3",
                "4",
                "10",
                "balanced",
                "whenempty",
                "WhenUnderutilized",
                "Never",
                "anything",
            })
    void thereIsNoOtherPolicy(String policy) {
        admission.refuses(nodePool().with(POLICY, policy), "spec." + POLICY, "supported values");
    }

    @Tag("L10")
    @ParameterizedTest
    @ValueSource(strings = {"0", "7", "007", "123456789012", "0%", "5%", "05%", "99%", "100%"})
    void aBudgetIsAPercentageOrAWholeNumber(String nodes) {
        admission.accepts(budgets("[{nodes: '%s'}]".formatted(nodes)));
    }

    @Tag("L11")
    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "-10%", "101%", "1000%", "099%", "1.5", "1.5%", "%", "10 %", "x"})
    void aBudgetIsNothingElse(String nodes) {
        admission.refuses(
                budgets("[{nodes: '%s'}]".formatted(nodes)), "spec.disruption.budgets[0].nodes");
    }

    @Tag("L12")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "@annually",
                "@yearly",
                "@monthly",
                "@weekly",
                "@daily",
                "@midnight",
                "@hourly",
                "* * * * *",
                "0 9 * * mon-fri",
                "*/15 0-6,22 1 1 *",
            })
    void aScheduleIsAMacroOrFiveFields(String schedule) {
        admission.accepts(
                budgets("[{nodes: '1', duration: 1h, schedule: '%s'}]".formatted(schedule)));
    }

    /// The two forms are anchored at one side only; the controller parses in earnest.
    @Tag("L13")
    @ParameterizedTest
    @ValueSource(strings = {"@dailyish", "@hourly and more", "0 0 * * * *", "a b c d e"})
    void aScheduleIsLookedAtLoosely(String schedule) {
        admission.accepts(
                budgets("[{nodes: '1', duration: 1h, schedule: '%s'}]".formatted(schedule)));
    }

    @Tag("L14")
    @ParameterizedTest
    @ValueSource(
            strings = {"", "*", "* *", "* * *", "* * * *", "daily", "@noon", "@every", " @daily"})
    void aScheduleIsNothingElse(String schedule) {
        admission.refuses(
                budgets("[{nodes: '1', duration: 1h, schedule: '%s'}]".formatted(schedule)),
                "spec.disruption.budgets[0].schedule");
    }

    @Tag("L15")
    @ParameterizedTest
    @ValueSource(strings = {"1h", "90m", "1h30m", "20h0m", "1h0s", "30m0s", "8h30m0s"})
    void aBudgetLastsHoursAndMinutes(String duration) {
        admission.accepts(
                budgets("[{nodes: '1', schedule: '@daily', duration: %s}]".formatted(duration)));
    }

    @Tag("L16")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "-1h", "-20m", "30s", "1h30s", "1h30m5s", "0s", "1d", "1.5h", "30m1h", "Never"
            })
    void aBudgetLastsNothingElse(String duration) {
        admission.refuses(
                budgets("[{nodes: '1', schedule: '@daily', duration: '%s'}]".formatted(duration)),
                "spec.disruption.budgets[0].duration");
    }

    @Tag("L17")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{nodes: '1'}]",
                "[{nodes: '1', schedule: '* * * * *', duration: 20h0m}]",
                "[{nodes: '1'}, {nodes: 10%, schedule: '@daily', duration: 1h}]",
                "[]",
            })
    void aBudgetHasBothScheduleAndDurationOrNone(String list) {
        admission.accepts(budgets(list));
    }

    @Tag("L18")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{nodes: '1', schedule: '* * * * *'}]",
                "[{nodes: '1', duration: 1h}]",
                "[{nodes: '1', schedule: '@daily', duration: 1h}, {nodes: '1', duration: 1h}]",
                "[{nodes: '1'}, {nodes: '1', schedule: '@daily'}]",
            })
    void aBudgetHasNotOneOfScheduleAndDuration(String list) {
        admission.refuses(budgets(list), "schedule and duration belong together");
    }

    @Tag("L19")
    @Test
    void oneWrongBudgetOfTwoIsOneTooMany() {
        admission.refuses(
                budgets(
                        """
                        - {nodes: '1', schedule: '* * * * *', duration: 1h}
                        - {nodes: '1', schedule: '*', duration: 1h}
                        """),
                "spec.disruption.budgets[1].schedule");
    }

    @Tag("L20")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[Underutilized]",
                "[Empty]",
                "[Drifted]",
                "[Unhealthy]",
                "[Underutilized, Empty]",
                "[Drifted, Empty, Underutilized]",
                "[]",
            })
    void aBudgetIsForReasonsOfDisruption(String reasons) {
        admission.accepts(budgets("[{nodes: '1', reasons: %s}]".formatted(reasons)));
    }

    @Tag("L21")
    @ParameterizedTest
    @ValueSource(strings = {"anything", "expired", "Expired", "empty", "unhealthy", "''"})
    void aBudgetIsForNoOtherReasons(String reason) {
        admission.refuses(
                budgets("[{nodes: '1', reasons: [Empty, %s]}]".formatted(reason)),
                "spec.disruption.budgets[0].reasons[1]");
    }

    @Tag("L22")
    @Test
    void aBudgetNamesAReasonOnce() {
        admission.refuses(budgets("[{nodes: '1', reasons: [Empty, Empty]}]"), "Duplicate value");
    }

    @Tag("L23")
    @Test
    void aPoolHasFiftyBudgetsAtMost() {
        var budget = yaml("{nodes: '1'}");

        admission.accepts(nodePool().with(BUDGETS, Collections.nCopies(50, budget)));
        admission.refuses(
                nodePool().with(BUDGETS, Collections.nCopies(51, budget)), "at most 50 items");
    }
}
