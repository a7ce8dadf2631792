package dev.millwright.testing.e2e.capi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A management cluster with the chart's objects, credentials for the AWS endpoint and the released
/// templates, and the manager with no more rights than the chart gives it.
public final class CaptSite implements AutoCloseable {

    public static final String NAMESPACE = "clusters";

    /// Must be seen nowhere but in its Secret.
    static final String KEY = "a-key-that-nobody-may-see";

    static final String SYSTEM = "capt-system";

    /// A step takes half a minute by itself; two cores that many tests share take longer.
    public static final Duration LIMIT = Duration.ofMinutes(12);

    private final ControlPlane plane;
    private final Processes processes;

    /// Both containers of the chart's pod.
    record Processes(OperatorProcess runner, OperatorProcess manager) implements AutoCloseable {

        /// @param variables what the manager alone has in its environment
        static Processes start(
                ControlPlane plane, Path directory, SortedMap<String, String> variables)
                throws IOException {
            var runner = CaptSite.runner(directory);
            return new Processes(runner, CaptSite.manager(plane, directory, variables));
        }

        @Override
        public void close() {
            manager.close();
            runner.close();
        }
    }

    public CaptSite(ControlPlane plane, AwsEndpoint endpoint, Path directory) {
        this.plane = plane;
        try {
            CaptDefinitions.install(plane);
            plane.kubectl("create", "namespace", NAMESPACE);
            plane.apply(
                    "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(SYSTEM));
            plane.apply(account(endpoint));
            plane.kubectl("apply", "-n", NAMESPACE, "-f", templates(directory).toString());
            processes = Processes.start(plane, directory, new TreeMap<>());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public OperatorProcess manager() {
        return processes.manager();
    }

    /// What the chart has in a container of its own: Terraform, its folders, and nothing else.
    private static OperatorProcess runner(Path directory) throws IOException {
        return OperatorProcess.start(
                List.of(
                        "run",
                        "terraform",
                        "--socket=" + directory.resolve("socket"),
                        "--work-dir=" + directory.resolve("work")),
                withTerraform(directory));
    }

    /// It could not run Terraform if it wanted to.
    private static OperatorProcess manager(
            ControlPlane plane, Path directory, SortedMap<String, String> variables) {
        var environment = new TreeMap<>(variables);
        environment.put("PATH", "/nowhere");
        return start(
                plane,
                environment,
                "--terraform-runner=" + directory.resolve("socket"),
                "--terraform-work-dir=" + directory.resolve("manager"));
    }

    private static SortedMap<String, String> withTerraform(Path directory) throws IOException {
        var settings = directory.resolve("terraformrc");
        Files.writeString(
                settings,
                "provider_installation {\n  filesystem_mirror {\n    path = \"%s\"\n  }\n}\n"
                        .formatted(Tools.path("providers")));
        var terraform = Tools.path("terraform").getParent();
        return new TreeMap<>(
                Map.of(
                        "PATH",
                        terraform + ":/usr/local/bin:/usr/bin:/bin",
                        "TF_CLI_CONFIG_FILE",
                        settings.toString()));
    }

    private static OperatorProcess start(
            ControlPlane plane, SortedMap<String, String> variables, String... options) {
        var kubeconfig = ChartAccount.of(plane, Chart.CAPT).kubeconfig();
        var environment = new TreeMap<>(variables);
        environment.put("POD_NAMESPACE", SYSTEM);
        environment.put("AWS_EC2_METADATA_DISABLED", "true");
        environment.put("AWS_CONFIG_FILE", "/dev/null");
        var arguments =
                new ArrayList<>(
                        List.of(
                                "run",
                                "capi",
                                "--kubeconfig=" + kubeconfig,
                                "--leader-elect=true",
                                "--leader-election-namespace=" + SYSTEM,
                                "--metrics-bind-address=0",
                                "--health-probe-bind-address=127.0.0.1:0",
                                "--zap-log-level=debug"));
        arguments.addAll(List.of(options));
        return OperatorProcess.start(arguments, environment);
    }

    /// The released templates. Interruption queues are left out: Terraform's provider waits two
    /// minutes for each, and `CaptTemplatesIT` has one.
    private static Path templates(Path directory) throws IOException {
        var folder = Files.createDirectories(directory.resolve("templates"));
        try (var files = Files.list(Tools.ROOT.resolve("deploy/capt/templates"))) {
            for (var file : files.sorted().toList()) {
                var text = Files.readString(file, UTF_8);
                var quick =
                        text.replace(
                                "key: interruption_queue\n            value: \"true\"",
                                "key: interruption_queue\n            value: \"false\"");
                Files.writeString(folder.resolve(file.getFileName()), quick, UTF_8);
            }
        }
        return folder;
    }

    private static String account(AwsEndpoint endpoint) {
        return """
        apiVersion: v1
        kind: Secret
        metadata: {name: aws-credentials, namespace: %1$s}
        stringData:
          credentials: |
            [default]
            aws_access_key_id = test
            aws_secret_access_key = %2$s
        ---
        apiVersion: tf.upbound.io/v1beta1
        kind: ProviderConfig
        metadata: {name: aws-provider}
        spec:
          credentials:
            - filename: aws-credentials.ini
              source: Secret
              secretRef: {namespace: %1$s, name: aws-credentials, key: credentials}
          configuration: |
            provider "aws" {
              shared_credentials_files = ["${path.module}/aws-credentials.ini"]
              endpoints {
                ec2    = "%3$s"
                eks    = "%3$s"
                iam    = "%3$s"
                sts    = "%3$s"
                sqs    = "%3$s"
                events = "%3$s"
              }
            }
        """
                .formatted(SYSTEM, KEY, endpoint.uri());
    }

    // ---- what there is

    public String get(String... what) {
        var arguments = new ArrayList<>(List.of("get", "--ignore-not-found"));
        arguments.addAll(List.of(what));
        return plane.kubectl(arguments.toArray(String[]::new));
    }

    /// One field of one object; empty when either is missing.
    public String field(String kind, String name, String path) {
        return get(kind, name, "-n", NAMESPACE, "-o=jsonpath={%s}".formatted(path)).strip();
    }

    /// A field of a Workspace, which has no namespace.
    String workspace(String name, String path) {
        return get("workspaces.tf.upbound.io", name, "-o=jsonpath={%s}".formatted(path)).strip();
    }

    public void see(String what, String kind, String name, String path, String wanted) {
        Eventually.see(
                what,
                LIMIT,
                () -> field(kind, name, path) + "\n" + get(kind, name, "-n", NAMESPACE, "-o=yaml"),
                seen -> seen.startsWith(wanted));
    }

    /// As core Cluster API does for what a Cluster refers to.
    void adopt(String cluster) {
        var uid = field("clusters.cluster.x-k8s.io", cluster, ".metadata.uid");
        for (var kind : List.of("captclusters", "captcontrolplanes")) {
            plane.kubectl(
                    "patch",
                    kind,
                    cluster,
                    "-n",
                    NAMESPACE,
                    "--type=merge",
                    "-p",
                    """
                    {"metadata": {"labels": {"cluster.x-k8s.io/cluster-name": "%1$s"},
                     "ownerReferences": [{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster",
                      "name": "%1$s", "uid": "%2$s", "controller": true, "blockOwnerDeletion": true}]}}
                    """
                            .formatted(cluster, uid));
        }
    }

    public void apply(String yaml) {
        plane.apply(yaml);
    }

    /// What `capi tree` prints, by the administrator's kubeconfig.
    String tree(String cluster) {
        return Shell.run(
                OperatorProcess.command(
                        List.of(
                                "capi",
                                "tree",
                                cluster,
                                "--namespace=" + NAMESPACE,
                                "--kubeconfig=" + plane.kubeconfig())),
                "",
                LIMIT);
    }

    public void delete(String... what) {
        var arguments = new ArrayList<>(List.of("delete", "--wait=false", "-n", NAMESPACE));
        arguments.addAll(List.of(what));
        plane.kubectl(arguments.toArray(String[]::new));
    }

    @Override
    public void close() {
        processes.close();
    }
}
