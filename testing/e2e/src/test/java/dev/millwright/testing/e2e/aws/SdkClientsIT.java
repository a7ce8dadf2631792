package dev.millwright.testing.e2e.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IamApi;
import dev.millwright.providers.aws.api.SqsApi;
import dev.millwright.providers.aws.api.ZonalShiftApi;
import dev.millwright.providers.aws.sdk.CallListener;
import dev.millwright.providers.aws.sdk.CallMetrics;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.AwsEndpointExtension;
import dev.millwright.testing.kit.aws.TestAccount;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

@ExtendWith(AwsEndpointExtension.class)
class SdkClientsIT {

    private static final Duration HIDDEN = Duration.ofSeconds(20);

    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private final List<CallListener.Call> heard = new ArrayList<>();
    private final SdkClients clients = new SdkClients(endpoint.settings(), heard::add);

    @AfterEach
    void close() {
        clients.close();
    }

    @Test
    void profilesLiveUnderTheirPath() throws AwsFault {
        var iam = clients.iam();
        var tags = new TreeMap<String, String>();
        tags.put("team", "a");
        iam.createProfile("one", "/karpenter/us-east-1/test-cluster/uid/", tags);
        iam.createProfile("two", "/elsewhere/", tags);
        iam.addRole("one", AwsEndpoint.ROLE);
        assertThat(iam.profiles("/karpenter/us-east-1/test-cluster/"))
                .extracting(IamApi.Profile::name)
                .containsExactly("one");
        var profile = iam.profile("one");
        assertThat(profile.roles()).containsExactly(AwsEndpoint.ROLE);
        assertThat(profile.path()).isEqualTo("/karpenter/us-east-1/test-cluster/uid/");
        assertThat(profile.tags()).containsEntry("team", "a");
        assertThat(fault(() -> iam.createProfile("one", "/", tags)).isAlreadyThere()).isTrue();
        iam.removeRole("one", AwsEndpoint.ROLE);
        iam.deleteProfile("one");
        assertThat(fault(() -> iam.profile("one")).isNotFound()).isTrue();
    }

    @Test
    void aRoleIsFoundByItsName() throws AwsFault {
        assertThat(clients.iam().roleArn(AwsEndpoint.ROLE)).endsWith(":role/" + AwsEndpoint.ROLE);
        assertThat(fault(() -> clients.iam().roleArn("nobody")).isNotFound()).isTrue();
    }

    @Test
    void parametersAreReadByName() throws AwsFault {
        var name =
                "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id";
        assertThat(clients.ssm().parameter(name)).isEqualTo("ami-al2023amd64standard");
        var fault = fault(() -> clients.ssm().parameter("/aws/service/none"));
        assertThat(fault.isNotFound()).isTrue();
        assertThat(fault.isServerSide()).isFalse();
    }

    @Test
    void aClusterTellsHowToReachIt() throws AwsFault {
        var cluster = clients.eks().cluster(AwsEndpoint.CLUSTER);
        assertThat(cluster.arn()).isEqualTo(AwsEndpoint.CLUSTER_ARN);
        assertThat(cluster.endpoint()).isEqualTo("https://test-cluster");
        assertThat(cluster.certificateAuthority()).isNotEmpty();
        assertThat(cluster.version()).isEqualTo("1.35");
        assertThat(cluster.serviceIpv4Cidr()).isEqualTo("10.100.0.0/16");
        assertThat(cluster.serviceIpv6Cidr()).isEmpty();
        assertThat(fault(() -> clients.eks().cluster("none")).code())
                .isEqualTo("ResourceNotFoundException");
    }

    @Test
    void messagesAreReceivedHiddenAndDeleted() throws AwsFault {
        var sqs = clients.sqs();
        var url = sqs.queueUrl(AwsEndpoint.QUEUE);
        endpoint.messages(AwsEndpoint.QUEUE, List.of("one", "two"));
        var received = sqs.receive(url, 10, HIDDEN, Duration.ZERO);
        assertThat(received).extracting(SqsApi.Message::body).containsExactly("one", "two");
        assertThat(sqs.receive(url, 10, HIDDEN, Duration.ZERO)).isEmpty();
        sqs.delete(url, received.getFirst().receipt());
        assertThat(endpoint.messages(AwsEndpoint.QUEUE))
                .isEqualTo(new TestAccount.Messages(0, 1, 1));
    }

