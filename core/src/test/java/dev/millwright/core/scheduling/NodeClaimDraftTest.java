package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.INITIALIZED;
import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.core.label.LabelKeys.NODE_POOL;
import static dev.millwright.core.label.LabelKeys.REGISTERED;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.core.label.Operator.IN;
import static dev.millwright.testing.kit.FakeCatalogue.VOCABULARY;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.gt;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.FakeCatalogue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// The NodeClaim object that is made of a planned claim.
final class NodeClaimDraftTest {

    private static final String HASH = "1234";
    private static final String NODE_CLASS_LABEL = "karpenter.test.sh/testnodeclass";

    @Tag("F51")
    @Test
    void thePoolsAnnotationsReachTheClaim() {
        var draft = draft(cluster().with(nodePool("default").annotation("note", "x"), pod("a")));

        assertThat(draft.annotations()).containsEntry("note", "x");
    }

    @Tag("F17")
    @Test
    void theHashThatWasGivenIsWritten() {
        assertThat(draft(cluster().with(pod("a"))).annotations())
                .containsEntry("karpenter.sh/nodepool-hash", HASH)
                .containsEntry("karpenter.sh/nodepool-hash-version", "v3");
    }

    @Test
    void aClaimSaysThatMinValuesWereKept() {
        assertThat(draft(cluster().with(pod("a"))).annotations())
                .containsEntry("karpenter.sh/nodeclaim-min-values-relaxed", "false")
                .doesNotContainKeys(
                        "karpenter.sh/price-overlay-applied",
                        "karpenter.sh/capacity-overlay-applied");
    }

    @Test
    void aClaimSaysThatMinValuesWereLowered() {
        var draft =
                draft(
                        cluster()
                                .bestEffortMinValues()
                                .with(nodePool("default").minValues(INSTANCE_TYPE, 50), pod("a")));

        assertThat(draft.annotations())
                .containsEntry("karpenter.sh/nodeclaim-min-values-relaxed", "true");
    }

    @Test
    void aClaimOfOverlaidTypesSaysSo() {
        var plain = instanceType("plain").build();
        var type =
                plain.withOfferings(List.of(Offering.of(ZONE_1, "spot", 1).withOverlaidPrice(0.5)))
                        .withOverlaidCapacity(Resources.parse("example.com/fuse", "1"));

        assertThat(draft(cluster().selling(List.of(type)).with(pod("a"))).annotations())
                .containsEntry("karpenter.sh/price-overlay-applied", "true")
                .containsEntry("karpenter.sh/capacity-overlay-applied", "true");
    }

    @Tag("F52")
    @Test
    void thePoolsLabelsReachTheClaim() {
        var draft = draft(cluster().with(nodePool("default").label("team", "a"), pod("a")));

        assertThat(draft.labels())
                .containsEntry("team", "a")
                .containsEntry(NODE_POOL, "default")
                .containsEntry(NODE_CLASS_LABEL, "default");
        assertThat(draft.generateName()).isEqualTo("default-");
    }

    @Tag("F52")
    @Test
    void customRequirementsBecomeLabelsWithOneOfTheirValues() {
        var pool =
                nodePool("default")
                        .requirement(in("colour", "red", "blue"))
                        .requirement(gt("shelf", 5))
                        .requirement(doesNotExist("absent"));

        assertThat(draft(cluster().with(pool, pod("a"))).labels())
                .containsEntry("colour", "blue")
                .containsEntry("shelf", "6")
                .doesNotContainKey("absent");
    }

    @Tag("F55")
    @Test
    void wellKnownRequirementsBecomeNoLabels() {
        var pool = nodePool("default").requirement(in(ZONE, ZONE_1)).requirement(in(ARCH, "amd64"));

        assertThat(draft(cluster().with(pool, pod("a"))).labels())
                .containsOnlyKeys(NODE_POOL, NODE_CLASS_LABEL);
    }

    @Test
    void whatIsOnlySimulatedIsNotWritten() {
        var draft = draft(cluster().with(pod("a")));

        assertThat(draft.requirements())
                .extracting(SelectorRequirement::key)
                .contains(NODE_POOL, NODE_CLASS_LABEL)
                .doesNotContain(REGISTERED, INITIALIZED, HOSTNAME);
        assertThat(draft.labels()).doesNotContainKeys(REGISTERED, INITIALIZED, HOSTNAME);
    }

    @Tag("F56")
    @Test
    void thePoolsTaintsReachTheClaim() {
        var pool = nodePool("default").taint(taint("a", "1")).startupTaint(taint("b", "2"));
        var draft = draft(cluster().with(pool, pod("a").tolerates(taint("a", "1"))));

        assertThat(draft.taints()).containsExactly(taint("a", "1"));
        assertThat(draft.startupTaints()).containsExactly(taint("b", "2"));
    }

