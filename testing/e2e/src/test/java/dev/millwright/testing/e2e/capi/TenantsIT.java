package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.testing.e2e.AuditLog;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Two tenants on a real API server, each with all rights on the objects of its own namespace and
/// none beyond, and the manager as a process with the rights of its chart and a real Terraform.
/// Mallory's namespace is `blue`; she is after what is in `red`, or is the manager's.
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
    }

    @AfterAll
    static void stop() {
        processes.close();
        plane.close();
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

    // ---- what the manager asked for while all this went on

    @Test
    void theManagerNeverAsksForAnythingOfTheOtherNamespaceThatItRefuses() throws IOException {
        steal("again");
        assertThat(asked())
                .filteredOn(request -> request.path().contains("/namespaces/red/secrets/keys"))
                .isEmpty();
        assertThat(asked()).filteredOn(request -> request.verb().equals("update")).isEmpty();
    }

    private static List<AuditLog.Request> asked() {
        return plane.audit().requests().stream()
                .filter(request -> request.user().equals(MANAGER))
                .toList();
    }
}