    @Test
    void aMissingQueueIsNotFound() {
        assertThat(fault(() -> clients.sqs().queueUrl("none")).isNotFound()).isTrue();
    }

    @Test
    void stateChangesOfInstancesReachTheQueue() throws AwsFault {
        var launches = new Launches(clients);
        launches.prepare();
        var id = launches.launch("m5.large");
        endpoint.tellStateChanges(AwsEndpoint.QUEUE);
        clients.ec2().terminate(List.of(id));
        var url = clients.sqs().queueUrl(AwsEndpoint.QUEUE);
        var received = clients.sqs().receive(url, 10, HIDDEN, Duration.ofSeconds(5));
        assertThat(received).hasSize(2);
        assertThat(received.getFirst().body())
                .contains("\"detail-type\": \"EC2 Instance State-change Notification\"")
                .contains("\"instance-id\": \"%s\"".formatted(id), "\"state\": \"shutting-down\"");
    }

    @Test
    void allPagesOfThePriceListAreRead() throws AwsFault {
        var fields = new TreeMap<String, String>();
        fields.put("regionCode", AwsEndpoint.REGION);
        fields.put("tenancy", "Shared");
        fields.put("productFamily", "Compute Instance");
        var products = clients.pricing().products(fields);
        assertThat(products).hasSizeGreaterThan(1_000);
        assertThat(products)
                .anySatisfy(
                        product ->
                                assertThat(product)
                                        .contains("\"instanceType\": \"m5.large\"")
                                        .contains("{\"USD\": \"0.096\"}"));
    }

    @Test
    void zonalShiftsAreTold() throws AwsFault {
        var until = Instant.parse("2027-01-01T00:00:00Z");
        endpoint.shifts(
                AwsEndpoint.CLUSTER_ARN,
                Tree.of("awayFrom", "use1-az2").put("expiryTime", until.getEpochSecond()));
        assertThat(clients.zonalShift().shifts(AwsEndpoint.CLUSTER_ARN))
                .containsExactly(new ZonalShiftApi.Shift("use1-az2", "APPLIED", until));
        assertThat(fault(() -> clients.zonalShift().shifts("arn:none")).code())
                .isEqualTo("ResourceNotFoundException");
    }

    @Test
    void aThrottledCallIsTriedAgainAndCountedOnce() throws AwsFault {
        endpoint.fail(ApiFault.throttle("DescribePlacementGroups"));
        assertThat(clients.ec2().placementGroups(List.of())).isEmpty();
        assertThat(endpoint.calls("DescribePlacementGroups")).isEqualTo(2);
        var call = heard.getLast();
        assertThat(call.service()).isEqualTo("EC2");
        assertThat(call.operation()).isEqualTo("DescribePlacementGroups");
        assertThat(call.status()).isEqualTo(200);
        assertThat(call.attempts())
                .extracting(CallListener.Attempt::status)
                .containsExactly(503, 200);
        assertThat(call.took()).isPositive();
    }

    @Test
    void aCallThatStaysThrottledFails() {
        endpoint.fail(ApiFault.throttle("GetRole").always());
        var fault = fault(() -> clients.iam().roleArn(AwsEndpoint.ROLE));
        assertThat(fault.isThrottled()).isTrue();
        assertThat(endpoint.calls("GetRole")).isEqualTo(3);
        assertThat(heard.getLast().code()).isEqualTo("RequestLimitExceeded");
        assertThat(heard.getLast().status()).isEqualTo(503);
    }

    @Test
    void aServersFaultIsTriedAgainAndThenTold() {
        endpoint.fail(ApiFault.refuse("DescribeSubnets", "InternalError", 500).always());
        var fault = fault(() -> clients.ec2().subnets(List.of()));
        assertThat(fault.isServerSide()).isTrue();
        assertThat(fault.isUnanswered()).isFalse();
        assertThat(fault.code()).isEqualTo("InternalError");
    }

