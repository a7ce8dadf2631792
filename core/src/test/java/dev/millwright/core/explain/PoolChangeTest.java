package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.gt;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.lt;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/// What each change of a pool is called, is about, and does to the pool.
final class PoolChangeTest {

    private static final Requirement ARCH = in("arch", "amd64");

    private static List<Requirement> required(PoolChange change, Requirement... before) {
        NodePoolBuilder pool = nodePool("p");
        for (var each : before) {
            pool = pool.requirement(each);
        }
        return change.on(pool.nodePool()).template().requirements();
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of(
                        new PoolChange.RenameRequirement("p", "zoen", "zone"),
                        "requirement p zoen",
                        "require it of label zone instead of zoen"),
                Arguments.of(
                        new PoolChange.ReplaceValue("p", "zone", "a", "b"),
                        "requirement p zone",
                        "allow zone=b instead of a"),
                Arguments.of(
                        new PoolChange.Admit("p", "zone", "b"),
                        "requirement p zone",
                        "allow zone=b"),
                Arguments.of(
                        new PoolChange.RaiseLimits(
                                "p", Resources.parse("cpu", "8", "memory", "4Gi")),
                        "limits p",
                        "raise the limit of cpu to 8 and raise the limit of memory to 4Gi"),
                Arguments.of(
                        new PoolChange.LowerMinValues("p", "zone", 1),
                        "requirement p zone",
                        "ask for at least 1 values of zone"),
                Arguments.of(
                        new PoolChange.LowerMinValues("p", "zone", 0),
                        "requirement p zone",
                        "take minValues of zone away"),
                Arguments.of(
                        new PoolChange.AddLabel("p", "team", "a"),
                        "pool label p team",
                        "give its nodes the label team=a"),
                Arguments.of(
                        new PoolChange.DropTaint("p", taint("team", "a")),
                        "taint team",
                        "take away the taint team=a:NoSchedule"),
                Arguments.of(
                        new PoolChange.DropRequirement("p", "zone"),
                        "requirement p zone",
                        "require nothing of label zone"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeSaysWhatItIsAboutAndWhatToDo(PoolChange change, String topic, String words) {
        assertThat(change.topic()).isEqualTo(topic);
        assertThat(change.describe()).isEqualTo(words);
        assertThat(change.object(pod("web").pod())).isEqualTo("NodePool p");
    }

    @Test
    void onlyThePoolThatIsNamedChanges() {
        var problem = cluster().with(nodePool("o"), nodePool("p")).problem();

        var changed = new PoolChange.AddLabel("p", "team", "a").applied(problem, pod("web").pod());

        assertThat(changed.nodePools())
                .containsExactly(
                        nodePool("o").nodePool(), nodePool("p").label("team", "a").nodePool());
    }

    @Test
    void onlyThePodThatIsNamedChanges() {
        var problem = cluster().with(pod("api", "2"), pod("web", "2")).problem();

        var changed =
                new PodChange.AskForLess(Resources.parse("cpu", "1"), 0.5)
                        .applied(problem, pod("web", "2").pod());

        assertThat(changed.snapshot().pods())
                .containsExactly(pod("api", "2").pod(), pod("web", "1").pod());
    }

    @Test
    void aRenamedRequirementKeepsWhatItAsks() {
        var rename = new PoolChange.RenameRequirement("p", "zoen", "zone");

        assertThat(required(rename, in("zoen", "a"), ARCH)).containsExactly(in("zone", "a"), ARCH);
        assertThat(required(rename, notIn("zoen", "a").withMinValues(2)))
                .containsExactly(notIn("zone", "a").withMinValues(2));
        assertThat(required(rename, gt("zoen", 1).intersection(lt("zoen", 9))))
                .containsExactly(gt("zone", 1).intersection(lt("zone", 9)));
    }

    @Test
    void aValueIsReplacedWhereItIsRequired() {
        var replace = new PoolChange.ReplaceValue("p", "zone", "a", "b");

        assertThat(required(replace, in("zone", "a", "c").withMinValues(2), in("rack", "a")))
                .containsExactly(in("zone", "b", "c").withMinValues(2), in("rack", "a"));
        assertThat(required(replace, in("zone", "c"))).containsExactly(in("zone", "c"));
        assertThat(required(replace, notIn("zone", "c"))).containsExactly(notIn("zone", "c"));
    }

    @Test
    void aListedLabelAdmitsOneValueMore() {
        var admit = new PoolChange.Admit("p", "zone", "b");

        assertThat(required(admit, in("zone", "a").withMinValues(1), in("rack", "a")))
                .containsExactly(in("zone", "a", "b").withMinValues(1), in("rack", "a"));
    }

    @Test
    void anExcludedValueIsExcludedNoLonger() {
        var admit = new PoolChange.Admit("p", "zone", "b");

        assertThat(required(admit, notIn("zone", "a", "b"))).containsExactly(notIn("zone", "a"));
        assertThat(required(admit, notIn("zone", "a"))).containsExactly(notIn("zone", "a"));
    }

    @Test
    void boundsThatExcludeAValueAreGivenUp() {
        var admit = new PoolChange.Admit("p", "cpus", "8");

        assertThat(required(admit, gt("cpus", 10).withMinValues(2)))
                .containsExactly(exists("cpus").withMinValues(2));
        assertThat(required(admit, lt("cpus", 4))).containsExactly(exists("cpus"));
        assertThat(required(admit, gt("cpus", 10).intersection(notIn("cpus", "12"))))
                .containsExactly(notIn("cpus", "12"));
        assertThat(required(admit, gt("cpus", 4))).containsExactly(gt("cpus", 4));
    }

    @Test
    void otherLimitsStayAsTheyAre() {
        var pool = nodePool("p").limit("cpu", "4").limit("memory", "8Gi").nodePool();

        assertThat(new PoolChange.RaiseLimits("p", Resources.parse("cpu", "8")).on(pool).limits())
                .isEqualTo(Resources.parse("cpu", "8", "memory", "8Gi"));
    }

    @Test
    void minValuesAreLoweredOrTakenAwayOfOneLabel() {
        var two = exists("zone").withMinValues(2);
        var other = exists("arch").withMinValues(2);

        assertThat(required(new PoolChange.LowerMinValues("p", "zone", 1), two, other))
                .containsExactly(exists("zone").withMinValues(1), other);
        assertThat(required(new PoolChange.LowerMinValues("p", "zone", 0), two, other))
                .containsExactly(exists("zone"), other);
    }

    @Test
    void aLabelComesBesideThoseThePoolHas() {
        var pool = nodePool("p").label("tier", "b").nodePool();

        assertThat(new PoolChange.AddLabel("p", "team", "a").on(pool))
                .isEqualTo(nodePool("p").label("tier", "b").label("team", "a").nodePool());
    }

    @Test
    void oneTaintIsTakenAwayAndOthersStay() {
        var pool = nodePool("p").taint(taint("team", "a")).taint(taint("team", "b")).nodePool();

        NodePool changed = new PoolChange.DropTaint("p", taint("team", "a")).on(pool);

        assertThat(changed).isEqualTo(nodePool("p").taint(taint("team", "b")).nodePool());
    }

    @Test
    void allThatIsRequiredOfOneLabelIsDropped() {
        assertThat(
                        required(
                                new PoolChange.DropRequirement("p", "zone"),
                                in("zone", "a"),
                                ARCH,
                                notIn("zone", "b")))
                .containsExactly(ARCH);
    }
}
