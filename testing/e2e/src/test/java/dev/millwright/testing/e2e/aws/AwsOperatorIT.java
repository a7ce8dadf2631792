package dev.millwright.testing.e2e.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.LaunchFault;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The operator as a process between a real control plane and AWS's protocols.
final class AwsOperatorIT {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private ControlPlane plane;
    private OperatorProcess operator;
    private Kubelets kubelets;

    @BeforeEach
    void start() {
        endpoint.fixture();
        plane = ControlPlane.start(ControlPlane.Options.all());
        plane.apply(CustomResources.aws().text());
        plane.established();
        operator = operator();
        kubelets = new Kubelets(endpoint, plane);
    }

    private OperatorProcess operator() {
        return OperatorProcess.start(
                plane,
                Map.of(
                        "MILLWRIGHT_PROVIDER",
                        "aws",
                        "CLUSTER_NAME",
                        AwsEndpoint.CLUSTER,
                        "INTERRUPTION_QUEUE",
                        AwsEndpoint.QUEUE,
                        "AWS_REGION",
                        AwsEndpoint.REGION,
                        "AWS_ENDPOINT_URL",
                        endpoint.uri().toString(),
                        "AWS_ACCESS_KEY_ID",
                        "test",
                        "AWS_SECRET_ACCESS_KEY",
                        "test"));
    }

    @AfterEach
    void stop() {
        kubelets.close();
        operator.close();
        plane.close();
    }

    private void apply() {
        applyClass();
        applyPool();
    }

    private void applyClass() {
        plane.apply(
                """
                apiVersion: karpenter.k8s.aws/v1
                kind: EC2NodeClass
                metadata: {name: default}
                spec:
                  role: test-role
                  amiSelectorTerms: [{alias: al2023@latest}]
                  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: test-cluster}}]
                  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: test-cluster}}]
                """);
    }

