package dev.millwright.core.cluster;

import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.DisruptionBudgets.Verdict;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.testing.kit.BudgetBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.Map;

/// What PodDisruptionBudgets say to an eviction, now and for good.
final class DisruptionBudgetsTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final ObjectName NAME = new ObjectName("default", "web");

    private static PodBuilder web() {
        return pod("a").labels(WEB).onNode("n1");
    }

    private static BudgetBuilder budget(String name) {
        return disruptionBudget(name, WEB);
    }

    private static DisruptionBudgets budgets(BudgetBuilder... budgets) {
        return new DisruptionBudgets(Arrays.stream(budgets).map(BudgetBuilder::budget).toList());
    }

    @Tag("M-PDB-1")
    @Test
    void noneOfThemMayBeUnavailableBlocksForGood() {
        var verdict = budgets(budget("web").maxUnavailable("0")).atAll(web().pod());

        assertThat(verdict).isEqualTo(new Verdict.Blocked(NAME));
    }

    @Tag("M-PDB-2")
    @Test
    void zeroPercentMayBeUnavailableBlocksForGood() {
        var verdict = budgets(budget("web").maxUnavailable("0%")).atAll(web().pod());

        assertThat(verdict).isEqualTo(new Verdict.Blocked(NAME));
    }

    @Tag("M-PDB-3")
    @Test
    void allMustBeAvailableBlocksForGood() {
        var verdict = budgets(budget("web").minAvailable("100%")).atAll(web().pod());

        assertThat(verdict).isEqualTo(new Verdict.Blocked(NAME));
    }

    @Tag("M-PDB-4")
    @Test
    void aBudgetThatIsUsedUpDoesNotBlockForGood() {
        var used = budgets(budget("web").maxUnavailable("1").disruptionsAllowed(0));

        assertThat(used.atAll(web().pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-4")
    @Test
    void mostMustBeAvailableDoesNotBlockForGood() {
        var strict = budgets(budget("web").minAvailable("99%"));

        assertThat(strict.atAll(web().pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-5")
    @Test
    void aBudgetThatIsUsedUpBlocksNow() {
        var used = budgets(budget("web").maxUnavailable("1").disruptionsAllowed(0));

        assertThat(used.atPresent(web().pod())).isEqualTo(new Verdict.Blocked(NAME));
    }

    @Tag("M-PDB-6")
    @Test
    void aBudgetWithDisruptionsLeftLetsPodsGo() {
        var open = budgets(budget("web").maxUnavailable("1").disruptionsAllowed(1));

        assertThat(open.atPresent(web().pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-7")
    @Test
    void withoutABudgetPodsMayGo() {
        assertThat(budgets().atPresent(web().pod()).isFree()).isTrue();
        assertThat(budgets().atAll(web().pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-8")
    @Test
    void twoBudgetsBlockNowWhateverTheyAllow() {
        var two = budgets(budget("b").disruptionsAllowed(1), budget("a").disruptionsAllowed(1));

        assertThat(two.atPresent(web().pod()).budgets())
                .containsExactly(new ObjectName("default", "a"), new ObjectName("default", "b"));
    }

    @Tag("M-PDB-9")
    @Test
    void twoBudgetsBlockForGood() {
        var two = budgets(budget("a").maxUnavailable("1"), budget("b").maxUnavailable("1"));

        assertThat(two.atAll(web().pod())).isInstanceOf(Verdict.Contested.class);
    }

    @Test
    void onlyBudgetsThatSelectThePodContestIt() {
        var other = disruptionBudget("other", Map.of("app", "api"));

        assertThat(budgets(budget("a"), other, budget("b")).atPresent(web().pod()).budgets())
                .containsExactly(new ObjectName("default", "a"), new ObjectName("default", "b"));
    }

    @Tag("M-PDB-10")
    @Test
    void unhealthyPodsMayGoNowWhereTheBudgetSaysSo() {
        var lenient = budgets(budget("web").alwaysAllowingUnhealthy());

        assertThat(lenient.atPresent(web().notReady().pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-11")
    @Test
    void unhealthyPodsAreNotBlockedForGoodWhereTheBudgetSaysSo() {
        var lenient = budgets(budget("web").maxUnavailable("0").alwaysAllowingUnhealthy());

        assertThat(lenient.atAll(web().notReady().pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-12")
    @Test
    void healthyPodsAreBlockedWhereOnlyUnhealthyOnesMayGo() {
        var lenient = budgets(budget("web").maxUnavailable("0").alwaysAllowingUnhealthy());

        assertThat(lenient.atAll(web().pod()).isFree()).isFalse();
        assertThat(lenient.atPresent(web().pod()).isFree()).isFalse();
    }

    @Tag("M-PDB-13")
    @Test
    void twoBudgetsBlockUnhealthyPodsToo() {
        var two =
                budgets(
                        budget("a").alwaysAllowingUnhealthy(),
                        budget("b").alwaysAllowingUnhealthy());

        assertThat(two.atPresent(web().notReady().pod()).isFree()).isFalse();
    }

    @Tag("M-PDB-14")
    @Test
    void aBudgetWithoutSelectorSelectsNothing() {
        var none = new BudgetBuilder(new DisruptionBudget(NAME, null, "0", null, false, 0));

        assertThat(budgets(none).atAll(web().pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-15")
    @Test
    void anEmptySelectorSelectsEveryPodOfTheNamespace() {
        var all =
                new BudgetBuilder(
                        new DisruptionBudget(NAME, Selector.EVERYTHING, "0", null, false, 0));

        assertThat(budgets(all).atAll(web().pod()).isFree()).isFalse();
    }

    @Tag("M-PDB-16")
    @Test
    void aBudgetCountsInItsOwnNamespaceOnly() {
        var other = web().namespace("elsewhere").pod();

        assertThat(budgets(budget("web").maxUnavailable("0")).atAll(other).isFree()).isTrue();
    }

    @Tag("M-PDB-17")
    @Test
    void aBudgetOfOtherPodsDoesNotMatter() {
        var other = pod("b").label("app", "db").onNode("n1").pod();

        assertThat(budgets(budget("web").maxUnavailable("0")).atAll(other).isFree()).isTrue();
    }

    @Tag("M-PDB-18")
    @Test
    void podsThatAreNotEvictedAnywayAreNotBlocked() {
        var closed = budgets(budget("web").maxUnavailable("0"));

        assertThat(closed.atPresent(web().ownedBy("Node", "n1").pod()).isFree()).isTrue();
        assertThat(closed.atPresent(web().tolerates(Taint.DISRUPTED).pod()).isFree()).isTrue();
        assertThat(closed.atPresent(web().terminating().pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-18")
    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED"})
    void podsThatHaveEndedAreNotBlocked(Phase phase) {
        var closed = budgets(budget("web").maxUnavailable("0"));

        assertThat(closed.atPresent(web().phase(phase).pod()).isFree()).isTrue();
    }

    @Tag("M-PDB-19")
    @Test
    void podsOfADaemonSetCanBeBlocked() {
        var closed = budgets(budget("web").maxUnavailable("0"));

        assertThat(closed.atPresent(web().ownedBy("DaemonSet", "agent").pod()).isFree()).isFalse();
    }
}
