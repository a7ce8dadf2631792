package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.addons.crd.AddonDefinitions;
import dev.millwright.testing.e2e.AuditLog;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.CountingDoor;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Two tenants on a real API server, each with all rights on the objects of its own namespace and
/// none beyond, and both managers, of clusters and of add-ons, as processes with the rights of
/// their charts, a real Terraform and a real Helm. Mallory's namespace is `blue`; she is after what
/// is in `red`, or is the managers'.
@Tag("long")
final class TenantsIT {

    private static final String MALLORY = "mallory";
    private static final String SECRET = "what-red-alone-knows";
    private static final String LENT = "what-the-manager-alone-knows";
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static final String MANAGER =
            "system:serviceaccount:" + CaptSite.SYSTEM + ":capt-controller-manager";

    private static final String TENANTS =
            """
            apiVersion: v1
            kind: Namespace
            metadata: {name: red}
            ---
            apiVersion: v1
            kind: Namespace
            metadata: {name: blue}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: tenant, namespace: blue}
            rules:
            - {apiGroups: [infrastructure.cluster.x-k8s.io, tf.m.upbound.io], resources: ['*'], verbs: ['*']}
            - {apiGroups: [cluster.x-k8s.io, addons.cluster.x-k8s.io], resources: ['*'], verbs: ['*']}
            - {apiGroups: [''], resources: [secrets, configmaps], verbs: ['*']}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: tenant, namespace: blue}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: tenant}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mallory}]
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: keys, namespace: red}
            stringData: {key: what-red-alone-knows}
            ---
            apiVersion: tf.upbound.io/v1beta1
            kind: ProviderConfig
            metadata: {name: default}
            spec: {credentials: []}
            ---
            apiVersion: tf.m.upbound.io/v1beta1
            kind: ClusterProviderConfig
            metadata: {name: default}
            spec: {credentials: []}
            """;

    @TempDir static Path directory;

    private static ControlPlane plane;
    private static CaptSite.Processes processes;
    private static OperatorProcess addons;

    /// The credential of the manager of add-ons, which Mallory would like another server to get.
    private static Path access;

    @BeforeAll
    static void start() throws IOException {
        plane = ControlPlane.start(ControlPlane.Options.apiOnly().audited());
        CaptDefinitions.install(plane);
        plane.apply(TENANTS);
        processes =
                CaptSite.Processes.start(
                        plane,
                        Files.createDirectories(directory.resolve("manager")),
                        new TreeMap<>(Map.of("AWS_SECRET_ACCESS_KEY", LENT)));
        plane.apply(AddonDefinitions.all().text());
        plane.established();
        access = ChartAccount.of(plane, Chart.ADDONS).kubeconfig();
        addons = addons().says("started controllers");
    }

    @AfterAll
    static void stop() {
        addons.close();
        processes.close();
        plane.close();
    }

    private static OperatorProcess addons() {
        return OperatorProcess.start(
                List.of(
                        "run",
                        "addons",
                        "--kubeconfig=" + access,
                        "--diagnostics-address=127.0.0.1:0",
                        "--insecure-diagnostics",
                        "--health-addr=127.0.0.1:0",
                        "--helm=" + Tools.path("helm"),
                        "--helm-work-dir=" + directory.resolve("helm"),
                        "--v=5"),
                Map.of());
    }

    /// As Mallory, whom the API server asks for each right.
    private static void mallory(String yaml) throws IOException {
        var file = Files.writeString(Files.createTempFile(directory, "mallory", ".yaml"), yaml);
        plane.kubectl("apply", "--as=" + MALLORY, "-f", file.toString());
    }

    private static String template(String name, String provider) {
        return """
               apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
               kind: WorkspaceTemplate
               metadata: {name: %1$s, namespace: blue}
               spec:
                 template:
                   spec:
                     providerConfigRef: {name: default}
                     forProvider: %2$s
               """
                .formatted(name, provider);
    }

    private static String application(String name, String spec) {
        return """
               ---
               apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
               kind: WorkspaceTemplateApply
               metadata: {name: %1$s, namespace: blue}
               spec: %2$s
               """
                .formatted(name, spec);
    }

    private static String workspace(String namespace, String name, String module) {
        return Workspaces.yaml(
                "tf.m.upbound.io",
                "{name: %s, namespace: %s}".formatted(name, namespace),
                module,
                "writeConnectionSecretToRef: {name: %s-outputs}".formatted(name),
                "");
    }

    /// The messages of all conditions of an apply of Mallory's.
    private static String told(String name) {
        return plane.kubectl(
                "get",
                "workspacetemplateapplies.infrastructure.cluster.x-k8s.io",
                name,
                "-n=blue",
                "-o=jsonpath={.status.conditions}");
    }