    /// Machines as kwok plays all nodes: a node that is larger than its machine would leave nothing
    /// to launch.
    private void applyPool() {
        plane.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: default}
                spec:
                  template:
                    spec:
                      requirements:
                      - {key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}
                      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
                      - {key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["8"]}
                      - {key: karpenter.k8s.aws/instance-memory, operator: In, values: ["32768"]}
                      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: default}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      containers:
                      - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
                """);
    }

    private void running(int pods) {
        Eventually.see(
                "%d pods run".formatted(pods),
                LIMIT,
                () ->
                        plane.kubectl(
                                        "get",
                                        "pods",
                                        "-n",
                                        "default",
                                        "--field-selector=status.phase=Running",
                                        "-o=jsonpath={.items[*].metadata.name}")
                                + "\n"
                                + operator.lastWords(),
                seen ->
                        seen.lines().findFirst().orElse("").strip().split(" +", -1).length == pods
                                && !seen.startsWith("\n"));
    }

    private List<Value.Mapping> alive() {
        return endpoint.instances().stream()
                .filter(
                        instance ->
                                List.of("pending", "running").contains(Kubelets.state(instance)))
                .toList();
    }

    @Test
    void aPodThatWaitsGetsAnInstanceAndMovesWhenItIsInterrupted() {
        apply();
        running(3);
        var first = Kubelets.text(alive().getFirst(), "id");

        endpoint.event(
                AwsEndpoint.QUEUE,
                "aws.ec2",
                "EC2 Spot Instance Interruption Warning",
                Instant.now(),
                Tree.of("instance-id", first).put("instance-action", "terminate"));

        Eventually.see(
                "the instance is told to end",
                LIMIT,
                () -> alive().stream().map(each -> Kubelets.text(each, "id")).toList(),
                ids -> !ids.contains(first));
        running(3);
        assertThat(operator.log()).contains("SpotInterrupted", "TerminatingOnInterruption");
        Eventually.see(
                "the message is deleted",
                () -> endpoint.messages(AwsEndpoint.QUEUE),
                messages -> messages.waiting() == 0 && messages.hidden() == 0);

        removed();
        assertThat(operator.stop()).isZero();
    }

    /// Nothing is left: no claim, no instance, no template, no profile.
    private void removed() {
        plane.kubectl("delete", "deployment", "web", "-n", "default");
        plane.kubectl("delete", "nodepool", "default", "--timeout=150s");
        plane.kubectl("delete", "ec2nodeclass", "default", "--timeout=150s");
        assertThat(alive()).isEmpty();
        try (var clients = endpoint.sdkClients()) {
            assertThat(clients.ec2().launchTemplates(List.of())).isEmpty();
            assertThat(clients.iam().profiles("/")).isEmpty();
        } catch (AwsFault fault) {
            throw new AssertionError(fault);
        }
    }

    private void scaledTo(int replicas) {
        plane.kubectl("scale", "deployment/web", "-n", "default", "--replicas=" + replicas);
    }

    /// Every instance has its claim, and every claim its instance.
    private void paired() {
        Eventually.see(
                "claims and instances are pairs",
                LIMIT,
                () -> List.of(claimed(), instanceIds()),
                pair -> !pair.getFirst().isEmpty() && pair.getFirst().equals(pair.getLast()));
    }

    private List<String> claimed() {
        return Stream.of(
                        plane.kubectl(
                                        "get",
                                        "nodeclaims",
                                        "-o=jsonpath={range .items[*]}{.status.providerID}{\"\\n\"}{end}")
                                .split("\n", -1))
                .filter(line -> !line.isBlank())
                .map(line -> line.substring(line.lastIndexOf('/') + 1))
                .sorted()
                .toList();
    }

    private List<String> instanceIds() {
        return alive().stream().map(each -> Kubelets.text(each, "id")).sorted().toList();
    }

    @Test
    @Tag("long")
    void whatAwsDoesWrongLeaksNothingAndDoublesNothing() {
        endpoint.hideNewInstances(2);
        endpoint.refuse(LaunchFault.noCapacity("m*").in("us-east-1a"));
        endpoint.fail(
                ApiFault.throttle("CreateFleet"),
                ApiFault.hangUpAfter("CreateFleet"),
                ApiFault.refuse("DescribeInstances", "InternalError", 500),
                ApiFault.hangUpAfter("CreateLaunchTemplate"));
        apply();
        running(3);
        paired();

        // A template goes behind our back, and the next launch makes it anew.
        deleteTemplates();
        scaledTo(20);
        running(20);
        paired();
        removed();
    }

    private void deleteTemplates() {
        try (var clients = endpoint.sdkClients()) {
            for (var template : clients.ec2().launchTemplates(List.of())) {
                clients.ec2().deleteLaunchTemplate(template.name());
            }
        } catch (AwsFault fault) {
            throw new AssertionError(fault);
        }
    }

    @Test
    @Tag("long")
    void aProcessThatDiesWhileItLaunchesLeavesNoOrphan() {
        apply();
        running(3);
        for (var round = 1; round <= 3; round++) {
            // The fleet is made, and nobody hears of it before the process is gone.
            endpoint.fail(ApiFault.delay("CreateFleet", Duration.ofSeconds(2)));
            var before = endpoint.calls("CreateFleet");
            scaledTo(3 + 12 * round);
            Eventually.see(
                    "a fleet is asked for",
                    LIMIT,
                    () -> endpoint.calls("CreateFleet"),
                    calls -> calls > before);
            operator.kill();
            operator = operator();
            running(3 + 12 * round);
        }
        paired();
        removed();
    }

    @Test
    @Tag("long")
    void whileTheInstanceProfileIsMissingNothingIsLaunchedAndThenPodsRun() throws AwsFault {
        apply();
        running(3);
        var before = instanceIds();
        try (var clients = endpoint.sdkClients()) {
            var profile =
                    clients.iam().profile(clients.iam().profiles("/karpenter").getFirst().name());
            clients.iam().removeRole(profile.name(), AwsEndpoint.ROLE);
            clients.iam().deleteProfile(profile.name());
            scaledTo(20);
            operator.says("Invalid IAM Instance Profile name");
            assertThat(instanceIds()).isEqualTo(before);

            clients.iam().createProfile(profile.name(), profile.path(), profile.tags());
            clients.iam().addRole(profile.name(), AwsEndpoint.ROLE);
        }
        running(20);
        paired();
        removed();
    }

    @Test
    @Tag("long")
    void withoutItsClassAPoolLaunchesNothingAndGoesOnWhenItIsBack() {
        applyPool();
        operator.says("NodeClass");
        assertThat(instanceIds()).isEmpty();
        applyClass();
        running(3);
        paired();

        plane.kubectl("delete", "ec2nodeclass", "default", "--wait=false");
        plane.kubectl("wait", "nodepool/default", "--for=condition=NodeClassReady=False");
        scaledTo(6);
        plane.kubectl("delete", "nodeclaims", "--all", "--timeout=100s");
        plane.kubectl("wait", "ec2nodeclass/default", "--for=delete", "--timeout=60s");
        assertThat(alive()).isEmpty();

        applyClass();
        running(6);
        paired();
        removed();
    }
}
