package dev.millwright.testing.e2e.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.aws.Kubelets;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The examples of the documents, applied, planned again and destroyed by real Terraform, its real
/// providers, AWS's protocols and a real control plane each, all in one account.
@Tag("long")
final class TerraformExamplesIT {

    /// Three control planes, operators and runs of Terraform share the machine.
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final String BUCKET = "shop-dev-terraform";
    private static final String PROFILE = "KarpenterNodeInstanceProfile";

    private static final AwsEndpoint ENDPOINT = AwsEndpoint.shared();
    private static final Path DIRECTORY = Terraform.newDirectory();
    private static List<String> before;
    private static Story first;
    private static Story third;
    private static Story fourth;

    @BeforeAll
    static void begin() throws AwsFault {
        ENDPOINT.fixture();
        try (var clients = ENDPOINT.sdkClients()) {
            clients.iam().createProfile(PROFILE, "/", new TreeMap<>(Map.of("made-by", "us")));
            clients.iam().addRole(PROFILE, AwsEndpoint.ROLE);
        }
        before = ENDPOINT.account();
        first = Story.begin(() -> karpenterModule(new Terraform()));
        third = Story.begin(() -> standalone(new Terraform()));
        fourth = Story.begin(() -> twoModules(new Terraform()));
    }

    @Test
    void document001AppliesOnceAndTakesItsRunningInstancesWithIt() {
        first.ends();
    }

    @Test
    void document003AppliesOnceAndTakesItsRunningInstancesWithIt() {
        third.ends();
    }

    @Test
    void document004AppliesOnceAndTakesItsRunningInstancesWithIt() {
        fourth.ends();
    }

    @Test
    void nothingIsLeftInTheAccount() {
        first.ends();
        third.ends();
        fourth.ends();
        assertThat(ENDPOINT.account()).isEqualTo(before);
    }

    // ---- the stories

    private static void karpenterModule(Terraform terraform) throws IOException {
        var example = "examples/001-karpenter-module";
        var cluster = "-var=cluster_name=" + AwsEndpoint.CLUSTER;
        try (var plane = Planes.forTokensOf(ENDPOINT, DIRECTORY, "first");
                var kubelets = Kubelets.of(ENDPOINT, plane, AwsEndpoint.CLUSTER)) {
            terraform.with(millwright(plane, "first"));
            node(plane, "plain", "CriticalAddonsOnly", "true");
            ENDPOINT.cluster(AwsEndpoint.CLUSTER, Planes.facts(plane));
            terraform.init(example);
            terraform.apply(example, cluster);
            terraform.isUnchanged(example, cluster);

            assertThat(
                            plane.kubectl(
                                    "get",
                                    "serviceaccount/karpenter",
                                    "-n=karpenter",
                                    "-o=jsonpath={.metadata.annotations}"))
                    .contains("arn:aws:iam::123456789012:role/KarpenterController");
            assertThat(
                            plane.kubectl(
                                    "get",
                                    "deployment/karpenter",
                                    "-n=karpenter",
                                    "-o=jsonpath={.spec.template.spec.containers[0].resources.requests}"))
                    .isEqualTo("{\"cpu\":\"1\",\"memory\":\"1Gi\"}");

            plane.apply(migrated(DOCUMENT_001, AwsEndpoint.ROLE));
            runsAndGoes(plane, AwsEndpoint.CLUSTER, "", () -> terraform.destroy(example, cluster));
            assertThat(calls("first")).hasContent("destroy --yes --cluster " + AwsEndpoint.CLUSTER);
            assertThat(plane.kubectl("get", "nodepools,nodeclaims,ec2nodeclasses", "-o=name"))
                    .isBlank();
            assertThat(plane.kubectl("get", "deployments", "-n=karpenter", "-o=name")).isBlank();
            assertThat(kubelets).isNotNull();
        }
    }

    private static void standalone(Terraform terraform) throws Exception {
        var module = "karpenter-standalone";
        var options =
                new String[] {
                    "-var-file=example/example.tfvars",
                    "-var=region=" + AwsEndpoint.REGION,
                    "-var=backend_s3_options={ use_path_style = true }",
                    // The other example makes it at the same time.
                    "-var=create_spot_service_linked_role=false"
                };
        try (var plane = Planes.forTokensOf(ENDPOINT, DIRECTORY, "third");
                var kubelets = Kubelets.of(ENDPOINT, plane, "shop-dev")) {
            terraform.with(millwright(plane, "third"));
            node(plane, "ops", "role", "ops");
            ENDPOINT.cluster("shop-dev", Planes.facts(plane));
            put("");
            put("/eks/terraform.tfstate", state(clusterOutputs(plane)));
            put("/infra-network/terraform.tfstate", state(NETWORK_OUTPUTS));
            terraform.init(module);
            terraform.apply(module, options);
            terraform.isUnchanged(module, options);

            assertThat(
                            plane.kubectl(
                                    "get",
                                    "deployment/karpenter",
                                    "-n=karpenter",
                                    "-o=jsonpath={.spec.template.spec.affinity.nodeAffinity}"))
                    .contains("karpenter.sh/nodepool", "DoesNotExist", "\"ops\"");
            assertThat(ENDPOINT.account())
                    .contains(
                            "roles: shop-dev-karpenter",
                            "queues: shop-dev",
                            "rules: KarpenterSpotInterruptionRule-shop-dev");

            plane.apply(migrated(DOCUMENT_003, "KarpenterNodeRole-shop-dev"));
            runsAndGoes(plane, "shop-dev", "shop-dev", () -> terraform.destroy(module, options));
            assertThat(calls("third")).hasContent("destroy --yes --cluster shop-dev");
            assertThat(plane.kubectl("get", "crds", "-o=name")).isBlank();
            assertThat(kubelets).isNotNull();
        }
    }

