package dev.millwright.core.forecast;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.DisruptionCost;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.FleetBuilder;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.Machine.MovedPod;
import dev.millwright.core.disruption.MachineBuilder;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.scheduling.StaticCapacity;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The cluster of a forecast: what it takes over from the real one, and what each deed changes.
final class SceneTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final InstanceType SMALL = type("small", 4, 1).build();

    private final FleetBuilder fleet = fleet().selling(SMALL);
    private final TreeMap<String, Instant> quietSince = new TreeMap<>();

    private Scene scene() {
        return new Scene(
                new ForecastProblem(
                        fleet.scheduling(),
                        fleet.problem(),
                        DisruptionOptions.NONE,
                        quietSince,
                        List.of(),
                        Pace.USUAL));
    }

    private Unit unit(MachineBuilder machine) {
        fleet.with(machine);
        return Objects.requireNonNull(scene().unit(machine.name()));
    }

    private static List<String> names(Collection<Pod> pods) {
        return pods.stream().map(each -> each.name().name()).toList();
    }

    private static List<Integer> allowed(Scene scene) {
        return scene.provisioning(NOON).snapshot().disruptionBudgets().stream()
                .map(DisruptionBudget::disruptionsAllowed)
                .toList();
    }

    // Nodes

    @Test
    void aNodeIsAsFarAsItsMachineHasCome() {
        assertThat(unit(machine("a", SMALL)).stage()).isEqualTo(Unit.Stage.READY);
        assertThat(unit(machine("b", SMALL).node(NodeBuilder::registered)).stage())
                .isEqualTo(Unit.Stage.COMING);
        assertThat(unit(machine("c", SMALL).node(NodeBuilder::markedForDeletion)).stage())
                .isEqualTo(Unit.Stage.DRAINING);
        assertThat(unit(machine("d", SMALL).instanceTerminating()).stage())
                .isEqualTo(Unit.Stage.LEAVING);
    }

    @Test
    void aNodeThatIsMarkedAsDisruptedIsQueuedIfItIsOurs() {
        var marked = machine("a", SMALL).node(each -> each.nodeTaint(Taint.DISRUPTED));
        var foreign = machine("b", SMALL).node(each -> each.nodeTaint(Taint.DISRUPTED).unmanaged());

        assertThat(unit(marked).stage()).isEqualTo(Unit.Stage.QUEUED);
        assertThat(unit(foreign).stage()).isEqualTo(Unit.Stage.READY);
    }

    @Test
    void aNodeCostsWhatTheOfferingItWasBoughtAsCosts() {
        var offered =
                type("offered", 4)
                        .offering("test-zone-1", "spot", 0.3)
                        .offering("test-zone-2", "on-demand", 0.9)
                        .offering("test-zone-1", "on-demand", 0.8)
                        .offering("test-zone-1", "on-demand", 0.7)
                        .build();
        fleet.selling(SMALL, offered);

        assertThat(unit(machine("a", offered)).purchase())
                .isEqualTo(
                        new Purchase("a", "default", "offered", "test-zone-1", "on-demand", 0.8));
    }

    @Test
    void aNodeOfATypeThatNobodySellsCostsNothing() {
        assertThat(unit(machine("a", type("gone", 4, 1).build())).purchase().pricePerHour())
                .isZero();
    }

    @Test
    void aNodeOfWhichOnlyTheConditionIsKnownWasQuietForEverOrIsNow() {
        var minute = Duration.ofMinutes(1);

        assertThat(unit(machine("a", SMALL)).wakesAt(minute, NOON)).isNull();
        assertThat(unit(machine("b", SMALL).notConsolidatable()).wakesAt(minute, NOON))
                .isEqualTo(NOON.plus(minute));
    }

    @Test
    void whenANodeWasQuietIsRemembered() {
        quietSince.put("a", NOON.minusSeconds(20));

        assertThat(unit(machine("a", SMALL)).wakesAt(Duration.ofMinutes(1), NOON))
                .isEqualTo(NOON.plusSeconds(40));
    }

    @Test
    void aNominatedNodeIsKeptForItsPod() {
        var unit = unit(machine("a", SMALL).nominated());

        assertThat(unit.isNominated(NOON.plus(Pace.USUAL.nomination()).minusMillis(1))).isTrue();
        assertThat(unit.isNominated(NOON.plus(Pace.USUAL.nomination()))).isFalse();
        assertThat(unit(machine("b", SMALL)).isNominated(NOON)).isFalse();
    }

    @Test
    void aNewNodeTakesNoNameThatIsTaken() {
        fleet.with(machine("default-new-1", SMALL), machine("default-new-3", SMALL));
        var scene = scene();

        assertThat(List.of(scene.newName("default"), scene.newName("default")))
                .containsExactly("default-new-2", "default-new-4");
        assertThat(scene.newName("other")).isEqualTo("other-new-1");
    }

    @Test
    void aNodeThatComesOrGoesIsAChange() {
        fleet.with(machine("a", SMALL));
        var scene = scene();
        var unit = Objects.requireNonNull(scene.unit("a"));

        scene.remove(unit);
        assertThat(scene.units()).isEmpty();
        assertThat(scene.revision()).isEqualTo(1);

        scene.add(unit);
        assertThat(scene.units()).containsExactly(unit);
        assertThat(scene.revision()).isEqualTo(2);
    }

    @Test
    void kubeSchedulerSeesNoNodeThatIsOnItsWay() {
        fleet.with(machine("a", SMALL), machine("b", SMALL).node(NodeBuilder::registered));
        var scene = scene();

        assertThat(scene.scheduling(NOON).snapshot().nodes())
                .extracting(StateNode::name)
                .containsExactly("a");
        assertThat(scene.provisioning(NOON).snapshot().nodes())
                .extracting(StateNode::name)
                .containsExactly("a", "b");
    }

    @Test
    void aPoolThatNobodyKnowsHasNoRules() {
        assertThat(scene().pool("gone")).isNull();
        assertThat(Objects.requireNonNull(scene().pool("default")).name()).isEqualTo("default");
        fleet.pool(each -> each.withConsolidateAfter(Duration.ofHours(1)))
                .with(machine("a", SMALL), machine("b", SMALL).pool("gone"));
        var scene = scene();

        assertThat(scene.consolidateAfter(Objects.requireNonNull(scene.unit("a"))))
                .isEqualTo(Duration.ofHours(1));
        assertThat(scene.consolidateAfter(Objects.requireNonNull(scene.unit("b")))).isNull();
    }

    @Test
    void claimsOfAPoolAreCountedByHowFarTheyAre() {
        fleet.pool(nodePool("default").replicas(3))
                .pool(nodePool("dynamic"))
                .with(
                        machine("a", SMALL),
                        machine("b", SMALL).node(NodeBuilder::inFlight),
                        machine("c", SMALL).node(each -> each.nodeTaint(Taint.DISRUPTED)),
                        machine("d", SMALL).node(NodeBuilder::markedForDeletion),
                        machine("e", SMALL).instanceTerminating(),
                        machine("f", SMALL).pool("dynamic"),
                        machine("g", SMALL).node(each -> each.unmanaged().pool("default")));

        assertThat(scene().counts("default")).isEqualTo(new StaticCapacity.Counts(2, 1, 2, 0));
        assertThat(scene().staticCounts())
                .containsExactly(Map.entry("default", new StaticCapacity.Counts(2, 1, 2, 0)));
    }

    // Pods

    @Test
    void podsAreOnTheirNodesOrWait() {
        fleet.with(machine("a", SMALL))
                .with(running("on", "a", "1"), pod("waiting"), pod("unseen").unseen());
        var scene = scene();

        assertThat(names(Objects.requireNonNull(scene.unit("a")).pods())).containsExactly("on");
        assertThat(names(scene.waiting().values())).containsExactly("unseen", "waiting");
        assertThat(scene.waiting().values())
                .extracting(Pod::state)
                .extracting(PodState::isProvisionable)
                .containsExactly(true, true);
    }

    @Test
    void roomThatIsKeptFreeIsNotForecast() {
        fleet.with(pod("virtual").annotation(AnnotationKeys.BUFFER_POD, "true"));
        var scene = scene();

        assertThat(scene.waiting()).isEmpty();
        assertThat(scene.provisioning(NOON).snapshot().pods()).isEmpty();
    }

    @Test
    void aPodThatComesBackUnderItsNameWaitsAndOthersThatGoAreGone() {
        fleet.with(machine("a", SMALL))
                .with(
                        pod("set").ownedBy("StatefulSet", "set").onNode("a").terminating(),
                        running("plain", "a", "1").terminating());
        var scene = scene();

        assertThat(names(scene.waiting().values())).containsExactly("set");
        assertThat(Objects.requireNonNull(scene.unit("a")).pods()).isEmpty();
        assertThat(scene.provisioning(NOON).snapshot().pods()).hasSize(1);
    }

    @Test
    void podsForWhichNoNodeIsBoughtDoNotWait() {
        fleet.with(
                pod("daemon").ownedBy("DaemonSet", "log"),
                pod("nominated").nominatedFor("a"),
                pod("ended").phase(PodState.Phase.FAILED),
                running("elsewhere", "unknown", "1"));
        var scene = scene();

        assertThat(scene.waiting()).isEmpty();
        assertThat(names(scene.provisioning(NOON).snapshot().pods()))
                .containsExactly("daemon", "nominated", "ended", "elsewhere");
    }

    @Test
    void aPodThatEndedOnItsNodeOnlyCounts() {
        fleet.with(machine("a", SMALL))
                .with(running("ended", "a", "1").phase(PodState.Phase.SUCCEEDED));
        var scene = scene();

        assertThat(Objects.requireNonNull(scene.unit("a")).pods()).isEmpty();
        assertThat(names(scene.provisioning(NOON).snapshot().pods())).containsExactly("ended");
    }

    @Test
    void aPodThatIsBoundRunsAndWaitsNoMore() {
        fleet.pool(each -> each.withConsolidateAfter(Duration.ofMinutes(1)))
                .with(machine("a", SMALL))
                .with(pod("web").ownedBy("ReplicaSet", "web"));
        var scene = scene();
        var unit = Objects.requireNonNull(scene.unit("a"));

        scene.bind(scene.waiting().firstEntry().getValue(), unit, NOON);

        assertThat(scene.waiting()).isEmpty();
        assertThat(unit.pods())
                .extracting(each -> each.state().nodeName(), each -> each.state().owners().size())
                .containsExactly(tuple("a", 1));
        assertThat(unit.wakesAt(Duration.ofMinutes(1), NOON)).isEqualTo(NOON.plusSeconds(60));
        assertThat(scene.revision()).isEqualTo(1);
    }

    private Scene evicted(PodBuilder pod) {
        fleet.with(machine("a", SMALL))
                .with(pod, disruptionBudget("web", WEB).disruptionsAllowed(1));
        var scene = scene();
        scene.evict(pod.pod(), Objects.requireNonNull(scene.unit("a")), NOON.plusSeconds(9));
        return scene;
    }

    @Test
    void aPodThatIsEvictedWaitsAnewAndSpendsItsBudget() {
        var scene = evicted(running("web", "a", "1").labels(WEB));

        assertThat(Objects.requireNonNull(scene.unit("a")).pods()).isEmpty();
        assertThat(scene.waiting().values())
                .extracting(Pod::createdAt)
                .containsExactly(NOON.plusSeconds(9));
        assertThat(allowed(scene)).containsExactly(0);
        assertThat(scene.revision()).isEqualTo(1);
    }

    @Test
    void aPodThatNobodyMakesAnewIsGone() {
        assertThat(evicted(pod("web").labels(WEB).onNode("a")).waiting()).isEmpty();
    }

    @Test
    void aPodOfNoBudgetSpendsNone() {
        assertThat(allowed(evicted(running("api", "a", "1")))).containsExactly(1);
    }

    @Test
    void aPodThatBecomesReadyGivesItsBudgetOneBack() {
        var web = running("web", "a", "1").labels(WEB);
        var scene = evicted(web);

        scene.ready(pod("api").pod());
        assertThat(scene.revision()).isEqualTo(1);
        assertThat(allowed(scene)).containsExactly(0);

        scene.ready(web.pod());
        assertThat(scene.revision()).isEqualTo(2);
        assertThat(allowed(scene)).containsExactly(1);
    }

    @Test
    void aBudgetAllowsNoLessThanNothing() {
        fleet.with(disruptionBudget("web", WEB).disruptionsAllowed(-2));

        assertThat(allowed(scene())).containsExactly(0);
    }

    @Test
    void aPodThatMovedCostsLikeAnyOther() {
        fleet.with(machine("a", SMALL))
                .with(running("web", "a", "1").annotation(DisruptionCost.DELETION_COST, "1000"));
        var scene = scene();
        var dear = scene.disruption(NOON).machines().getFirst().pods().getFirst().cost();
        var unit = Objects.requireNonNull(scene.unit("a"));

        scene.remove(unit);
        scene.add(unit);

        assertThat(dear).isGreaterThan(1);
        assertThat(scene.disruption(NOON).machines())
                .flatExtracting(Machine::pods)
                .extracting(MovedPod::cost)
                .containsExactly(1.0);
    }

    @Test
    void whatTheWholeFleetBoughtIsSettled() {
        var scene = scene();

        scene.settled("a");

        assertThat(scene.disruption(NOON).past().settled()).containsExactly("a");
    }

    // Nodes that were on their way

    @Test
    void aNodeThatComesUpBearsWhatItsClaimPromised() {
        var coming = machine("a", SMALL).node(NodeBuilder::inFlight).stateNode();

        Node node = Arrival.of(coming);

        assertThat(node.labels())
                .containsAllEntriesOf(coming.labels())
                .containsEntry("kubernetes.io/hostname", "a")
                .containsEntry("karpenter.sh/registered", "true")
                .containsEntry("karpenter.sh/initialized", "true");
        assertThat(node.providerId()).isEqualTo("fake://a");
        assertThat(node.allocatable()).isEqualTo(SMALL.allocatable());
        assertThat(node.annotations()).isEmpty();
    }

    @Test
    void aNodeThatWasSeenKeepsItsAnnotations() {
        var coming =
                machine("a", SMALL)
                        .node(NodeBuilder::registered)
                        .annotation("note", "kept")
                        .stateNode();

        assertThat(Arrival.of(coming).annotations()).containsEntry("note", "kept");
    }
}
