package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.nodeclass.NodeClassStatus.SecurityGroup;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;

/// Which security groups a class has.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C5")
class ClassGroupsTest {

    private static List<String> ids(ClassRig rig) {
        return rig.status().securityGroups().stream().map(SecurityGroup::id).toList();
    }

    private static List<String> found(String terms) {
        var rig = new ClassRig().make("securityGroupSelectorTerms", terms);
        rig.look();
        return ids(rig);
    }

    @Test
    void aTagLeadsToAllGroupsThatHaveIt() {
        var rig = new ClassRig().make();
        rig.look();

        assertThat(rig.status().securityGroups())
                .containsExactly(
                        new SecurityGroup("sg-test1", "securityGroup-test1"),
                        new SecurityGroup("sg-test2", "securityGroup-test2"),
                        new SecurityGroup("sg-test3", "securityGroup-test3"));
        assertThat(rig.condition("SecurityGroupsReady")).isEqualTo("True SecurityGroupsReady");
    }

    @Test
    void idsNamesAndTagsAddUp() {
        assertThat(found("[{id: sg-test2}]")).containsExactly("sg-test2");
        assertThat(found("[{name: securityGroup-test3}]")).containsExactly("sg-test3");
        assertThat(
                        found(
                                "[{name: securityGroup-test3}, {id: sg-test1}, {tags: {Name: test-security-group-1}}]"))
                .containsExactly("sg-test1", "sg-test3");
    }

    @Test
    void theTagsOfOneTermMustAllHoldAndTermsAddUp() {
        assertThat(
                        found(
                                "[{tags: {karpenter.sh/discovery: test-cluster, Name: test-security-group-2}}]"))
                .containsExactly("sg-test2");
        assertThat(
                        found(
                                "[{tags: {Name: test-security-group-2}}, {tags: {Name: test-security-group-1}}]"))
                .containsExactly("sg-test1", "sg-test2");
    }

    @Test
    void ofATermWithTwoWaysTheIdWinsThenTheName() {
        assertThat(found("[{id: sg-test1, name: securityGroup-test2}]"))
                .containsExactly("sg-test1");
        assertThat(found("[{name: securityGroup-test2, tags: {Name: none}}]"))
                .containsExactly("sg-test2");
    }

    @Test
    void aChangedSelectorCountsAtOnce() {
        var rig = new ClassRig().make();
        rig.look();
        rig.change("securityGroupSelectorTerms", "[{id: sg-test2}]").look();

        assertThat(ids(rig)).containsExactly("sg-test2");
    }

    @Test
    void noGroupMakesTheClassUnreadyAndIsLookedForAgainSoon() {
        var rig = new ClassRig().make("securityGroupSelectorTerms", "[{name: none}]");
        var ending = rig.look();

        assertThat(rig.condition("SecurityGroupsReady")).isEqualTo("False SecurityGroupsNotFound");
        assertThat(rig.condition("Ready")).isEqualTo("False UnhealthyDependents");
        assertThat(rig.message("Ready")).contains("SecurityGroupsReady=False");
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
    }

    @Test
    void pagesAreReadToTheEnd(TestAccount aws) {
        aws.pagesOf(1);

        assertThat(found("[{tags: {karpenter.sh/discovery: '*'}}]")).hasSize(3);
    }

    @Test
    void anAnswerIsGoodForAMinuteForWhoeverAsksTheSame(TestAccount aws) {
        var rig = new ClassRig().make();
        rig.look();
        rig.lookAfter(Duration.ofSeconds(59));
        assertThat(aws.calls("DescribeSecurityGroups")).isEqualTo(1);

        rig.lookAfter(Duration.ofSeconds(1));
        assertThat(aws.calls("DescribeSecurityGroups")).isEqualTo(2);
    }

    @Test
    void whatEc2DoesNotTellStaysAsItWas(TestAccount aws) {
        var rig = new ClassRig().make();
        rig.look();
        aws.fail(ApiFault.refuse("DescribeSecurityGroups", "UnauthorizedOperation", 403).always());
        var ending = rig.lookAfter(Duration.ofMinutes(2));

        assertThat(ids(rig)).hasSize(3);
        assertThat(ending.toString()).contains("default", "UnauthorizedOperation");
    }
}
