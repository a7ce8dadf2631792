package dev.millwright.kube.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.Condition.Status;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Collections;
import java.util.List;

/// What a root condition says of its dependents.
class ConditionsTest {

    private static final Conditions.Family FAMILY =
            new Conditions.Family("Ready", List.of("First", "Second"));
    private static final Instant BIRTH = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant ONE = Instant.parse("2026-01-01T13:00:00Z");

    private static Meta meta(long generation) {
        return new Meta(
                new ObjectName("", "default"),
                "uid",
                "1",
                generation,
                BIRTH,
                null,
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                List.of(),
                List.of());
    }

    private static Conditions fresh() {
        return Conditions.of(FAMILY, meta(1), List.of());
    }

    private static Conditions ready() {
        return fresh().withTrue("First", NOON).withTrue("Second", ONE);
    }

    /// The same object after a change of its spec.
    private static Conditions changed(Conditions before) {
        return Conditions.of(FAMILY, meta(2), before.all());
    }

    @Test
    void whatNobodySaidIsUnknownSinceTheObjectsBirth() {
        assertThat(fresh().all())
                .extracting(Condition::type, Condition::status, Condition::reason)
                .allSatisfy(
                        tuple ->
                                assertThat(tuple.toList())
                                        .endsWith(Status.UNKNOWN, "AwaitingReconciliation"));
        assertThat(fresh().find("Ready")).extracting(Condition::changedAt).isEqualTo(BIRTH);
    }

    @Test
    void theRootIsTrueWhenAllDependentsAre() {
        assertThat(ready().find("Ready"))
                .isEqualTo(new Condition("Ready", Status.TRUE, "Ready", "", ONE, 1));
        assertThat(ready().all())
                .extracting(Condition::type)
                .containsExactly("First", "Second", "Ready");
    }

    @Test
    void theRootIsUnknownWhileADependentIs() {
        assertThat(fresh().withTrue("Second", NOON).find("Ready"))
                .isEqualTo(
                        new Condition(
                                "Ready",
                                Status.UNKNOWN,
                                "ReconcilingDependents",
                                "First=Unknown",
                                BIRTH,
                                1));
    }

    @Test
    void theRootIsFalseWhenADependentIsAndNamesTheLatestFirst() {
        var failed =
                fresh().with("First", Status.UNKNOWN, "Waiting", "", NOON)
                        .with("Second", Status.FALSE, "Broken", "why", ONE);

        assertThat(failed.find("Ready"))
                .isEqualTo(
                        new Condition(
                                "Ready",
                                Status.FALSE,
                                "UnhealthyDependents",
                                "Second=False, First=Unknown",
                                ONE,
                                1));
    }

    @Test
    void whatWasTrueOfAnEarlierSpecIsNotHealthy() {
        var half = changed(ready()).withTrue("First", ONE);

        assertThat(half.find("First")).extracting(Condition::changedAt).isEqualTo(NOON);
        assertThat(half.find("First")).extracting(Condition::observedGeneration).isEqualTo(2L);
        assertThat(half.find("Second")).extracting(Condition::observedGeneration).isEqualTo(1L);
        assertThat(half.find("Ready"))
                .isEqualTo(
                        new Condition(
                                "Ready",
                                Status.UNKNOWN,
                                "ReconcilingDependents",
                                "Second=True",
                                ONE,
                                2));
    }

    @Test
    void whatWasFalseOfAnEarlierSpecLeavesTheRootUnknown() {
        var failed = fresh().with("Second", Status.FALSE, "Broken", "why", NOON);
        var half = changed(failed).withTrue("First", ONE);

        assertThat(half.status("Ready")).isEqualTo(Status.UNKNOWN);
        assertThat(half.withTrue("Second", ONE).status("Ready")).isEqualTo(Status.TRUE);
    }

    @Test
    void sayingTheSameAgainChangesNothing() {
        var ready = ready();

        assertThat(ready.withTrue("First", ONE)).isSameAs(ready);
    }
}
