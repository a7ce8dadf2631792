package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.TreeMap;

/// Whether EC2 would let a class's launches through, and what the class says when it would not.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C10")
class ClassValidationTest {

    private static final String VALIDATION = "ValidationSucceeded";
    private static final String GOOD = "True ValidationSucceeded";

    private static ClassRig tried() {
        return new ClassRig(ClassRig.Setup.USUAL.tried());
    }

    private static ClassRig looked(String... fieldsAndValues) {
        var rig = tried().make(fieldsAndValues);
        rig.look();
        return rig;
    }

    private static ApiFault unauthorized(String action) {
        return ApiFault.refuse(action, "UnauthorizedOperation", 403).always();
    }

    /// A throttled client is slow for a while: it must not be the one of other tests.
    private static ClassRig apart(TestAccount aws) {
        return new ClassRig(ClassRig.Setup.USUAL.with(aws.clients()).tried());
    }

    private static int trials(TestAccount aws) {
        return aws.calls("CreateFleet") + aws.calls("RunInstances");
    }

    @Test
    void aClassThatEc2WouldLaunchIsGood(TestAccount aws) {
        var rig = tried().make();
        var ending = rig.look();

        assertThat(rig.condition(VALIDATION)).isEqualTo(GOOD);
        assertThat(rig.condition("Ready")).isEqualTo("True Ready");
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(aws.instanceIds()).isEmpty();
        assertThat(trials(aws)).isEqualTo(2);
    }

    @Test
    void withoutTrialsAClassIsGoodUntried(TestAccount aws) {
        var rig = new ClassRig().make();
        rig.look();

        assertThat(rig.condition(VALIDATION)).isEqualTo(GOOD);
        assertThat(trials(aws)).isZero();
    }

    @Test
    void whatItNeedsMustBeThereFirst(TestAccount aws) {
        assertThat(looked("subnetSelectorTerms", "[{id: subnet-none}]").condition(VALIDATION))
                .isEqualTo("False DependenciesNotReady");
        assertThat(looked("role", "no-such-role").condition(VALIDATION))
                .isEqualTo("Unknown DependenciesNotReady");
        assertThat(trials(aws)).isZero();
    }

    @Test
    void onlyAl2023NeedsTheServicesAddresses(TestAccount aws) {
        var ipv6 = Tree.of("serviceIpv6Cidr", "fd00::/108");
        aws.cluster(TestAccount.CLUSTER, Tree.of("kubernetesNetworkConfig", ipv6));
        assertThat(looked().condition(VALIDATION)).isEqualTo(GOOD);
        assertThat(aws.calls("DescribeCluster")).isEqualTo(2);

        aws.cluster(TestAccount.CLUSTER, Tree.of("kubernetesNetworkConfig", Tree.of()));
        var rig = looked();
        assertThat(rig.condition(VALIDATION)).isEqualTo("False ClusterCIDRResolutionFailed");
        assertThat(rig.message(VALIDATION)).contains("default", "AL2023");
        assertThat(
                        looked("amiSelectorTerms", "[{alias: bottlerocket@latest}]")
                                .condition(VALIDATION))
                .isEqualTo(GOOD);
    }

    @Test
    void servicesAddressesThatEksDoesNotTellNowAreAskedForAgain(TestAccount aws) {
        var rig = apart(aws).make("amiFamily", "AL2023", "amiSelectorTerms", "[{id: ami-test1}]");
        aws.fail(ApiFault.refuse("DescribeCluster", "ServerException", 500).times(3));
        assertThat(rig.look()).isEqualTo(new Ending.Retry());
        assertThat(rig.condition(VALIDATION)).isEqualTo("Unknown AwaitingReconciliation");

        rig.look();
        assertThat(rig.condition(VALIDATION)).isEqualTo(GOOD);
    }

    @Test
    void aTagThatIsOursIsRefused(TestAccount aws) {
        var rig = looked("tags", "{karpenter.sh/nodeclaim: mine}");

        assertThat(rig.condition(VALIDATION)).isEqualTo("False TagValidationFailed");
        assertThat(rig.message(VALIDATION)).contains("default", "karpenter.sh/nodeclaim");
        assertThat(trials(aws)).isZero();
    }

    @Test
    void whatTheControllerMayNotDoIsToldByItsName(TestAccount aws) {
        aws.fail(unauthorized("CreateLaunchTemplate"));
        assertThat(looked().condition(VALIDATION))
                .isEqualTo("False CreateLaunchTemplateAuthCheckFailed");
        aws.noFaults();
        aws.fail(unauthorized("CreateFleet"));
        assertThat(looked().condition(VALIDATION)).isEqualTo("False CreateFleetAuthCheckFailed");
        aws.noFaults();
        aws.fail(unauthorized("RunInstances"));
        var rig = looked();
        assertThat(rig.condition(VALIDATION)).isEqualTo("False RunInstancesAuthCheckFailed");
        assertThat(rig.message(VALIDATION)).contains("default", "identity-based policy");
        assertThat(rig.condition("Ready")).isEqualTo("False UnhealthyDependents");
    }