    private static void isRefused(String name, String words) {
        var seen =
                Eventually.see(
                        "the apply %s is refused".formatted(name),
                        LIMIT,
                        () -> told(name),
                        conditions -> conditions.contains(words));
        assertThat(seen).contains("ReferenceRefused").contains("ReferenceGrant");
        assertThat(workspaces()).doesNotContain(name);
    }

    private static String workspaces() {
        return plane.kubectl("get", "workspaces.tf.upbound.io", "-o=name");
    }

    private static String output(String namespace, String secret, String key) {
        return plane.kubectl(
                "get",
                "secret",
                secret,
                "-n=" + namespace,
                "--ignore-not-found",
                "-o=go-template={{if .data}}{{with index .data \"%s\"}}{{. | base64decode}}{{end}}{{end}}"
                        .formatted(key));
    }

    private static void outputIs(String namespace, String secret, String key, String wanted) {
        Eventually.see(
                "%s of Secret %s/%s".formatted(key, namespace, secret),
                LIMIT,
                () -> output(namespace, secret, key),
                wanted::equals);
    }

    // ---- values become code

    @Test
    void aKeyThatIsAnExpressionOfTheModuleIsRefusedByTheServer() {
        assertThatThrownBy(
                        () ->
                                mallory(
                                        application(
                                                        "rewriting",
                                                        "{templateRef: {name: t}, variables: {'var.region': 'file(\"/etc/passwd\")'}}")
                                                .replace("---\n", "")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("variables");
    }

    @Test
    void aValueWithQuotesAndBracesStaysAValue() throws IOException {
        var mark = directory.resolve("value-became-code");
        var value =
                "\"}\nresource \"terraform_data\" \"x\" { provisioner \"local-exec\" { command = \"touch %s\" } }\noutput \"y\" { value = \""
                        .formatted(mark);
        mallory(
                template(
                                "words",
                                """
                                {source: Inline, vars: [{key: word, value: '${word}'}], module: "variable \\"word\\" {}\\noutput \\"word\\" { value = var.word }\\noutput \\"text\\" { value = \\"$${word}\\" }\\n"}"""
                                        .strip())
                        + application(
                                "quoting",
                                "{templateRef: {name: words}, writeConnectionSecretToRef: {name: quoting-outputs, namespace: blue}, variables: {word: %s}}"
                                        .formatted(json(value))));
        outputIs("blue", "quoting-outputs", "word", value);
        assertThat(Files.exists(mark)).isFalse();
    }

    private static String json(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    // ---- a Workspace runs as the manager

    @Test
    void aModuleSeesNoVariableOfTheManagerThatIsACredential() throws IOException {
        var seen = directory.resolve("environment");
        mallory(
                workspace(
                        "blue",
                        "looking",
                        """
                        resource "terraform_data" "it" {
                          provisioner "local-exec" { command = "env > %s.tmp && mv %s.tmp %s" }
                        }
                        output "done" { value = "yes" }
                        """
                                .formatted(seen, seen, seen)));
        outputIs("blue", "looking-outputs", "done", "yes");
        assertThat(Files.readString(seen)).doesNotContain(LENT).doesNotContain("AWS_SECRET");
    }

    @Test
    void aProviderConfigLendsNoFileAndNoVariableOfTheManager() throws IOException {
        mallory(
                """
                apiVersion: tf.m.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: greedy, namespace: blue}
                spec: {credentials: [{filename: f, source: Environment, env: {name: AWS_SECRET_ACCESS_KEY}}]}
                ---
                """
                        + Workspaces.yaml(
                                "tf.m.upbound.io",
                                "{name: lent, namespace: blue}",
                                "output \"it\" { value = file(\"f\") }",
                                """
                                providerConfigRef: {kind: ProviderConfig, name: greedy}
                                writeConnectionSecretToRef: {name: lent-outputs}
                                """,
                                ""));
        Eventually.see(
                "the Workspace says why",
                LIMIT,
                () ->
                        plane.kubectl(
                                "get",
                                "workspaces.tf.m.upbound.io",
                                "lent",
                                "-n=blue",
                                "-o=jsonpath={.status.conditions}"),
                told -> told.contains("--lend-manager-credentials"));
        assertThat(output("blue", "lent-outputs", "it")).isEmpty();
    }

    // ---- references across namespaces

    @Test
    void aTemplateOfAnotherNamespaceIsUsedOnlyWhereThatGrantsIt() throws IOException {
        plane.apply(
                template(
                                "shared",
                                "{source: Inline, module: 'output \"red\" { value = \"open\" }'}")
                        .replace("namespace: blue", "namespace: red"));
        mallory(
                application(
                                "borrowing",
                                "{templateRef: {name: shared, namespace: red}, writeConnectionSecretToRef: {name: borrowed, namespace: blue}}")
                        .replace("---\n", ""));
        isRefused("borrowing", "WorkspaceTemplate red/shared");
        plane.apply(
                """
                apiVersion: millwright.dev/v1alpha1
                kind: ReferenceGrant
                metadata: {name: to-blue, namespace: red}
                spec:
                  from: [{group: infrastructure.cluster.x-k8s.io, kind: WorkspaceTemplateApply, namespace: blue}]
                  to: [{group: infrastructure.cluster.x-k8s.io, kind: WorkspaceTemplate, name: shared}]
                """);
        outputIs("blue", "borrowed", "red", "open");
    }

    @Test
    void aSecretOfAnotherNamespaceReachesNoModule() throws IOException {
        steal("stealing");
    }

    private static void steal(String name) throws IOException {
        mallory(
                template(
                                name,
                                "{source: Inline, env: [{name: TF_VAR_it, secretKeyRef: {namespace: red, name: keys, key: key}}], module: 'variable \"it\" {} output \"it\" { value = var.it }'}")
                        + application(
                                name,
                                "{templateRef: {name: %s}, writeConnectionSecretToRef: {name: %s-out, namespace: blue}}"
                                        .formatted(name, name)));
        isRefused(name, "Secret red/keys");
        assertThat(output("blue", name + "-out", "it")).isEmpty();
    }

    @Test
    void outputsAreNotWrittenIntoAnotherNamespace() throws IOException {
        mallory(
                template(
                                "planting",
                                "{source: Inline, module: 'output \"key\" { value = \"hers\" }'}")
                        + application(
                                "planting",
                                "{templateRef: {name: planting}, writeConnectionSecretToRef: {name: keys, namespace: red}}"));
        isRefused("planting", "Secret red/keys");
        assertThat(output("red", "keys", "key")).isEqualTo(SECRET);
    }

    @Test
    void whatANamespacedConfigNamesElsewhereIsNotRead() throws IOException {
        mallory(
                """
                apiVersion: tf.m.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: reaching, namespace: blue}
                spec: {credentials: [{filename: f, source: Secret, secretRef: {namespace: red, name: keys, key: key}}]}
                ---
                """
                        + Workspaces.yaml(
                                "tf.m.upbound.io",
                                "{name: reaching, namespace: blue}",
                                "output \"it\" { value = file(\"f\") }",
                                """
                                providerConfigRef: {kind: ProviderConfig, name: reaching}
                                writeConnectionSecretToRef: {name: reached}
                                """,
                                ""));
        Eventually.see(
                "the Workspace says why",
                LIMIT,
                () ->
                        plane.kubectl(
                                "get",
                                "workspaces.tf.m.upbound.io",
                                "reaching",
                                "-n=blue",
                                "-o=jsonpath={.status.conditions}"),
                told -> told.contains("Secret red/keys"));
        assertThat(output("blue", "reached", "it")).isEmpty();
    }

    // ---- states that collide

    @Test
    void statesWhoseNamesOnceMetAreTwo() throws IOException {
        plane.kubectl("create", "namespace", "red-team");
        var module =
                """
                resource "terraform_data" "it" { input = "%s" }
                output "it" { value = terraform_data.it.output }
                """;
        plane.apply(workspace("red-team", "db", module.formatted("first")));
        outputIs("red-team", "db-outputs", "it", "first");
        plane.apply(workspace("red", "db-team", module.formatted("second")));
        outputIs("red", "db-team-outputs", "it", "second");
        plane.apply(workspace("red", "team-db", module.formatted("third")));
        outputIs("red", "team-db-outputs", "it", "third");

        assertThat(states()).hasSize(3);
        plane.kubectl(
                "delete", "workspaces.tf.m.upbound.io", "team-db", "-n=red", "--timeout=120s");
        assertThat(output("red-team", "db-outputs", "it")).isEqualTo("first");
        assertThat(states()).hasSize(2);
    }

    private static List<String> states() {
        return plane.kubectl("get", "secrets", "-A", "-l=tfstate=true", "-o=name")
                .lines()
                .filter(name -> name.contains("db"))
                .toList();
    }

    // ---- kubeconfigs of workload clusters

    /// As Mallory: a Cluster that is up, a kubeconfig that she wrote, and a release on it.
    private static void join(String name, CountingDoor door, String cluster, String user)
            throws IOException {
        var kubeconfig =
                """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: k, user: u}}]
                clusters: [{name: k, cluster: %s}]
                users: [{name: u, user: %s}]
                """
                        .formatted(cluster, user)
                        .replace("DOOR", door.address())
                        .replace("MARK", mark(name).toString())
                        .replace("FILE", access.toString());
        mallory(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %1$s, namespace: blue}
                spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: 6443}}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: %1$s-kubeconfig, namespace: blue}
                data: {value: %2$s}
                """
                        .formatted(
                                name,
                                Base64.getEncoder().encodeToString(kubeconfig.getBytes(UTF_8))));
        plane.kubectl(
                "patch",
                "clusters.cluster.x-k8s.io",
                name,
                "-n=blue",
                "--as=" + MALLORY,
                "--subresource=status",
                "--type=merge",
                "--patch={\"status\":{\"initialization\":{\"controlPlaneInitialized\":true}}}");
        release(name, "blue");
    }

    private static Path mark(String name) {
        return directory.resolve("ran-" + name);
    }

    private static void release(String cluster, String namespace) throws IOException {
        mallory(
                """
                apiVersion: addons.cluster.x-k8s.io/v1alpha1
                kind: HelmReleaseProxy
                metadata: {name: on-%1$s, namespace: blue}
                spec:
                  clusterRef: {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: %1$s, namespace: %2$s}
                  chartName: web
                  repoURL: https://127.0.0.1:1/charts
                  releaseName: web
                  version: 1.0.0
                """
                        .formatted(cluster, namespace));
    }

    private static void releaseSays(String cluster, String words) {
        Eventually.see(
                "the release on %s says %s; %s".formatted(cluster, words, addons.lastWords()),
                LIMIT,
                () ->
                        plane.kubectl(
                                "get",
                                "helmreleaseproxies.addons.cluster.x-k8s.io",
                                "on-" + cluster,
                                "-n=blue",
                                "-o=jsonpath={.status.conditions}"),
                told -> told.contains(words));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    exec | {server: 'https://DOOR'} | {exec: {apiVersion: client.authentication.k8s.io/v1, command: touch, args: [MARK], interactiveMode: Never}} | user.exec
                    auth-provider | {server: 'https://DOOR'} | {auth-provider: {name: gcp, config: {cmd-path: touch, cmd-args: MARK}}} | user.auth-provider
                    token-file | {server: 'https://DOOR'} | {tokenFile: FILE} | user.tokenFile
                    certificate-file | {server: 'https://DOOR'} | {client-certificate: FILE, client-key: FILE} | user.client-
                    authority-file | {server: 'https://DOOR', certificate-authority: FILE} | {token: t} | cluster.certificate-authority
                    proxy | {server: 'https://DOOR', proxy-url: 'http://DOOR'} | {token: t} | cluster.proxy-url
                    impersonation | {server: 'https://DOOR'} | {token: t, as: admin} | user.as
                    http | {server: 'http://DOOR'} | {token: t} | https://
                    """)
    void aKubeconfigThatRunsReadsOrDetoursIsRefused(
            String name, String cluster, String user, String words) throws IOException {
        try (var door = CountingDoor.open()) {
            join(name, door, cluster, user);

            releaseSays(name, words);

            assertThat(mark(name)).doesNotExist();
            assertThat(door.visitors()).isZero();
        }
    }