    private static void twoModules(Terraform terraform) throws IOException {
        var example = "examples/004-two-modules";
        try (var plane = Planes.forTokensOf(ENDPOINT, DIRECTORY, "fourth");
                var kubelets = Kubelets.of(ENDPOINT, plane, "store")) {
            node(plane, "system", "workload-type", "system");
            ENDPOINT.clusterFacts(Planes.facts(plane));
            var programs = millwright(plane, "fourth");
            var options =
                    new String[] {
                        "-var=cluster_name=store", "-var=destroy_environment=" + hcl(programs)
                    };
            terraform.with(Terraform.account(ENDPOINT));
            terraform.init(example);
            terraform.apply(example, options);
            terraform.isUnchanged(example, options);
            assertThat(plane.kubectl("get", "nodepools,ec2nodeclasses", "-o=name"))
                    .contains(
                            "spot-pool", "ondemand-pool", "ec2nodeclass.karpenter.k8s.aws/default");

            runsAndGoes(plane, "store", "store", () -> terraform.destroy(example, options));
            assertThat(calls("fourth")).hasContent("destroy --yes --cluster store");
            assertThat(plane.kubectl("get", "crds", "-o=name")).isBlank();
            assertThat(kubelets).isNotNull();
        }
    }

    // ---- their places

