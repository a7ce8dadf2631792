package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.network.PlacementGroups.Answer;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.Objects;

/// Which placement group a class has.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C7")
class PlacementGroupTest {

    @BeforeEach
    void groups(TestAccount aws) {
        aws.placementGroups(
                group("pg-1", "close", "cluster"),
                group("pg-2", "parts", "partition").put("PartitionCount", 5),
                group("pg-3", "apart", "spread").put("SpreadLevel", "rack"),
                group("pg-4", "going", "cluster").put("State", "deleting"));
    }

    private static Tree group(String id, String name, String strategy) {
        return Tree.of("GroupId", id).put("GroupName", name).put("Strategy", strategy);
    }

    private static ClassRig looked(String selector) {
        var rig = new ClassRig().make("placementGroupSelector", selector);
        rig.look();
        return rig;
    }

    private static PlacementGroupInfo known(String selector) {
        var rig = looked(selector);
        assertThat(rig.condition("PlacementGroupReady")).isEqualTo("True PlacementGroupReady");
        return Objects.requireNonNull(rig.placementGroups().known(rig.nodeClass()));
    }

    @Test
    void aClassThatWantsNoneIsReady(TestAccount aws) {
        var rig = looked("");

        assertThat(rig.condition("PlacementGroupReady")).isEqualTo("True PlacementGroupReady");
        assertThat(rig.placementGroups().known(rig.nodeClass())).isNull();
        assertThat(aws.calls("DescribePlacementGroups")).isZero();
    }

    @Test
    void aGroupIsFoundByNameOrIdWithItsStrategy() {
        assertThat(known("{name: close}"))
                .isEqualTo(new PlacementGroupInfo("pg-1", "close", "available", "cluster", 0, ""));
        assertThat(known("{id: pg-2}"))
                .isEqualTo(
                        new PlacementGroupInfo("pg-2", "parts", "available", "partition", 5, ""));
        assertThat(known("{id: pg-3}").spreadLevel()).isEqualTo("rack");
    }

    @Test
    void aGroupThatIsMissingOrGoingMakesTheClassUnready() {
        var rig = looked("{name: none}");
        assertThat(rig.condition("PlacementGroupReady")).isEqualTo("False PlacementGroupNotFound");
        assertThat(rig.message("PlacementGroupReady")).contains("name \"none\"");

        assertThat(looked("{id: pg-4}").condition("PlacementGroupReady"))
                .isEqualTo("False PlacementGroupNotFound");
    }

    @Test
    void anotherSelectorOrNoneCountsAtOnce() {
        var rig = looked("{name: close}");
        rig.change("placementGroupSelector", "{name: parts}").look();
        assertThat(rig.placementGroups().known(rig.nodeClass()))
                .extracting(PlacementGroupInfo::id)
                .isEqualTo("pg-2");

        rig.change("placementGroupSelector", "").look();
        assertThat(rig.placementGroups().known(rig.nodeClass())).isNull();
        assertThat(rig.condition("PlacementGroupReady")).isEqualTo("True PlacementGroupReady");
    }

    @Test
    void whenEc2DoesNotTellTheOldAnswerIsThereAndTheFaultIsTold(TestAccount aws) {
        var rig = looked("{name: close}");
        aws.fail(ApiFault.refuse("DescribePlacementGroups", "InternalError", 500).always());
        var ending = rig.lookAfter(Duration.ofMinutes(1));

        assertThat(rig.condition("PlacementGroupReady"))
                .isEqualTo("False PlacementGroupResolutionFailed");
        assertThat(ending).isInstanceOf(Ending.Failed.class);
        assertThat(rig.placementGroups().known(rig.nodeClass())).isNotNull();
        assertThat(rig.placementGroups().of(rig.nodeClass()))
                .isInstanceOfSatisfying(
                        Answer.Failed.class, failed -> assertThat(failed.before()).isNotNull());
    }

    @Test
    void anAnswerIsGoodForAMinute(TestAccount aws) {
        var rig = looked("{name: close}");
        rig.lookAfter(Duration.ofSeconds(59));
        assertThat(aws.calls("DescribePlacementGroups")).isEqualTo(1);

        rig.lookAfter(Duration.ofSeconds(1));
        assertThat(aws.calls("DescribePlacementGroups")).isEqualTo(2);
    }

    @Test
    void aGroupThatWasDeletedDoesNotComeBack(TestAccount aws) {
        var rig = looked("{name: close}");
        aws.placementGroups();
        rig.lookAfter(Duration.ofMinutes(1));
        rig.lookAfter(Duration.ofSeconds(10));

        assertThat(rig.condition("PlacementGroupReady")).isEqualTo("False PlacementGroupNotFound");
        assertThat(rig.placementGroups().known(rig.nodeClass())).isNull();
    }
}
