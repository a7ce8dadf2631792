package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.explain.PoolExplanation.Verdict;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// On random pools with requirements, limits, taints, budgets and freezes of all kinds: a change
/// that is proposed works, and nearly none is larger than needed.
final class PoolExplainerProperties {

    private static final int CASES = 300;
    private static final double MINIMAL_SHARE = 0.95;

    private static final List<PoolCase> ALL = cases();

    private static List<PoolCase> cases() {
        var cases = new ArrayList<PoolCase>();
        for (var seed = 1L; cases.size() < CASES; seed++) {
            var one = PoolCase.of(seed);
            if (one.explanation().fix() != null) {
                cases.add(one);
            }
        }
        return cases;
    }

    @Test
    void everyProposedChangeWorks() {
        assertThat(ALL)
                .filteredOn(each -> each.changes() > 0)
                .hasSizeGreaterThan(CASES / 2)
                .allMatch(PoolCase::works);
    }

    @Test
    void noFewerChangesWouldDo() {
        var tooMany = ALL.stream().filter(PoolCase::hasFewer).toList();
        assertThat((double) tooMany.size() / ALL.size())
                .as("too much was asked for in %s", tooMany)
                .isLessThanOrEqualTo(1 - MINIMAL_SHARE);
    }

    @Test
    void everyVerdictThatAsksForAChangeIsAmongThem() {
        var seen =
                ALL.stream()
                        .filter(each -> each.changes() > 0)
                        .collect(
                                Collectors.groupingBy(
                                        each -> each.explanation().verdict(),
                                        Collectors.counting()));
        assertThat(seen)
                .containsOnlyKeys(
                        Verdict.NOT_READY,
                        Verdict.BUYS_NOTHING,
                        Verdict.REFUSES_PODS,
                        Verdict.KEEPS_NODES)
                .allSatisfy((_, count) -> assertThat(count).isGreaterThan(CASES / 60));
    }
}