    private static void node(ControlPlane plane, String name, String key, String value) {
        plane.apply(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %1$s
                  annotations: {kwok.x-k8s.io/node: fake}
                  labels:
                    kubernetes.io/hostname: %1$s
                    kubernetes.io/os: linux
                    kubernetes.io/arch: amd64
                    topology.kubernetes.io/zone: us-east-1a
                    %2$s: "%3$s"
                spec:
                  taints: [{key: %2$s, value: "%3$s", effect: NoSchedule}]
                """
                        .formatted(name, key, value));
    }

    /// Pods run on instances of the cluster's own when the destroy begins, and no instance is left.
    private static void runsAndGoes(
            ControlPlane plane, String cluster, String queue, Runnable destroy) {
        var environment = new TreeMap<>(Terraform.account(ENDPOINT));
        environment.put("MILLWRIGHT_PROVIDER", "aws");
        environment.put("CLUSTER_NAME", cluster);
        environment.put("INTERRUPTION_QUEUE", queue);
        try (var operator = withPodsThatRun(plane, environment)) {
            assertThat(Kubelets.alive(ENDPOINT, cluster)).isNotEmpty();
            destroy.run();
            assertThat(Kubelets.alive(ENDPOINT, cluster)).isEmpty();
            assertThat(operator).isNotNull();
        }
    }

    /// One story at a time: three operators that start together on two cores renew their leases too
    /// late, and end.
    private static synchronized OperatorProcess withPodsThatRun(
            ControlPlane plane, Map<String, String> environment) {
        var operator = OperatorProcess.start(plane, environment);
        try {
            plane.apply(DEPLOYMENT);
            Eventually.see(
                    "the deployment runs",
                    LIMIT,
                    () -> available(plane) + operator.lastWords(),
                    seen -> seen.startsWith("3"));
            return operator;
        } catch (RuntimeException | AssertionError failure) {
            operator.close();
            throw failure;
        }
    }

    /// What `millwright migrate` makes of a Provisioner. EKS has no image of AL2 for this version
    /// of Kubernetes, which a note of the command says.
    private static String migrated(String provisioner, String role) {
        var command =
                OperatorProcess.command(List.of("migrate", "-q", "--node-role", role, "-f", "-"));
        return Shell.run(command, provisioner, LIMIT).replace("al2@latest", "al2023@latest");
    }

    /// An executable of that name on the path, as people have it, and what it needs.
    private static Map<String, String> millwright(ControlPlane plane, String story)
            throws IOException {
        var directory = Files.createDirectories(DIRECTORY.resolve(story).resolve("bin"));
        var program = directory.resolve("millwright");
        var words =
                OperatorProcess.command(List.of()).stream()
                        .map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" "));
        Files.writeString(
                program,
                "#!/bin/sh\necho \"$@\" >> %s\nexec %s \"$@\"\n".formatted(calls(story), words));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        var environment = new TreeMap<>(Terraform.account(ENDPOINT));
        environment.put("PATH", program.getParent() + ":" + System.getenv("PATH"));
        environment.put("KUBECONFIG", plane.kubeconfig().toString());
        return environment;
    }

    /// What the executable of a story was asked for.
    private static Path calls(String story) {
        return DIRECTORY.resolve(story + "-calls");
    }

    private static String available(ControlPlane plane) {
        return plane.kubectl(
                "get", "deployment/web", "-n=default", "-o=jsonpath={.status.availableReplicas}");
    }

    private static String hcl(Map<String, String> values) {
        return values.entrySet().stream()
                .map(each -> "%s = \"%s\"".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", ", "{ ", " }"));
    }

    // ---- states of other configurations, in S3

    private static final String NETWORK_OUTPUTS =
            """
            "private_subnets": {"value": ["subnet-test1", "subnet-test2"], "type": ["list", "string"]}
            """;

    private static String clusterOutputs(ControlPlane plane) throws IOException {
        return """
        "cluster_endpoint": {"value": "%s", "type": "string"},
        "cluster_certificate_authority_data": {"value": "%s", "type": "string"},
        "oidc_provider_arn": {"value": "%s", "type": "string"}
        """
                .formatted(
                        plane.server(),
                        Planes.authority(plane),
                        "arn:aws:iam::123456789012:oidc-provider/oidc.eks.us-east-1.amazonaws.com/id/EXAMPLE");
    }

    private static String state(String outputs) {
        return """
        {"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "test", "resources": [],
         "outputs": {%s}}
        """
                .formatted(outputs);
    }

    private static void put(String key, String... body) throws Exception {
        var scope = "Credential=test/20260101/us-east-1/s3/aws4_request";
        var request =
                HttpRequest.newBuilder(URI.create(ENDPOINT.uri() + "/" + BUCKET + key))
                        .header("Authorization", "AWS4-HMAC-SHA256 " + scope)
                        .PUT(BodyPublishers.ofString(String.join("", body), UTF_8))
                        .build();
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request, BodyHandlers.ofString(UTF_8));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    private static final String DEPLOYMENT =
            """
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
                  # Not on the controller's node, which some of them would tolerate.
                  affinity:
                    nodeAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                        nodeSelectorTerms:
                        - matchExpressions: [{key: karpenter.sh/nodepool, operator: Exists}]
                  tolerations: [{key: role, operator: Equal, value: ops, effect: NoSchedule}]
                  containers:
                  - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
            """;

    // ---- the documents' Provisioners; network and zones are the endpoint's

    private static final String DOCUMENT_001 =
            """
            apiVersion: karpenter.sh/v1alpha5
            kind: Provisioner
            metadata:
              name: default
            spec:
              requirements:
                - key: karpenter.sh/capacity-type
                  operator: In
                  values: ["spot", "on-demand"]
                - key: kubernetes.io/arch
                  operator: In
                  values: ["amd64"]
                - key: node.kubernetes.io/instance-type
                  operator: In
                  values: ["t3.large", "t3a.large", "m5.large", "m5a.large"]
              limits:
                resources:
                  cpu: 1000
                  memory: 1000Gi
              provider:
                subnetSelector:
                  karpenter.sh/discovery: "test-cluster"
                securityGroupSelector:
                  karpenter.sh/discovery: "test-cluster"
                tags:
                  karpenter.sh/discovery: "true"
              ttlSecondsAfterEmpty: 30
              ttlSecondsUntilExpired: 2592000 # 30 days
            """;

    private static final String DOCUMENT_003 =
            """
            apiVersion: karpenter.sh/v1alpha5
            kind: Provisioner
            metadata:
              name: ops-provisioner
            spec:
              requirements:
                - key: "karpenter.k8s.aws/instance-category"
                  operator: In
                  values: ["t", "m", "r"]
                - key: "karpenter.k8s.aws/instance-cpu"
                  operator: In
                  values: ["4", "8", "16", "32"]
                - key: "karpenter.sh/capacity-type"
                  operator: In
                  values: ["spot", "on-demand"]
                - key: "topology.kubernetes.io/zone"
                  operator: In
                  values: ["us-east-1a", "us-east-1c"]
              limits:
                resources:
                  cpu: "100"
              labels:
                role: ops
                provision: karpenter
                overprovisioning: ops
              taints:
                - key: role
                  effect: NoSchedule
                  value: ops
              consolidation:
                enabled: false
              ttlSecondsAfterEmpty: 30
              ttlSecondsUntilExpired: 2592000
              provider:
                subnetSelector:
                  aws-ids: "subnet-test1,subnet-test3"
                securityGroupSelector:
                  aws-ids: "sg-test1,sg-test2"
                tags:
                  Name: ops-karpenter-provision
                blockDeviceMappings:
                - deviceName: /dev/xvda
                  ebs:
                    volumeSize: 100Gi
                    volumeType: gp3
                    deleteOnTermination: true
            """;
}
