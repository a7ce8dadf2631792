package dev.millwright.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;

final class LineDiffTest {

    @Test
    void whatIsTheSameStays() {
        assertThat(LineDiff.of(List.of("a", "b", "c"), List.of("a", "x", "c", "d")))
                .containsExactly(" a", "-b", "+x", " c", "+d");
        assertThat(LineDiff.of(List.of(), List.of("a"))).containsExactly("+a");
        assertThat(LineDiff.of(List.of("a"), List.of())).containsExactly("-a");
    }

    @Test
    void longTextsAreShownWhole() {
        var many = Collections.nCopies(2_001, "a");

        assertThat(LineDiff.of(many, List.of("a"))).hasSize(2_002).endsWith("+a");
    }
}