    @Test
    void aKubeconfigThatIsNothingButAConnectionIsFollowed() throws IOException {
        try (var door = CountingDoor.open()) {
            join("plain", door, "{server: 'https://DOOR'}", "{token: t}");

            Eventually.see(
                    "the manager connects; " + addons.lastWords(),
                    LIMIT,
                    door::visitors,
                    count -> count > 0);
        }
    }

    @Test
    void aClusterOfAnotherNamespaceGetsNoReleaseOfHers() throws IOException {
        plane.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: prod, namespace: red}
                spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: 6443}}
                """);

        release("prod", "red");

        releaseSays("prod", "spec.clusterRef names Cluster red/prod");
        assertThat(asked(ChartAccount.of(plane, Chart.ADDONS).user()))
                .isNotEmpty()
                .noneMatch(request -> request.path().contains("/namespaces/red/secrets"))
                .noneMatch(request -> request.verb().equals("update"));
    }

    // ---- what the manager asked for while all this went on

    @Test
    void theManagerNeverAsksForAnythingOfTheOtherNamespaceThatItRefuses() throws IOException {
        steal("again");
        assertThat(asked(MANAGER))
                .filteredOn(request -> request.path().contains("/namespaces/red/secrets/keys"))
                .isEmpty();
        assertThat(asked(MANAGER)).filteredOn(request -> request.verb().equals("update")).isEmpty();
    }

    private static List<AuditLog.Request> asked(String user) {
        return plane.audit().requests().stream()
                .filter(request -> request.user().equals(user))
                .toList();
    }
}
