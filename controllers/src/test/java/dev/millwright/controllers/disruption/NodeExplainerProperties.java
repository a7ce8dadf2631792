package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Candidacy;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Emptiness;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.core.explain.NodeChange;
import dev.millwright.core.explain.NodeExplainer;
import dev.millwright.core.explain.NodeExplanation.Fix;
import dev.millwright.core.explain.NodeExplanation.Verdict;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;
import dev.millwright.testing.kit.generator.Seeds;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// On random fleets with guards, budgets and rules of all kinds: a change that is proposed lets the
/// node go, and nearly none is larger than needed.
@Tag("seeds")
final class NodeExplainerProperties {

    private static final int CASES = Seeds.areMany() ? 300 : 100;
    private static final double MINIMAL_SHARE = 0.95;
    private static final String DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt";

    private record Case(long seed, DisruptionProblem problem, String node, Fix fix) {

        @Override
        public String toString() {
            return "seed %d, node %s: %s".formatted(seed, node, fix);
        }

        List<NodeChange> changes() {
            return fix instanceof Fix.Found(var changes, _) ? changes : List.of();
        }
    }

    private static final List<Case> ALL = cases();

    private static List<Case> cases() {
        var cases = new ArrayList<Case>();
        for (var seed = 1L; cases.size() < CASES; seed++) {
            var problem = fleet(seed).problem();
            var explainer = new NodeExplainer(problem);
            for (var machine : problem.machines()) {
                var explanation = explainer.explain(machine.name());
                if (explanation != null && explanation.fix() != null) {
                    cases.add(new Case(seed, problem, machine.name(), explanation.fix()));
                }
            }
        }
        return cases;
    }

    private static DisruptionStage fleet(long seed) {
        var chance = new Random(seed);
        var stage = new DisruptionStage();
        stage.rig.cloud().types(FakeCatalogue.linear(20));
        var after = List.of("0s", "5m", "Never");
        var policies = List.of("WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced");
        for (var pool : List.of("default", "other")) {
            stage.rig.apply(
                    DisruptionStage.pool(
                            pool,
                            DisruptionStage.disruption(chance.nextInt(3) == 0 ? "0" : "100%")
                                    .put(
                                            "consolidateAfter",
                                            after.get(chance.nextInt(after.size())))
                                    .put(
                                            "consolidationPolicy",
                                            policies.get(chance.nextInt(policies.size())))
                                    .mapping()));
        }
        stage.podBudget("web", "web", chance.nextInt(2));
        stage.podBudget("db", "db", 0);
        for (var index = 0; index < 2 + chance.nextInt(5); index++) {
            node(stage, chance, "n" + index);
        }
        return stage;
    }

    private static void node(DisruptionStage stage, Random chance, String name) {
        var cpus = 1 + chance.nextInt(16);
        var node =
                new FleetNode(name)
                        .type("fake-it-" + (cpus - 1), Integer.toString(cpus))
                        .pool(chance.nextBoolean() ? "default" : "other")
                        .consolidatable(chance.nextInt(3) > 0);
        stage.add(chance.nextInt(8) == 0 ? node.annotation(DO_NOT_DISRUPT, "true") : node);
        var left = cpus * 1_000 - 100;
        for (var pod = 0; pod < chance.nextInt(4); pod++) {
            var millis = 100 + chance.nextInt(900);
            if (millis <= left) {
                left -= millis;
                var manifest =
                        DisruptionStage.pod(name + "-" + pod, name).requests("cpu", millis + "m");
                switch (chance.nextInt(6)) {
                    case 0 -> manifest.annotation(DO_NOT_DISRUPT, "true");
                    case 1 -> manifest.label("app", "web");
                    case 2 -> manifest.label("app", "db");
                    default -> {}
                }
                stage.rig.apply(manifest);
            }
        }
    }

    private static boolean goes(Case one, List<NodeChange> changes) {
        var changed = one.problem();
        for (var change : changes) {
            changed = change.applied(changed);
        }
        return takes(
                        Emptiness.decide(
                                only(Emptiness.candidacy(changed), one.node()),
                                Allowances.of(changed, Reason.EMPTY)),
                        one.node())
                || takes(
                        SingleNode.decide(
                                changed,
                                only(SingleNode.candidacy(changed), one.node()),
                                Allowances.of(changed, Reason.UNDERUTILIZED),
                                Set.of()),
                        one.node());
    }

    private static Candidacy only(Candidacy candidacy, String node) {
        return new Candidacy(
                candidacy.candidates().stream().filter(each -> each.name().equals(node)).toList(),
                candidacy.kept());
    }

    private static boolean takes(Decision decision, String node) {
        return decision.commands().stream()
                .flatMap(command -> command.candidates().stream())
                .anyMatch(each -> each.name().equals(node));
    }

    @Test
    void everyProposedChangeLetsTheNodeGo() {
        assertThat(ALL)
                .filteredOn(each -> !each.changes().isEmpty())
                .hasSizeGreaterThan(CASES / 3)
                .allMatch(each -> goes(each, each.changes()));
    }

    @Test
    void noFewerChangesWouldDo() {
        var tooMany = ALL.stream().filter(NodeExplainerProperties::hasFewer).toList();
        assertThat((double) tooMany.size() / ALL.size())
                .as("too much was asked for in %s", tooMany)
                .isLessThanOrEqualTo(1 - MINIMAL_SHARE);
    }

    private static boolean hasFewer(Case one) {
        var all = allChanges(one);
        return switch (one.changes().size()) {
            case 1 -> false;
            case 0, 2 -> hasSet(one, all, List.of(), 1);
            default -> hasSet(one, all, List.of(), one.changes().size() - 1);
        };
    }

    /// Whether some set of at most so many changes lets the node go.
    private static boolean hasSet(
            Case one, List<NodeChange> all, List<NodeChange> chosen, int more) {
        for (var at = 0; more > 0 && at < all.size(); at++) {
            var next = new ArrayList<>(chosen);
            next.add(all.get(at));
            if (goes(one, next) || hasSet(one, all.subList(at + 1, all.size()), next, more - 1)) {
                return true;
            }
        }
        return false;
    }

    private static List<NodeChange> allChanges(Case one) {
        var all = new LinkedHashSet<NodeChange>();
        all.add(new NodeChange.UnguardNode(one.node()));
        all.add(new NodeChange.AllowSpotToSpot());
        for (var machine : one.problem().machines()) {
            if (machine.name().equals(one.node())) {
                machine.pods()
                        .forEach(each -> all.add(new NodeChange.UnguardPod(each.pod().name())));
            }
        }
        for (var budget : one.problem().scheduling().snapshot().disruptionBudgets()) {
            all.add(new NodeChange.LoosenBudget(budget.name()));
            all.add(new NodeChange.RemoveBudget(budget.name()));
        }
        for (var pool : one.problem().pools().keySet()) {
            all.add(new NodeChange.ConsolidateSoon(pool));
            all.add(new NodeChange.ConsolidateUnderutilized(pool));
            all.add(new NodeChange.OpenBudgets(pool));
        }
        return List.copyOf(all);
    }

    @Test
    void aNodeThatMayGoIsToldSo() {
        var stage =
                new DisruptionStage().pool("100%").add(new FleetNode("idle").consolidatable(true));
        var explanation = new NodeExplainer(stage.problem()).explain("idle");
        assertThat(explanation).isNotNull();
        assertThat(explanation.verdict()).isInstanceOf(Verdict.Goes.class);
        assertThat(explanation.fix()).isNull();
    }
}
