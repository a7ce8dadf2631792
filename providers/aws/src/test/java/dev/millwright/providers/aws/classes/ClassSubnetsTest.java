package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Subnet;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;

/// Which subnets a class has.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C4")
class ClassSubnetsTest {

    private static final String DISCOVERED = "tags: {karpenter.sh/discovery: test-cluster";

    private static List<String> ids(ClassRig rig) {
        return rig.status().subnets().stream().map(Subnet::id).toList();
    }

    private static List<String> found(String terms) {
        var rig = new ClassRig().make("subnetSelectorTerms", terms);
        rig.look();
        return ids(rig);
    }

    @Test
    void aTagLeadsToAllSubnetsThatHaveIt() {
        var rig = new ClassRig().make();
        rig.look();

        assertThat(rig.status().subnets())
                .containsExactly(
                        new Subnet("subnet-test1", "us-east-1a", "use1-az2"),
                        new Subnet("subnet-test2", "us-east-1b", "use1-az4"),
                        new Subnet("subnet-test3", "us-east-1c", "use1-az6"));
        assertThat(rig.condition("SubnetsReady")).isEqualTo("True SubnetsReady");
    }

    @Test
    void theTagsOfOneTermMustAllHoldAndTermsAddUp() {
        assertThat(found("[{" + DISCOVERED + ", Name: test-subnet-2}}]"))
                .containsExactly("subnet-test2");
        assertThat(found("[{tags: {Name: test-subnet-2}}, {tags: {Name: test-subnet-3}}]"))
                .containsExactly("subnet-test2", "subnet-test3");
        assertThat(found("[{tags: {karpenter.sh/discovery: '*'}}]")).hasSize(3);
    }

    @Test
    void idsAndTagsAddUpAndTwoWaysToOneSubnetAreOne() {
        assertThat(found("[{id: subnet-test3}]")).containsExactly("subnet-test3");
        assertThat(found("[{id: subnet-test3}, {id: subnet-test1}]"))
                .containsExactly("subnet-test1", "subnet-test3");
        assertThat(found("[{id: subnet-test2}, {tags: {Name: test-subnet-2}}]"))
                .containsExactly("subnet-test2");
    }

    @Test
    void mostFreeAddressesComeFirst(TestAccount aws) {
        aws.freeAddresses("subnet-test1", 10);
        aws.freeAddresses("subnet-test2", 300);
        aws.freeAddresses("subnet-test3", 20);

        assertThat(found("[{" + DISCOVERED + "}}]"))
                .containsExactly("subnet-test2", "subnet-test3", "subnet-test1");
    }

    @Test
    void aChangedSelectorCountsAtOnceAndReadyWaitsForIt() {
        var rig = new ClassRig().make();
        rig.look();
        rig.change("subnetSelectorTerms", "[{id: subnet-test2}]");
        assertThat(rig.status().subnets()).hasSize(3);
        rig.look();

        assertThat(ids(rig)).containsExactly("subnet-test2");
        assertThat(rig.condition("Ready")).isEqualTo("True Ready");
    }

    @Test
    void noSubnetMakesTheClassUnreadyAndIsLookedForAgainSoon(TestAccount aws) {
        var rig = new ClassRig().make("subnetSelectorTerms", "[{tags: {Name: none}}]");
        var ending = rig.look();

        assertThat(ids(rig)).isEmpty();
        assertThat(rig.condition("SubnetsReady")).isEqualTo("False SubnetsNotFound");
        assertThat(rig.message("SubnetsReady")).contains("default", "subnetSelectorTerms");
        assertThat(rig.condition("Ready")).isEqualTo("False UnhealthyDependents");
        assertThat(rig.condition("ValidationSucceeded")).isEqualTo("False DependenciesNotReady");
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        var calls = aws.calls("DescribeSubnets");
        rig.look();
        assertThat(aws.calls("DescribeSubnets")).isEqualTo(calls + 1);
    }

    @Test
    void pagesAreReadToTheEnd(TestAccount aws) {
        aws.pagesOf(1);

        assertThat(found("[{" + DISCOVERED + "}}]")).hasSize(3);
        assertThat(aws.calls("DescribeSubnets")).isEqualTo(3);
    }

    @Test
    void anAnswerIsGoodForAMinute(TestAccount aws) {
        var rig = new ClassRig().make();
        rig.look();
        rig.lookAfter(Duration.ofSeconds(59));
        assertThat(aws.calls("DescribeSubnets")).isEqualTo(1);

        rig.lookAfter(Duration.ofSeconds(1));
        assertThat(aws.calls("DescribeSubnets")).isEqualTo(2);
    }

    @Test
    void aLookThatFindsNothingNewWritesNothing() {
        var rig = new ClassRig().make();
        rig.look();
        rig.rig().api().forgetWrites();
        rig.look();
        rig.lookAfter(Duration.ofMinutes(10));

        assertThat(rig.rig().api().writes()).isEmpty();
    }

    @Test
    void whatEc2DoesNotTellStaysAsItWas(TestAccount aws) {
        var rig = new ClassRig().make();
        rig.look();
        aws.fail(ApiFault.refuse("DescribeSubnets", "InternalError", 500).always());
        var ending = rig.lookAfter(Duration.ofMinutes(2));

        assertThat(ids(rig)).hasSize(3);
        assertThat(rig.condition("SubnetsReady")).isEqualTo("True SubnetsReady");
        assertThat(ending).isInstanceOf(Ending.Failed.class);

        rig.change("subnetSelectorTerms", "[{id: subnet-test2}]");
        rig.look();
        assertThat(rig.condition("Ready")).isEqualTo("Unknown ReconcilingDependents");
    }
}
