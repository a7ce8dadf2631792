package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// A node gives way to a cheaper one.
final class ConsolidationReplaceTest {

    private static final String GUARD = LabelKeys.DO_NOT_DISRUPT;

    private final DisruptionStage stage = new DisruptionStage(SchedulingPolicy.DEFAULT, true);

    /// A large node of the capacity type with a small pod, and forty types to choose from.
    private FleetNode large(String capacityType) {
        stage.rig.cloud().types(FakeCatalogue.linear(40));
        return new FleetNode("a")
                .type("fake-it-35", "36")
                .label(LabelKeys.CAPACITY_TYPE, capacityType);
    }

    private static Manifest pod() {
        return DisruptionStage.pod("web", "a").label("app", "web");
    }

    private void given(FleetNode node, Manifest pod) {
        stage.pool("100%").add(node);
        stage.rig.apply(pod);
    }

    private List<Command> commands() {
        stage.passes();
        return stage.queue.entries().stream().map(entry -> entry.command()).toList();
    }

    private List<TypeOption> types() {
        assertThat(commands()).hasSize(1);
        var command = stage.queue.entries().getFirst().command();
        return ((Replacement.Planned) command.replacements().getFirst()).claim().types();
    }

    private static Tree minValues(int count) {
        return Tree.of("key", LabelKeys.INSTANCE_TYPE)
                .put("operator", "Exists")
                .put("minValues", count);
    }

