package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IamApi.Profile;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The instance profile of a class that names a role, or the profile itself.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C8")
class InstanceProfileTest {

    private static final String PATH = "/karpenter/us-east-1/test-cluster/class-uid/";
    private static final Duration A_WHILE = Duration.ofMinutes(2);

    private static ClassRig looked(String... fieldsAndValues) {
        var rig = new ClassRig().make(fieldsAndValues);
        rig.look();
        return rig;
    }

    private static String profile(ClassRig rig) {
        return Objects.requireNonNullElse(rig.status().instanceProfile(), "");
    }

    private static List<Profile> made(ClassRig rig) throws AwsFault {
        return rig.clients().iam().profiles(PATH);
    }

    private static int writes(TestAccount aws) {
        return aws.calls("CreateInstanceProfile")
                + aws.calls("AddRoleToInstanceProfile")
                + aws.calls("RemoveRoleFromInstanceProfile")
                + aws.calls("DeleteInstanceProfile");
    }

    @Test
    void aRoleGetsAProfileWithPathAndTags() throws AwsFault {
        var rig = looked("tags", "{team: a}");

        assertThat(profile(rig)).startsWith("test-cluster_");
        assertThat(rig.condition("InstanceProfileReady")).isEqualTo("True InstanceProfileReady");
        var made = rig.clients().iam().profile(profile(rig));
        assertThat(made.roles()).containsExactly("test-role");
        assertThat(made.path()).isEqualTo(PATH);
        assertThat(made.tags())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "team", "a",
                                "kubernetes.io/cluster/test-cluster", "owned",
                                "eks:eks-cluster-name", "test-cluster",
                                "karpenter.k8s.aws/ec2nodeclass", "default",
                                "topology.kubernetes.io/region", "us-east-1"));
    }

    @Test
    void theRightRoleCostsNothingMore(TestAccount aws) throws AwsFault {
        var rig = looked();
        var before = profile(rig);
        var writes = writes(aws);
        rig.look();
        rig.lookAfter(A_WHILE);
        rig.lookAfter(Duration.ofMinutes(20));

        assertThat(profile(rig)).isEqualTo(before);
        assertThat(writes(aws)).isEqualTo(writes);
        assertThat(made(rig)).hasSize(1);
    }

    @Test
    void aRoleWithAPathIsTheRightOneToo(TestAccount aws) throws AwsFault {
        var rig = looked("role", "team/test-role");
        rig.lookAfter(A_WHILE);
        rig.lookAfter(Duration.ofMinutes(20));

        assertThat(made(rig)).hasSize(1);
        assertThat(aws.calls("CreateInstanceProfile")).isEqualTo(1);
    }

    @Test
    void anotherRoleGetsAnotherProfileAndBothAreKept() throws AwsFault {
        var rig = looked();
        var before = profile(rig);
        rig.change("role", "other-role").look();

        assertThat(profile(rig)).isNotEqualTo(before);
        assertThat(rig.clients().iam().profile(before).roles()).containsExactly("test-role");
        assertThat(rig.clients().iam().profile(profile(rig)).roles()).containsExactly("other-role");
        rig.profiles().sweep(Set.of());
        assertThat(made(rig)).hasSize(2);
    }

    @Test
    void aProfileThatSomebodyTookTheRoleFromIsReplaced() throws AwsFault {
        var rig = looked();
        var before = profile(rig);
        rig.clients().iam().removeRole(before, "test-role");
        rig.lookAfter(Duration.ofMinutes(16));

        assertThat(profile(rig)).isNotEqualTo(before);
        assertThat(rig.clients().iam().profile(profile(rig)).roles()).containsExactly("test-role");
    }

    @Test
    void aProfileThatIsGoneIsMadeAnew(TestAccount aws) throws AwsFault {
        var rig = looked();
        var before = profile(rig);
        rig.clients().iam().removeRole(before, "test-role");
        rig.clients().iam().deleteProfile(before);
        rig.lookAfter(Duration.ofMinutes(16));

        assertThat(profile(rig)).isNotEqualTo(before);
        assertThat(made(rig)).hasSize(1);
    }

    @Test
    void aStatusThatWasNotWrittenDoesNotMakeTwo(TestAccount aws) throws AwsFault {
        var rig = new ClassRig().make();
        rig.rig().run(rig.controller(), "default");
        rig.rig().api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "modified"));
        assertThat(rig.rig().run(rig.controller(), "default")).isEqualTo(new Ending.Retry());
        assertThat(profile(rig)).isEmpty();
        rig.look();

        assertThat(made(rig)).extracting(Profile::name).containsExactly(profile(rig));
    }

    @Test
    void aNamedProfileIsTakenWithoutAWordToIam(TestAccount aws) {
        var rig = looked("role", "", "instanceProfile", "my-profile");

        assertThat(profile(rig)).isEqualTo("my-profile");
        assertThat(rig.condition("InstanceProfileReady")).isEqualTo("True InstanceProfileReady");
        assertThat(writes(aws)).isZero();
        assertThat(aws.calls("GetInstanceProfile")).isZero();
    }

    @Test
    void aClassMayGoFromRoleToProfileAndBack() throws AwsFault {
        var rig = looked();
        var first = profile(rig);
        rig.change("role", "").change("instanceProfile", "my-profile").look();
        assertThat(profile(rig)).isEqualTo("my-profile");
        rig.profiles().sweep(Set.of());
        assertThat(made(rig)).extracting(Profile::name).containsExactly(first);

        rig.change("instanceProfile", "").change("role", "test-role");
        rig.lookAfter(A_WHILE);
        assertThat(profile(rig)).startsWith("test-cluster_");
        assertThat(rig.clients().iam().profile(profile(rig)).roles()).containsExactly("test-role");
    }

    @Test
    void aMissingRoleIsNotAskedForAgainForAMinuteAndLeavesNoProfile(TestAccount aws)
            throws AwsFault {
        var rig = new ClassRig().make("role", "no-such-role");
        var ending = rig.look();
        assertThat(ending.toString()).contains("NoSuchEntity");
        assertThat(rig.condition("InstanceProfileReady"))
                .isEqualTo("Unknown AwaitingReconciliation");
        assertThat(rig.condition("ValidationSucceeded")).isEqualTo("Unknown DependenciesNotReady");
        assertThat(made(rig)).isEmpty();

        rig.look();
        assertThat(aws.calls("CreateInstanceProfile")).isEqualTo(1);
        rig.lookAfter(Duration.ofMinutes(1));
        assertThat(aws.calls("CreateInstanceProfile")).isEqualTo(2);
        rig.change("role", "test-role").look();
        assertThat(rig.condition("InstanceProfileReady")).isEqualTo("True InstanceProfileReady");
    }

    @Test
    void aPassingFaultIsToldAndTheHalfMadeProfileTakenBack(TestAccount aws) throws AwsFault {
        aws.fail(ApiFault.refuse("AddRoleToInstanceProfile", "LimitExceeded", 409));
        var rig = new ClassRig().make();
        assertThat(rig.look()).isInstanceOf(Ending.Failed.class);
        assertThat(made(rig)).isEmpty();

        rig.look();
        assertThat(rig.condition("InstanceProfileReady")).isEqualTo("True InstanceProfileReady");
        assertThat(made(rig)).hasSize(1);
    }

    @Test
    void aCallOfWhichNothingWasHeardIsNoSecondProfile(TestAccount aws) throws AwsFault {
        aws.fail(ApiFault.hangUpAfter("CreateInstanceProfile"));
        var rig = looked();

        assertThat(rig.condition("InstanceProfileReady")).isEqualTo("True InstanceProfileReady");
        assertThat(made(rig)).extracting(Profile::name).containsExactly(profile(rig));
    }
}
