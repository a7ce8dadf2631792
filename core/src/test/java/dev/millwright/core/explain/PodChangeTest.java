package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.gt;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.lt;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.explain.PodChange.Neighbours;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What each change of a pod is called, is about, and does to the pod.
final class PodChangeTest {

    private static final Taint TEAM = taint("team", "a");
    private static final Map<String, String> WEB = Map.of("app", "web");

    private static void assertChanges(PodChange change, PodBuilder before, PodBuilder after) {
        assertThat(change.on(before.pod())).isEqualTo(after.pod());
    }

    private static Toleration tolerating(String key, String value) {
        return new Toleration(key, Toleration.Match.EQUAL, value, TEAM.effect());
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of(
                        new PodChange.RenameLabel("zoen", "zone"),
                        "label zoen",
                        "ask for label zone instead of zoen"),
                Arguments.of(
                        new PodChange.UseValue("zone", "b", true), "label zone", "ask for zone=b"),
                Arguments.of(
                        new PodChange.Tolerate(TEAM),
                        "taint team",
                        "tolerate taint team=a:NoSchedule"),
                Arguments.of(
                        new PodChange.Tolerate(TEAM, tolerating("taem", "a")),
                        "taint team",
                        "tolerate taint team=a:NoSchedule instead of taem=a"),
                Arguments.of(
                        new PodChange.Tolerate(TEAM, tolerating("taem", "")),
                        "taint team",
                        "tolerate taint team=a:NoSchedule instead of taem"),
                Arguments.of(
                        new PodChange.AskForLess(
                                Resources.parse("cpu", "2", "memory", "1Gi", "vendor/x", "0"), 1),
                        "requests",
                        "ask for at most 2 of cpu and ask for at most 1Gi of memory and ask for no vendor/x"),
                Arguments.of(
                        new PodChange.DropDemand("zone"),
                        "label zone",
                        "ask nothing of label zone"),
                Arguments.of(
                        new PodChange.LoosenSpread("zone"),
                        "spread zone",
                        "spread over zone with whenUnsatisfiable: ScheduleAnyway"),
                Arguments.of(
                        new PodChange.DropNeighbours(Neighbours.NEAR, "zone"),
                        "podAffinity zone",
                        "require no podAffinity over zone"),
                Arguments.of(
                        new PodChange.DropNeighbours(Neighbours.FAR, "zone"),
                        "podAntiAffinity zone",
                        "require no podAntiAffinity over zone"),
                Arguments.of(
                        PodChange.DropHostPorts.of(
                                pod("a").hostPort(90).hostPort(80).hostPort(80).pod()),
                        "host ports",
                        "take no hostPort (found [80, 90])"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeSaysWhatItIsAboutAndWhatToDo(PodChange change, String topic, String words) {
        assertThat(change.topic()).isEqualTo(topic);
        assertThat(change.describe()).isEqualTo(words);
        assertThat(change.object(pod("web").pod())).isEqualTo("Pod default/web");
    }

    @Test
    void aLabelIsRenamedWhereverThePodAsksForIt() {
        assertChanges(
                new PodChange.RenameLabel("zoen", "zone"),
                pod("a").nodeSelector("zoen", "a")
                        .nodeSelector("disk", "ssd")
                        .requires(in("zoen", "a", "b"), in("arch", "arm64"))
                        .requires(notIn("zoen", "c")),
                pod("a").nodeSelector("zone", "a")
                        .nodeSelector("disk", "ssd")
                        .requires(in("zone", "a", "b"), in("arch", "arm64"))
                        .requires(notIn("zone", "c")));
    }

    @Test
    void aNumberStaysUnderItsLabel() {
        var above = pod("a").requires(gt("cpus", 4));
        var below = pod("a").requires(lt("cpus", 4));

        assertChanges(new PodChange.RenameLabel("cpus", "cores"), above, above);
        assertChanges(new PodChange.RenameLabel("cpus", "cores"), below, below);
    }

    @Test
    void aSelectorThatDoesNotNameTheLabelGetsNone() {
        var plain = pod("a").nodeSelector("disk", "ssd");

        assertChanges(new PodChange.RenameLabel("zoen", "zone"), plain, plain);
        assertChanges(new PodChange.UseValue("zone", "b", false), plain, plain);
        assertChanges(new PodChange.DropDemand("zone"), plain, plain);
    }

    @Test
    void anotherValueIsAskedForWhereverThePodAsksForTheLabel() {
        assertChanges(
                new PodChange.UseValue("zone", "b", false),
                pod("a").nodeSelector("zone", "a")
                        .requires(in("zone", "a", "c"), in("arch", "arm64")),
                pod("a").nodeSelector("zone", "b").requires(in("zone", "b"), in("arch", "arm64")));
    }

    @Test
    void aMatchOfFieldsOutlivesChangesOfLabels() {
        var before = pod("a").requiresFields(in("zone", "a"));
        var after = pod("a").requiresFields(in("zone", "b"));

        assertChanges(new PodChange.UseValue("zone", "b", false), before, after);
    }

    @Test
    void aTolerationComesBesideThoseThePodHas() {
        assertChanges(
                new PodChange.Tolerate(TEAM),
                pod("a").tolerates(taint("tier", "b")),
                pod("a").tolerates(taint("tier", "b")).tolerates(TEAM));
    }

    @Test
    void aMistypedTolerationIsReplaced() {
        var mistyped = tolerating("taem", "a");

        assertChanges(
                new PodChange.Tolerate(TEAM, mistyped),
                pod("a").tolerates(mistyped).tolerates(taint("tier", "b")),
                pod("a").tolerates(taint("tier", "b")).tolerates(TEAM));
    }

    @Test
    void askingForLessOfOneResourceLeavesTheOthers() {
        assertChanges(
                new PodChange.AskForLess(Resources.parse("cpu", "2"), 0.5),
                pod("a", "4").memory("8Gi"),
                pod("a", "2").memory("8Gi"));
    }

    @Test
    void aDemandIsDroppedFromTheSelectorAndFromEveryTerm() {
        assertChanges(
                new PodChange.DropDemand("zone"),
                pod("a").nodeSelector("zone", "a")
                        .nodeSelector("disk", "ssd")
                        .requires(in("zone", "a"), in("arch", "arm64"))
                        .requires(doesNotExist("zone")),
                pod("a").nodeSelector("disk", "ssd").requires(in("arch", "arm64")));
    }

    @Test
    void aTermThatMatchesFieldsStaysWithoutExpressions() {
        var changed =
                new PodChange.DropDemand("zone").on(pod("a").requiresFields(in("zone", "a")).pod());

        assertThat(changed.placement().nodeAffinity().required())
                .containsExactly(new NodeAffinity.Term(List.of(), true));
    }

    @Test
    void aSpreadOverOneLabelIsLoosenedAndOthersStayHard() {
        var changed =
                new PodChange.LoosenSpread(LabelKeys.ZONE)
                        .on(
                                pod("a").spread(LabelKeys.ZONE, 1, WEB)
                                        .spread(LabelKeys.HOSTNAME, 2, WEB)
                                        .pod());

        assertThat(changed.placement().spread())
                .extracting(SpreadConstraint::topologyKey, SpreadConstraint::isHard)
                .containsExactly(tuple(LabelKeys.ZONE, false), tuple(LabelKeys.HOSTNAME, true));
    }

    @Test
    void neighboursAreGivenUpOnOneSideAndOverOneLabel() {
        var all =
                pod("a").podAffinity("zone", WEB)
                        .podAffinity("rack", WEB)
                        .podAntiAffinity("zone", WEB)
                        .podAntiAffinity("rack", WEB)
                        .pod();

        var near = new PodChange.DropNeighbours(Neighbours.NEAR, "zone").on(all).placement();
        var far = new PodChange.DropNeighbours(Neighbours.FAR, "zone").on(all).placement();

        assertThat(near.podAffinity().required())
                .extracting(PodAffinity.Term::topologyKey)
                .containsExactly("rack");
        assertThat(near.podAntiAffinity()).isEqualTo(all.placement().podAntiAffinity());
        assertThat(far.podAntiAffinity().required())
                .extracting(PodAffinity.Term::topologyKey)
                .containsExactly("rack");
        assertThat(far.podAffinity()).isEqualTo(all.placement().podAffinity());
    }

    @Test
    void withoutHostPortsThePodTakesNone() {
        assertChanges(
                PodChange.DropHostPorts.of(pod("a").hostPort(80).pod()),
                pod("a", "1").hostPort(80),
                pod("a", "1"));
    }
}
