package dev.millwright.testing.e2e.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.doctor.Check;
import dev.millwright.providers.aws.doctor.Doctor;
import dev.millwright.providers.aws.doctor.Examination;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.AwsEndpointExtension;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// What the doctor says of an account in order, and of one with each thing missing.
@ExtendWith(AwsEndpointExtension.class)
final class DoctorIT {

    private static final String CLUSTER = AwsEndpoint.CLUSTER;
    private static final Examination WHOLE =
            new Examination(
                    CLUSTER,
                    AwsEndpoint.REGION,
                    AwsEndpoint.QUEUE,
                    AwsEndpoint.ROLE,
                    "https://TEST-cluster:443/");

    private final AwsEndpoint aws = AwsEndpoint.shared();
    private final SdkClients clients = aws.sdkClients();
    private final Rig rig = new Rig(Ec2NodeClass.TYPE);

    @BeforeEach
    void prepare() {
        rig.apply(Manifest.node("system-1"));
        aws.roles("AWSServiceRoleForEC2Spot");
    }

    @AfterEach
    void close() {
        clients.close();
    }

    /// A cluster in which nobody serves our classes.
    private record Unprepared(KubeApi api) implements KubeApi {
        @Override
        public ApiAnswer read(ResourceType type, ObjectName name) {
            return api.read(type, name);
        }

        @Override
        public ApiAnswer write(ApiWrite write) {
            throw new AssertionError("the doctor writes " + write);
        }

        @Override
        public ListAnswer list(ResourceType type, ListQuery query) {
            return type.equals(Ec2NodeClass.TYPE)
                    ? new ListAnswer.NotServed()
                    : api.list(type, query);
        }

