package dev.millwright.testing.bench.differential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.testing.kit.generator.Document;
import dev.millwright.testing.kit.generator.PlainJson;
import dev.millwright.testing.kit.generator.Snapshots;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Which disagreements are recognised as known, and which are not.
final class KnownDifferenceTest {

    /// The pod must have a small node and would rather not; no type is small. Seed 770275, made
    /// small.
    private static final String WISH_AGAINST_DEMAND =
            """
            {"apiVersion": "v1", "kind": "List", "items": [
              {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "pool"},
               "spec": {"template": {"metadata": {}, "spec": {}}}},
              {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"affinity": {"nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                  {"matchExpressions": [{"key": "example.com/size", "operator": "In", "values": ["small"]}]}]},
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100, "preference":
                  {"matchExpressions": [{"key": "example.com/size", "operator": "NotIn", "values": ["small"]}]}}]}}}}],
             "instanceTypes": [{"name": "type-h", "capacity": {"pods": 58},
               "offerings": [{"zone": "zone-a", "capacityType": "spot", "price": 0.463711}]}],
             "options": {"wellKnownLabels": ["example.com/size"]}}
            """;

    private static String peer(String requirement, String waiting) {
        return """
        {"waitingVariants": %s, "existingVariants": [[]], "priceMin": 0.463711, "priceMax": 0.463711,
         "nodeVariants": [[{"nodePool": "pool", "types": ["type-h"], "pods": ["default/web"], "requirements": ["%s"]}]]}
        """
                .formatted(waiting, requirement);
    }

    private static List<String> known(String document, String peer, Difference.Kind kind) {
        var read = new Document(PlainJson.object(document));
        var problem = Snapshots.problem(read);
        var ours =
                OurAnswer.of(
                        Planner.plan(
                                problem.withPolicy(
                                        problem.policy().withPacking(Packing.FIRST_FIT))));
        var judgement =
                new Judgement(
                        read,
                        ours,
                        null,
                        PeerAnswer.of(PlainJson.object(peer)),
                        false,
                        List.of(new Difference(kind, "default/web")));
        return KnownDifference.ALL.stream()
                .filter(each -> each.explains().test(judgement))
                .map(KnownDifference::name)
                .toList();
    }

    @Test
    void aNodeWithoutTheLabelThatAPodDemandsIsTheWishReadAsItsAbsence() {
        var peer = peer("example.com/size DoesNotExist", "[[]]");

        assertThat(known(WISH_AGAINST_DEMAND, peer, Difference.Kind.WE_WAIT))
                .containsExactly("a-demand-that-contradicts-itself-is-never-met");
    }

    @Test
    void aNodeThatThePodCouldHaveIsNoKnownDifference() {
        var peer = peer("example.com/size In [small]", "[[]]");

        assertThat(known(WISH_AGAINST_DEMAND, peer, Difference.Kind.WE_WAIT)).isEmpty();
    }

    @Test
    void aPodThatOnlyThePeerLeavesIsLuckWhereItsAnswersDiffer() {
        var ties =
                peer("zone In [zone-a]", "[[\"default/web\"], [\"default/web\", \"default/db\"]]");
        var steady = peer("zone In [zone-a]", "[[\"default/web\"]]");

        assertThat(known(WISH_AGAINST_DEMAND, ties, Difference.Kind.PEER_WAITS))
                .containsExactly("claim-ties");
        assertThat(known(WISH_AGAINST_DEMAND, steady, Difference.Kind.PEER_WAITS)).isEmpty();
        assertThat(known(WISH_AGAINST_DEMAND, ties, Difference.Kind.WE_WAIT)).isEmpty();
    }
}