    @Test
    void whoDeniesItIsToldToo(TestAccount aws) {
        aws.fail(
                unauthorized("CreateFleet")
                        .saying("no, with an explicit deny in a permissions boundary"));
        assertThat(looked().message(VALIDATION)).contains("permissions boundary");
        aws.noFaults();
        aws.fail(
                unauthorized("CreateFleet")
                        .saying("no, with an explicit deny in a service control policy"));
        assertThat(looked().message(VALIDATION)).contains("service control policy");
    }

    @Test
    void oneSubnetThatWorksWillDo(TestAccount aws) {
        aws.fail(
                ApiFault.refuse("RunInstances", "InternalError", 500)
                        .always()
                        .matching("subnet-test1"));

        assertThat(looked().condition(VALIDATION)).isEqualTo(GOOD);
        assertThat(aws.calls("RunInstances")).isEqualTo(2);
    }

    @Test
    void whatWillPassIsTriedAgainAndTellsNothing(TestAccount aws) {
        aws.fail(ApiFault.throttle("CreateFleet"));
        var rig = apart(aws).make();
        assertThat(rig.look()).isEqualTo(new Ending.Retry());
        assertThat(rig.condition(VALIDATION)).isEqualTo("Unknown AwaitingReconciliation");

        rig.look();
        assertThat(rig.condition(VALIDATION)).isEqualTo(GOOD);
    }

    @Test
    void aProfileThatEc2HasNotHeardOfYetIsWaitedFor(TestAccount aws) {
        aws.fail(
                ApiFault.refuse("RunInstances", "InvalidParameterValue", 400)
                        .saying("Invalid IAM Instance Profile name")
                        .times(3));
        var rig = tried().make();
        assertThat(rig.look()).isEqualTo(new Ending.Retry());
        assertThat(rig.condition(VALIDATION)).isEqualTo("Unknown AwaitingReconciliation");

        rig.look();
        assertThat(rig.condition(VALIDATION)).isEqualTo(GOOD);
    }

    @Test
    void aProfileThatIsNamedAndMissingIsTold() throws AwsFault {
        var rig = tried().make("role", "", "instanceProfile", "my-profile");
        assertThat(rig.look()).isEqualTo(new Ending.Retry());
        assertThat(rig.condition(VALIDATION)).isEqualTo("False InstanceProfileNotFound");
        assertThat(rig.message(VALIDATION)).contains("my-profile");

        rig.clients().iam().createProfile("my-profile", "/", new TreeMap<>());
        rig.look();
        assertThat(rig.condition(VALIDATION)).isEqualTo(GOOD);
    }

    @Test
    void userDataThatIsTooLongIsToldAndOtherFaultsOfItAreNot(TestAccount aws) {
        aws.fail(
                ApiFault.refuse("CreateLaunchTemplate", "InvalidUserData.Malformed", 400)
                        .saying("User data is limited to 16384 bytes")
                        .always());
        assertThat(looked().condition(VALIDATION)).isEqualTo("False UserDataSizeLimitExceeded");
        aws.noFaults();
        aws.fail(
                ApiFault.refuse("CreateLaunchTemplate", "InvalidUserData.Malformed", 400)
                        .saying("Invalid BASE64 encoding of user data")
                        .always());
        var rig = tried().make();
        assertThat(rig.look().toString()).contains("InvalidUserData.Malformed");
        assertThat(rig.condition(VALIDATION)).isEqualTo("Unknown AwaitingReconciliation");
    }

    @Test
    void whatWasTriedIsKnownForHalfAnHourGoodOrBad(TestAccount aws) {
        aws.fail(unauthorized("CreateFleet"));
        var rig = looked();
        aws.noFaults();
        rig.lookAfter(Duration.ofMinutes(29));
        assertThat(rig.condition(VALIDATION)).isEqualTo("False CreateFleetAuthCheckFailed");
        assertThat(trials(aws)).isEqualTo(1);

        rig.lookAfter(Duration.ofMinutes(1));
        assertThat(rig.condition(VALIDATION)).isEqualTo(GOOD);
        assertThat(trials(aws)).isEqualTo(3);
        rig.lookAfter(Duration.ofMinutes(29));
        assertThat(trials(aws)).isEqualTo(3);
    }

    @Test
    void theOrderOfSubnetsIsNoReasonToTryAgain(TestAccount aws) {
        var rig = looked();
        aws.freeAddresses("subnet-test3", 9000);
        rig.lookAfter(Duration.ofMinutes(1));

        assertThat(rig.status().subnets().getFirst().id()).isEqualTo("subnet-test3");
        assertThat(trials(aws)).isEqualTo(2);
    }

    @Test
    void anotherSpecOrAnAnnotationHasItTriedAgain(TestAccount aws) {
        var rig = looked();
        rig.annotate("please", "again").look();
        assertThat(trials(aws)).isEqualTo(4);

        rig.change("detailedMonitoring", "true").look();
        assertThat(trials(aws)).isEqualTo(6);
    }

    @Test
    void aClassThatIsGoneIsForgotten(TestAccount aws) {
        var rig = looked();
        rig.delete().look();
        assertThat(rig.find()).isNull();
        rig.make().look();

        assertThat(rig.condition(VALIDATION)).isEqualTo(GOOD);
        assertThat(trials(aws)).isEqualTo(4);
    }
}