        @Override
        public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
            return api.watch(type, query, sink);
        }
    }

    private List<Check> examine(KubeApi api, Examination what) {
        var services =
                new Doctor.Services(
                        clients.identity(),
                        clients.ec2(),
                        clients.iam(),
                        clients.eks(),
                        clients.sqs(),
                        clients.ssm());
        return new Doctor(services, api).examine(what);
    }

    private Check check(String name, KubeApi api, Examination what) {
        return examine(api, what).stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no check " + name));
    }

    private Check check(String name) {
        return check(name, rig.api(), WHOLE);
    }

    private static void assertFix(Check check, String found, String command) {
        assertThat(check.state()).isEqualTo(Check.State.FIX);
        assertThat(check.found()).contains(found);
        assertThat(check.fix()).isNotEmpty().anyMatch(each -> each.contains(command));
    }

    @Test
    void anAccountInOrderNeedsNothingAndIsNotChanged() {
        var checks = examine(rig.api(), WHOLE);

        assertThat(checks).allMatch(check -> check.state() == Check.State.OK, "is ok");
        assertThat(checks)
                .extracting(Check::name)
                .containsExactly(
                        "region",
                        "credentials",
                        "cluster",
                        "subnets",
                        "security-groups",
                        "images",
                        "ec2-read",
                        "ec2-launch",
                        "ec2-change",
                        "queue",
                        "node-role",
                        "spot-role",
                        "definitions",
                        "static-nodes");
        assertThat(rig.api().writes()).isEmpty();
        assertThat(aws.instances()).isEmpty();
        assertThat(check("credentials").found()).contains(AwsEndpoint.ACCOUNT);
        assertThat(check("subnets").found()).startsWith("3, with free addresses in us-east-1a ");
    }

    @Test
    void whoIsNobodyToAwsIsToldThatAndWhatWasSkipped() {
        aws.fail(ApiFault.refuse("GetCallerIdentity", "InvalidClientTokenId", 403));
        var checks = examine(rig.api(), WHOLE);

        assertFix(checks.get(1), "InvalidClientTokenId", "aws sts get-caller-identity");
        assertThat(checks)
                .filteredOn(check -> check.state() == Check.State.SKIPPED)
                .hasSize(10)
                .allMatch(check -> check.found().equals("needs credentials"));
        assertThat(checks).extracting(Check::name).endsWith("definitions", "static-nodes");
    }

    @Test
    void aClusterThatIsNotThereIsTold() {
        var other = new Examination("other", AwsEndpoint.REGION, "", "", null);
        assertFix(check("cluster", rig.api(), other), "cluster other", "aws eks list-clusters");
        assertThat(check("queue", rig.api(), other).state()).isEqualTo(Check.State.UNKNOWN);
        assertThat(check("node-role", rig.api(), other).state()).isEqualTo(Check.State.UNKNOWN);
    }

    @Test
    void aKubeconfigOfAnotherClusterIsTold() {
        var astray =
                new Examination(CLUSTER, AwsEndpoint.REGION, "", "", "https://elsewhere.example");
        assertFix(
                check("cluster", rig.api(), astray),
                "https://elsewhere.example",
                "aws eks update-kubeconfig --region us-east-1 --name test-cluster");
    }

    @Test
    void whatHasNoTagIsTold() {
        aws.cluster("bare", Tree.of("version", "1.35"));
        var bare = new Examination("bare", AwsEndpoint.REGION, "", "", null);
        assertFix(
                check("subnets", rig.api(), bare),
                "karpenter.sh/discovery=bare",
                "aws ec2 create-tags --region us-east-1 --resources $(aws eks describe-cluster");
        assertFix(
                check("security-groups", rig.api(), bare),
                "karpenter.sh/discovery=bare",
                "Key=karpenter.sh/discovery,Value=bare");
    }

    @Test
    void subnetsWithoutFreeAddressesAreTold() {
        for (var number = 1; number <= 3; number++) {
            aws.freeAddresses("subnet-test" + number, 0);
        }
        assertFix(check("subnets"), "no node can start", "aws ec2 describe-subnets");
    }

    @ParameterizedTest
    @CsvSource({
        "DescribeSpotPriceHistory, ec2-read",
        "DescribeInstanceTypes,    ec2-read",
        "DescribePlacementGroups,  ec2-read",
        "RunInstances,             ec2-launch",
        "CreateLaunchTemplate,     ec2-launch",
    })
    void anActionThatIsRefusedIsToldWithAPolicy(String action, String name) {
        aws.fail(ApiFault.refuse(action, "UnauthorizedOperation", 403).always());
        assertFix(check(name), action, "\"ec2:" + action + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TerminateInstances", "CreateTags"})
    void whatAPolicyTiesToTagsIsToldOnceThereIsAnInstance(String action) throws AwsFault {
        aws.fail(ApiFault.refuse(action, "UnauthorizedOperation", 403).always());
        assertThat(check("ec2-change").state()).isEqualTo(Check.State.UNKNOWN);

        var launches = new Launches(clients);
        launches.prepare();
        launches.launch("m5.large");
        assertFix(check("ec2-change"), action, "\"ec2:" + action + "\"");
    }

    @Test
    void aQueueThatIsMissingOrMayNotBeReadIsTold() {
        var other =
                new Examination(CLUSTER, AwsEndpoint.REGION, "other", "", "https://test-cluster");
        assertFix(
                check("queue", rig.api(), other),
                "no queue other",
                "aws sqs create-queue --region us-east-1 --queue-name other");
        aws.fail(ApiFault.refuse("ReceiveMessage", "AccessDenied", 403));
        assertFix(check("queue"), "AccessDenied", "aws sqs get-queue-url");
    }

    @Test
    void aMessageThatWasSeenIsStillThere() {
        aws.messages(AwsEndpoint.QUEUE, List.of("{}"));
        check("queue");
        assertThat(aws.messages(AwsEndpoint.QUEUE)).isEqualTo(new TestAccount.Messages(1, 0, 0));
    }

    @Test
    void rolesThatAreMissingAreTold() {
        aws.fixture();
        assertFix(
                check("spot-role"),
                "AWSServiceRoleForEC2Spot",
                "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com");
        var other =
                new Examination(CLUSTER, AwsEndpoint.REGION, "", "nobody", "https://test-cluster");
        assertFix(
                check("node-role", rig.api(), other),
                "no role nobody",
                "aws iam create-role --role-name nobody");
        aws.fail(ApiFault.refuse("GetRole", "AccessDenied", 403));
        assertThat(check("node-role").state()).isEqualTo(Check.State.UNKNOWN);
    }

    @Test
    void aClusterWithoutDefinitionsOrNodesOfItsOwnIsTold() {
        assertFix(
                check("definitions", new Unprepared(rig.api()), WHOLE),
                "ec2nodeclasses.karpenter.k8s.aws",
                "kubectl apply -f");
        rig.apply(Manifest.node("system-1").nodePool("default"));
        assertFix(check("static-nodes"), "no node is free", "eksctl create nodegroup");
    }

    @Test
    void anImageThatCannotBeFoundIsTold() {
        aws.fail(ApiFault.refuse("GetParameter", "AccessDeniedException", 400));
        assertFix(check("images"), "AccessDeniedException", "aws ssm get-parameter");
    }
}