    @Test
    void aRefusalIsNotTriedAgain() {
        endpoint.fail(
                ApiFault.refuse("DescribeSubnets", "UnauthorizedOperation", 403)
                        .saying("with an explicit deny in a permissions boundary"));
        var fault = fault(() -> clients.ec2().subnets(List.of()));
        assertThat(fault.isUnauthorized()).isTrue();
        assertThat(fault.text())
                .isEqualTo(
                        "UnauthorizedOperation: with an explicit deny in a permissions boundary");
        assertThat(endpoint.calls("DescribeSubnets")).isEqualTo(1);
    }

    @Test
    void aFleetWhoseAnswerWasLostIsFoundAgainByItsToken() throws AwsFault {
        var launches = new Launches(clients);
        launches.prepare();
        endpoint.fail(ApiFault.hangUpAfter("CreateFleet"));
        launches.launch("m5.large");
        assertThat(endpoint.calls("CreateFleet")).isEqualTo(2);
        assertThat(endpoint.instances()).hasSize(1);
    }

    @Test
    void aCallThatIsNeverAnsweredMayHaveBeenCarriedOut() throws AwsFault {
        var launches = new Launches(clients);
        launches.prepare();
        endpoint.fail(ApiFault.hangUpAfter("CreateFleet").always());
        var fault = fault(() -> launches.launch("m5.large"));
        assertThat(fault.isUnanswered()).isTrue();
        assertThat(fault.code()).isEqualTo("Unanswered");
        assertThat(heard.getLast().attempts())
                .extracting(CallListener.Attempt::status)
                .containsExactly(0, 0, 0);
        assertThat(endpoint.instances()).hasSize(1);
        assertThat(endpoint.calls("CreateFleet")).isEqualTo(3);
    }

    @Test
    void anAnswerThatComesTooLateIsNoAnswer() {
        var hasty = endpoint.settings().withTimeout(Duration.ofMillis(200));
        endpoint.fail(ApiFault.delay("DescribeSubnets", Duration.ofSeconds(2)).always());
        try (var impatient =
                new SdkClients(hasty.withAttempts(1, Duration.ofMillis(1)), CallListener.NONE)) {
            assertThat(fault(() -> impatient.ec2().subnets(List.of())).isUnanswered()).isTrue();
        }
    }

    @Test
    void aCallThatNeverLeftWasNotCarriedOut() {
        var nowhere = endpoint.settings().withEndpoint(URI.create("http://127.0.0.1:1"));
        try (var lost = new SdkClients(nowhere, CallListener.NONE)) {
            var fault = fault(() -> lost.ec2().subnets(List.of()));
            assertThat(fault.isUnanswered()).isFalse();
            assertThat(fault.isPassing()).isTrue();
        }
    }

    @Test
    void everyCallSaysWhoWeAre() throws AwsFault {
        clients.iam().roleArn(AwsEndpoint.ROLE);
        assertThat(endpoint.userAgents())
                .hasSize(1)
                .allSatisfy(agent -> assertThat(agent).startsWith("karpenter.sh-test"));
    }

    @Test
    void callsAndAttemptsAreMetered() throws AwsFault {
        var metrics = new Metrics(CallMetrics.families());
        endpoint.fail(ApiFault.throttle("GetRole"));
        try (var metered = new SdkClients(endpoint.settings(), new CallMetrics(metrics))) {
            metered.iam().roleArn(AwsEndpoint.ROLE);
        }
        var answered = List.of("IAM", "GetRole", "200");
        assertThat(metrics.value(CallMetrics.CALLS, answered)).isEqualTo(1);
        assertThat(metrics.value(CallMetrics.ATTEMPTS, answered)).isEqualTo(1);
        assertThat(metrics.value(CallMetrics.ATTEMPTS, List.of("IAM", "GetRole", "503")))
                .isEqualTo(1);
        assertThat(metrics.distribution(CallMetrics.RETRY_COUNT, answered))
                .isEqualTo(new Metrics.Distribution(1, 1));
    }

    private static AwsFault fault(ThrowingCallable call) {
        return catchThrowableOfType(AwsFault.class, call);
    }
}