    private static Manifest poolWith(Tree requirement) {
        var template =
                Tree.of(
                                "nodeClassRef",
                                Tree.of("group", "karpenter.test.sh")
                                        .put("kind", "TestNodeClass")
                                        .put("name", "default"))
                        .putList("requirements", List.of(requirement.mapping()));
        return DisruptionStage.pool("default", DisruptionStage.disruption("100%").mapping())
                .spec("template", Tree.of("spec", template).mapping());
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-demand", "spot"})
    @Tag("J89")
    @Tag("J90")
    void aLargeNodeWithASmallPodIsReplaced(String capacityType) {
        given(large(capacityType), pod());

        var types = types();
        stage.initialized(stage.made("a").getFirst());
        stage.work();

        assertThat(types.getFirst().name()).isEqualTo("fake-it-1");
        assertThat(types).noneMatch(type -> type.name().equals("fake-it-35"));
        assertThat(stage.isGoing("a")).isTrue();
    }

    @Test
    @Tag("J91")
    void aSpotNodeStaysWhenFewerThanFifteenTypesAreCheaper() {
        given(large("spot").type("fake-it-15", "16"), pod());

        assertThat(commands()).isEmpty();
        assertThat(stage.told("Unconsolidatable", "a")).anyMatch(text -> text.contains("15"));
    }

    @Test
    @Tag("J92")
    void aSpotNodeStaysWithoutTheFeatureGate() {
        var plain = new DisruptionStage();
        plain.rig.cloud().types(FakeCatalogue.linear(40));
        plain.pool("100%").add(new FleetNode("a").type("fake-it-35", "36").spot());
        plain.rig.apply(pod());

        plain.passes();

        assertThat(plain.queue.entries()).isEmpty();
        assertThat(plain.told("Unconsolidatable", "a"))
                .anyMatch(text -> text.contains("SpotToSpotConsolidation"));
    }

    @Test
    @Tag("J93")
    @Tag("J94")
    void aSpotNodeIsReplacedByOneOfTheFifteenCheapest() {
        given(large("spot"), pod());

        var types = types();

        assertThat(types).hasSize(15);
        assertThat(types.getFirst().name()).isEqualTo("fake-it-1");
        assertThat(types.getLast().name()).isEqualTo("fake-it-15");
        assertThat(types).allMatch(type -> type.capacityType().equals("spot"));
    }

    @Test
    @Tag("J95")
    void minValuesAboveFifteenKeepMoreTypes() {
        stage.rig.apply(poolWith(minValues(20)));
        stage.add(large("spot"));
        stage.rig.apply(pod());

        assertThat(types()).hasSize(20);
    }

    @Test
    @Tag("J96")
    void minValuesBelowFifteenKeepFifteenTypes() {
        stage.rig.apply(poolWith(minValues(5)));
        stage.add(large("spot"));
        stage.rig.apply(pod());

        assertThat(types()).hasSize(15);
    }

    @Test
    @Tag("J97")
    void aNodeOfTheCheapestTypeStays() {
        given(large("on-demand").type("fake-it-1", "2"), pod());

        assertThat(commands()).isEmpty();
        assertThat(stage.told("Unconsolidatable", "a"))
                .anyMatch(text -> text.contains("no replacement costs less"));
    }

    @Test
    @Tag("J98")
    void aNodeStaysWhenTooFewCheaperTypesAreLeftForMinValues() {
        stage.rig.apply(poolWith(minValues(20)));
        stage.add(large("on-demand").type("fake-it-10", "11"));
        stage.rig.apply(pod());

        assertThat(commands()).isEmpty();
        assertThat(stage.told("Unconsolidatable", "a"))
                .anyMatch(text -> text.contains("minValues"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-demand", "spot"})
    @Tag("J99")
    @Tag("J100")
    void aPoolThatCanBuyNothingIsNoObstacle(String capacityType) {
        stage.rig.apply(DisruptionStage.pool("empty", DisruptionStage.disruption("1").mapping()));
        stage.rig.cloud().types("empty", List.of());
        given(large(capacityType), pod());

        assertThat(commands()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-demand", "spot"})
    @Tag("J101")
    @Tag("J102")
    void aPodBudgetThatIsSpentKeepsTheNode(String capacityType) {
        stage.podBudget("pdb", "web", 0);
        given(large(capacityType), pod());

        assertThat(commands()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-demand", "spot"})
    @Tag("J103")
    @Tag("J104")
    void aPodThatIsNotReadyMayGoWhereItsBudgetSaysSo(String capacityType) {
        stage.podBudget(
                "pdb",
                "web",
                Tree.of("unhealthyPodEvictionPolicy", "AlwaysAllow").put("maxUnavailable", 1),
                0);
        given(large(capacityType), pod().condition("Ready", "False", stage.now()));

        assertThat(commands()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-demand", "spot"})
    @Tag("J105")
    @Tag("J106")
    void aPodBudgetOfAnotherNamespaceIsNoObstacle(String capacityType) {
        stage.rig.apply(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: pdb, namespace: elsewhere, uid: pdb}
                spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}
                status: {disruptionsAllowed: 0}
                """);
        given(large(capacityType), pod());

        assertThat(commands()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-demand", "spot"})
    @Tag("J107")
    @Tag("J108")
    void aGuardedNodeStays(String capacityType) {
        given(large(capacityType).annotation(GUARD, "true"), pod());

        assertThat(commands()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-demand", "spot"})
    @Tag("J109")
    @Tag("J110")
    void aNodeWithAGuardedPodStays(String capacityType) {
        given(large(capacityType), pod().annotation(GUARD, "true"));

        assertThat(commands()).isEmpty();
    }

    /// Each type at such prices, on demand and as spot.
    private static List<InstanceType> priced(double onDemand, double spot) {
        return FakeCatalogue.linear(3).stream()
                .map(
                        type ->
                                type.withOfferings(
                                        List.of(
                                                Offering.of("test-zone-1", "on-demand", onDemand),
                                                Offering.of("test-zone-1", "spot", spot))))
                .toList();
    }

    @Test
    @Tag("J111")
    @Tag("J112")
    void aNodeStaysWhenSpotWouldCostMore() {
        stage.rig.cloud().types(priced(1.0, 2.0));
        given(new FleetNode("a").type("fake-it-2", "3"), pod());

        assertThat(commands()).isEmpty();
    }

    @Test
    @Tag("J113")
    @Tag("J114")
    void aSpotNodeStaysWhenOnlyOnDemandIsLeftAndDearer() {
        stage.rig
                .cloud()
                .types(
                        priced(2.0, 1.0).stream()
                                .map(
                                        type ->
                                                type.withOfferings(
                                                        List.of(
                                                                type.offerings().getFirst(),
                                                                type.offerings()
                                                                        .getLast()
                                                                        .unavailable())))
                                .toList());
        given(new FleetNode("a").type("fake-it-2", "3").spot(), pod());

        assertThat(commands()).isEmpty();
    }

    /// On demand for one or the other: it must not end as the dearer.
    @Test
    @Tag("J115")
    void aReplacementThatCouldBeSpotMustBeSpot() {
        stage.rig.cloud().types(priced(1.0, 0.4));
        given(new FleetNode("a").type("fake-it-2", "3"), pod());

        assertThat(types()).isNotEmpty().allMatch(type -> type.capacityType().equals("spot"));
        var made = stage.rig.claim(stage.made("a").getFirst());
        assertThat(made.spec().requirements())
                .filteredOn(each -> each.key().equals(LabelKeys.CAPACITY_TYPE))
                .singleElement()
                .satisfies(each -> assertThat(each.values()).containsExactly("spot"));
    }

    @Test
    void theCandidateIsToldWhatItsReplacementSaves() {
        given(large("on-demand"), pod());
        stage.pass();

        assertThat(stage.told("ConsolidationCandidate", "a")).hasSize(2);
    }

    @Test
    void aNodeWhosePodsNeedTwoNodesStays() {
        stage.rig.cloud().types(FakeCatalogue.linear(4));
        given(new FleetNode("a").type("fake-it-3", "8"), pod().requests("cpu", "3"));
        stage.rig.apply(DisruptionStage.pod("second", "a").requests("cpu", "3"));

        assertThat(commands()).isEmpty();
        assertThat(stage.told("Unconsolidatable", "a"))
                .anyMatch(text -> text.contains("2 new nodes"));
    }
}
