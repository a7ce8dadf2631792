package dev.millwright.controllers.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;

class MarksTest {

    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final Marks marks = new Marks();

    @Test
    void aMarkStaysUntilItIsTakenAway() {
        marks.mark("fake:///1");
        marks.mark("fake:///1");

        assertThat(marks.isMarked("fake:///1")).isTrue();
        assertThat(marks.isMarked("fake:///2")).isFalse();

        marks.unmark("fake:///1");
        assertThat(marks.isMarked("fake:///1")).isFalse();
    }

    @Test
    void aNominationRunsOut() {
        marks.nominate("a", NOON.plusSeconds(20));

        assertThat(marks.isNominated("a", NOON.plusSeconds(19))).isTrue();
        assertThat(marks.isNominated("a", NOON.plusSeconds(20))).isFalse();
        assertThat(marks.isNominated("b", NOON)).isFalse();
    }

    @Test
    void aShorterNominationDoesNotCutALongerOne() {
        marks.nominate("a", NOON.plusSeconds(20));
        marks.nominate("a", NOON.plusSeconds(10));

        assertThat(marks.isNominated("a", NOON.plusSeconds(15))).isTrue();
    }
}