    @Tag("F63")
    @Test
    void theClaimRefersToTheNodeClass() {
        assertThat(draft(cluster().with(pod("a"))).nodeClassRef())
                .isEqualTo(new NodeClassRef("karpenter.test.sh", "TestNodeClass", "default"));
    }

    @Test
    void theClaimRequestsWhatThePlanCounted() {
        assertThat(draft(cluster().with(pod("a", "500m"))).requests())
                .isEqualTo(Resources.parse("cpu", "500m", "pods", "1"));
    }

    @Test
    void theClaimNamesTheTypesOfThePlanAndKeepsMinValues() {
        var draft =
                draft(
                        cluster()
                                .selling(instanceType("small"), instanceType("big").cpu("64"))
                                .with(nodePool("default").minValues(INSTANCE_TYPE, 2), pod("a")));

        assertThat(draft.requirements())
                .contains(new SelectorRequirement(INSTANCE_TYPE, IN, List.of("big", "small"), 2));
    }

    @Test
    void atMostSixHundredTypesAreNamedAndTheyAreTheCheapest() {
        var draft = draft(cluster().selling(FakeCatalogue.linear(700)).with(pod("a")));

        assertThat(requirement(draft, INSTANCE_TYPE).values())
                .hasSize(600)
                .contains("fake-it-599")
                .doesNotContain("fake-it-600");
    }

    @Test
    void theClaimNamesEveryCapacityTypeItsTypesComeAs() {
        var draft = draft(cluster().with(pod("a")));

        assertThat(requirement(draft, CAPACITY_TYPE).values()).containsExactly("on-demand", "spot");
    }

    @Test
    void aCapacityTypeThatIsNotOfferedWhereThePodGoesIsNotNamed() {
        var draft = draft(cluster().with(pod("a").nodeSelector(ZONE, ZONE_3)));

        assertThat(requirement(draft, CAPACITY_TYPE).values()).containsExactly("on-demand");
    }

    @Test
    void aClaimWithAReservationNamesIt() {
        var type =
                instanceType("reserved")
                        .offering(ZONE_1, "on-demand", 1)
                        .reserved(ZONE_1, "r-1", 1, 0.1);
        var draft = draft(cluster().selling(type).with(pod("a")));

        assertThat(requirement(draft, CAPACITY_TYPE).values()).containsExactly("reserved");
        assertThat(requirement(draft, LabelVocabulary.DEFAULT_RESERVATION_ID_KEY).values())
                .containsExactly("r-1");
    }

    @Test
    void aClaimWithoutAReservationIsNotLaunchedIntoOne() {
        var type =
                instanceType("reserved")
                        .offering(ZONE_1, "on-demand", 1)
                        .reserved(ZONE_1, "r-1", 0, 0.1);
        var draft = draft(cluster().selling(type).with(pod("a")));

        assertThat(requirement(draft, CAPACITY_TYPE).values()).containsExactly("on-demand");
    }

    @Tag("K-static")
    @Test
    void aStaticPoolsClaimIsTheTemplateAlone() {
        var pool =
                nodePool("static")
                        .replicas(2)
                        .label("team", "a")
                        .requirement(Requirement.of(CAPACITY_TYPE, IN, "spot", "on-demand"))
                        .nodePool();

        var draft = NodeClaimDraft.ofTemplate(pool, HASH, VOCABULARY);

        assertThat(draft.requirements())
                .extracting(SelectorRequirement::toString)
                .containsExactly(
                        "karpenter.sh/capacity-type In [on-demand, spot]",
                        "karpenter.sh/nodepool In [static]",
                        "karpenter.test.sh/testnodeclass In [default]",
                        "team In [a]");
        assertThat(draft.labels()).containsEntry("team", "a").containsEntry(NODE_POOL, "static");
        assertThat(draft.annotations())
                .containsEntry("karpenter.sh/nodepool-hash", HASH)
                .doesNotContainKey("karpenter.sh/nodeclaim-min-values-relaxed");
        assertThat(draft.requests()).isEqualTo(Resources.NONE);
    }

    /// The only claim that a plan for the cluster makes.
    private static NodeClaimDraft draft(ClusterBuilder cluster) {
        var problem = cluster.problem();
        var claim = Planner.plan(problem).claims().getFirst();
        return NodeClaimDraft.of(
                problem.nodePools().getFirst(),
                claim,
                problem.catalogs().firstEntry().getValue(),
                HASH,
                problem.policy().vocabulary());
    }

    private static SelectorRequirement requirement(NodeClaimDraft draft, String key) {
        return draft.requirements().stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow();
    }
}
