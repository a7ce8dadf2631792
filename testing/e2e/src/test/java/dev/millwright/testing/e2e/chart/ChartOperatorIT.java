package dev.millwright.testing.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.aws.Kubelets;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The operator as a chart starts it: its arguments, its variables, and the rights of its service
/// account alone. No kubelet runs the image here; a process stands in for the container.
final class ChartOperatorIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration DOCTOR_LIMIT = Duration.ofMinutes(1);

    /// What a kubelet would make of the references in the variables.
    private static final Map<String, String> BY_KUBELET =
            Map.of(
                    "SYSTEM_NAMESPACE",
                    "kube-system",
                    "CPU_REQUESTS",
                    "500",
                    "MEMORY_LIMIT",
                    "1073741824");

    /// What gates alone have looked at.
    private static final String GATED =
            """
            apiVersion: karpenter.sh/v1alpha1
            kind: NodeOverlay
            metadata: {name: dearer}
            spec:
              requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]
              priceAdjustment: "+1%"
            ---
            apiVersion: v1
            kind: PodTemplate
            metadata: {name: spare, namespace: default}
            template:
              spec:
                containers: [{name: web, image: none, resources: {requests: {cpu: 100m}}}]
            ---
            apiVersion: autoscaling.x-k8s.io/v1beta1
            kind: CapacityBuffer
            metadata: {name: spare, namespace: default}
            spec: {podTemplateRef: {name: spare}, replicas: 1}
            """;

    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<OperatorProcess> processes = new ArrayList<>();
    private ControlPlane plane;
    private Helm helm;
    private Kubelets kubelets;
    private ChartAccount account;
    private int metricsPort;
    private int healthPort;
    private int webhookPort;

    @BeforeEach
    void start() throws IOException {
        endpoint.fixture();
        endpoint.roles("AWSServiceRoleForEC2Spot");
        // It asks for the right to let an owner's deletion wait, as OpenShift's does.
        plane =
                ControlPlane.start(
                        ControlPlane.Options.all()
                                .withApiServerFlags(
                                        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement"));
        endpoint.cluster(AwsEndpoint.CLUSTER, Tree.of("endpoint", plane.server().toString()));
        helm = Helm.of(plane.kubeconfig());
        SystemNodes.join(plane);
        kubelets = new Kubelets(endpoint, plane);
        try (var metrics = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var health = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var webhook = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            webhookPort = webhook.getLocalPort();
            metricsPort = metrics.getLocalPort();
            healthPort = health.getLocalPort();
        }
    }

    @AfterEach
    void stop() {
        kubelets.close();
        processes.forEach(OperatorProcess::close);
        plane.close();
    }

    @Test
    void theRightsOfTheChartAreEnough() {
        release();
        account = account();
        pools();
        plane.established();
        assertThat(doctor()).contains("ec2-launch");

        var usual = operator();
        plane.apply(deployment("web", 3, ""));
        running("web", 3);
        refusedNothing(usual);
        assertThat(usual.stop()).isZero();
        account.writeDown();

        release(
                "-f",
                Charts.fixture("values/everything.yaml").toString(),
                "--set",
                ALL_GATES + ",webhook.port=" + webhookPort);
        account =
                account(
                        "makeBeforeBreak.enabled=true",
                        "settings.featureGates.capacityBuffer=true",
                        "settings.featureGates.nodeOverlay=true",
                        "settings.schedulerConfig=set",
                        "settings.steerPods=true",
                        "webhook.enabled=true");
        var wide = operator();
        Eventually.see(
                "the definitions name the webhook",
                () ->
                        plane.kubectl(
                                "get",
                                "crd",
                                "nodepools.karpenter.sh",
                                "-o=jsonpath={.spec.conversion.webhook.clientConfig.service.name}"),
                "karpenter"::equals);
        plane.apply(GATED);
        hasStatus("nodeoverlay/dearer");
        hasStatus("capacitybuffer/spare");
        plane.kubectl("delete", "capacitybuffer/spare", "-n", "default");
        plane.apply(deployment("single", 1, "millwright.dev/make-before-break: \"true\""));
        running("single", 1);
        plane.kubectl("delete", "nodeclaims", "--all", "--wait=false");
        Eventually.see(
                "a copy is asked for",
                LIMIT,
                wide::lastWords,
                _ -> wide.log().contains("CopyRequested"));
        plane.kubectl("delete", "deployment", "web", "single", "-n", "default");
        helm.run("uninstall", "pools", "-n", "kube-system", "--timeout=2m", "--wait");
        Eventually.see(
                "no claim is left",
                LIMIT,
                () -> plane.kubectl("get", "nodeclaims", "-o=name"),
                String::isBlank);
        refusedNothing(wide);
        assertThat(wide.stop()).isZero();
    }

    private void hasStatus(String object) {
        Eventually.see(
                object + " has a status",
                LIMIT,
                () ->
                        plane.kubectl(
                                "get", object, "-n", "default", "-o=jsonpath={.status.conditions}"),
                conditions -> !conditions.isBlank());
    }

    /// The account, whose rights are those of the release that is installed now.
    private ChartAccount account(String... values) {
        return ChartAccount.watched(
                plane,
                Chart.OPERATOR,
                List.of(values),
                helm.run("get", "manifest", "karpenter", "-n", "kube-system"));
    }

    /// All kinds are watched; and it acts, for what is left out of what it may do is not shown.
    private static final String ALL_GATES =
            "settings.dryRun=false,serviceMonitor.enabled=false,alertRules.enabled=false,"
                    + "settings.featureGates.nodeRepair=true,settings.featureGates.nodeOverlay=true,"
                    + "settings.featureGates.staticCapacity=true,settings.featureGates.capacityBuffer=true";

    private void release(String... more) {
        var arguments =
                new ArrayList<Object>(
                        List.of(
                                "upgrade",
                                "--install",
                                "karpenter",
                                Charts.MAIN,
                                "-n",
                                "kube-system",
                                "--reset-values",
                                "--wait",
                                "--timeout=2m",
                                "-f",
                                Charts.fixture("values/system-nodes.yaml")));
        arguments.addAll(List.of(more));
        arguments.addAll(
                List.of(
                        "--set",
                        """
                        controller.metrics.port=%d,controller.healthProbe.port=%d,\
                        settings.batchIdleDuration=500ms,logLevel=debug,\
                        controller.env[0].name=AWS_REGION,controller.env[0].value=%s,\
                        controller.env[1].name=AWS_ENDPOINT_URL,controller.env[1].value=%s,\
                        controller.env[2].name=AWS_ACCESS_KEY_ID,controller.env[2].value=test,\
                        controller.env[3].name=AWS_SECRET_ACCESS_KEY,controller.env[3].value=test\
                        """
                                .formatted(
                                        metricsPort,
                                        healthPort,
                                        AwsEndpoint.REGION,
                                        endpoint.uri())));
        helm.run(arguments.toArray());
    }

    private void pools() {
        helm.run(
                "install",
                "pools",
                Charts.NODE_POOLS,
                "-n",
                "kube-system",
                "-f",
                Charts.fixture("nodepools/discovery.yaml"));
    }

    /// Started as the Deployment in the cluster says.
    private OperatorProcess operator() {
        var pod =
                Rendered.of(
                                plane.kubectl(
                                        "get",
                                        "deployment",
                                        "karpenter",
                                        "-n",
                                        "kube-system",
                                        "-o=json"))
                        .pod();
        var operator = OperatorProcess.start(Rendered.arguments(pod), environment(pod));
        processes.add(operator);
        Eventually.see(
                "the operator is ready",
                () -> ask(healthPort, "/readyz"),
                answer -> answer.equals("200"));
        return operator;
    }

    private Map<String, String> environment(Value.Mapping pod) {
        var variables = new TreeMap<>(Rendered.environment(pod));
        variables.putAll(BY_KUBELET);
        variables.put("KUBECONFIG", account.kubeconfig().toString());
        return variables;
    }

    /// Runs what `helm test` would have a pod run.
    private String doctor() {
        var hooks = Rendered.of(helm.run("get", "hooks", "karpenter", "-n", "kube-system"));
        var pod = Rendered.mapping(hooks.find("Pod", "karpenter-doctor"), "spec");
        var command = new ArrayList<>(List.of("env"));
        environment(pod).forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(OperatorProcess.command(Rendered.arguments(pod)));
        return Shell.run(command, "", DOCTOR_LIMIT);
    }

    private String ask(int port, String path) {
        try {
            var request =
                    HttpRequest.newBuilder(
                                    URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                            .build();
            var answer = http.send(request, BodyHandlers.ofString());
            return path.equals("/readyz") ? String.valueOf(answer.statusCode()) : answer.body();
        } catch (IOException failure) {
            return String.valueOf(failure.getMessage());
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError(failure);
        }
    }

    /// The server counts as refusing what it answers with 403, whatever became of it.
    private void refusedNothing(OperatorProcess operator) {
        assertThat(ask(metricsPort, "/metrics").lines())
                .anyMatch(line -> line.startsWith("client_go_request_total{code=\"201\""))
                .noneMatch(
                        line ->
                                line.startsWith("client_go_request_total")
                                        && line.contains("code=\"403\""));
        assertThat(operator.log().lines()).noneMatch(line -> line.contains("orbidden"));
    }

    private static String deployment(String name, int replicas, String annotation) {
        return """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %s, namespace: default}
        spec:
          replicas: %d
          selector: {matchLabels: {app: %s}}
          template:
            metadata:
              labels: {app: %s}
              annotations: {%s}
            spec:
              terminationGracePeriodSeconds: 1
              containers:
              - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
        """
                .formatted(name, replicas, name, name, annotation);
    }

    private void running(String app, int pods) {
        Eventually.see(
                "%d pods of %s run".formatted(pods, app),
                LIMIT,
                () ->
                        plane.kubectl(
                                                "get",
                                                "pods",
                                                "-n",
                                                "default",
                                                "-l",
                                                "app=" + app,
                                                "--field-selector=status.phase=Running",
                                                "-o=name")
                                        .lines()
                                        .count()
                                + processes.getLast().lastWords(),
                seen -> seen.startsWith(String.valueOf(pods)));
    }
}
