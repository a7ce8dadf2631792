package dev.millwright.cli;

import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeAccessException;
import dev.millwright.providers.aws.doctor.Check;
import dev.millwright.providers.aws.doctor.Doctor;
import dev.millwright.providers.aws.doctor.Examination;
import dev.millwright.providers.aws.sdk.CallListener;
import dev.millwright.providers.aws.sdk.RegionFinder;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.providers.aws.sdk.SdkSettings;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Looks at an account and a cluster before the operator first runs there.
@Command(
        name = "doctor",
        description =
                "Check the AWS account and the cluster before first use, and show what to fix.",
        sortOptions = false,
        footer = {
            "",
            "Nothing is changed: permissions are tried by dry runs. Whose permissions they are is",
            "the first thing shown; run it as the controller's role to see what that may do.",
            "Exit code 1 when something must be fixed.",
            "",
            "Examples:",
            "  millwright doctor --cluster-name shop --interruption-queue shop",
            "  millwright doctor --cluster-name shop --node-role KarpenterNodeRole-shop -o json"
        })
final class DoctorCommand implements Callable<Integer> {

    /// A person waits.
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final int ATTEMPTS = 2;
    private static final Duration FIRST_WAIT = Duration.ofMillis(200);

    private final ClusterDoor door;
    private final Terminal terminal;

    @Option(
            names = "--cluster-name",
            paramLabel = "NAME",
            description = "The cluster's name in EKS; else CLUSTER_NAME.")
    private @Nullable String clusterName;

    @Option(
            names = "--interruption-queue",
            paramLabel = "NAME",
            description = "The SQS queue that tells of interruptions; else INTERRUPTION_QUEUE.")
    private @Nullable String queue;

    @Option(
            names = "--node-role",
            paramLabel = "NAME",
            description = "The IAM role that EC2NodeClasses give to nodes.")
    private String nodeRole = "";

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    DoctorCommand(ClusterDoor door, Terminal terminal) {
        this.door = door;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        var checks = checks();
        DoctorText.show(checks, output.format(), terminal);
        return checks.stream().anyMatch(check -> check.state() == Check.State.FIX) ? 1 : 0;
    }

    private List<Check> checks() {
        var checks = new ArrayList<Check>();
        var name = given(clusterName, "CLUSTER_NAME");
        if (name.isEmpty()) {
            checks.add(
                    mustFix(
                            "cluster-name",
                            "the cluster's name is not given",
                            "aws eks list-clusters",
                            "millwright doctor --cluster-name NAME"));
        }
        try (var api = open(checks)) {
            var region =
                    name.isEmpty() ? terminal.environment().get("AWS_REGION") : RegionFinder.find();
            if (name.isEmpty() && region == null) {
                checks.addAll(
                        Doctor.withoutAccount(
                                api, name, "needs the cluster's name, or AWS_REGION"));
            } else if (region == null) {
                checks.add(
                        mustFix(
                                "region",
                                "the region is not known",
                                "export AWS_REGION=us-east-1"));
                checks.addAll(Doctor.withoutAccount(api, name, "needs the region"));
            } else {
                checks.addAll(account(api, name, region));
            }
        }
        return checks;
    }

    private List<Check> account(@Nullable HttpKubeApi api, String name, String region) {
        try (var clients =
                new SdkClients(
                        SdkSettings.of(region, RootCommand.Version.text())
                                .withTimeout(TIMEOUT)
                                .withAttempts(ATTEMPTS, FIRST_WAIT),
                        CallListener.NONE)) {
            var services =
                    new Doctor.Services(
                            clients.identity(),
                            clients.ec2(),
                            clients.iam(),
                            clients.eks(),
                            clients.sqs(),
                            clients.ssm());
            return new Doctor(services, api)
                    .examine(
                            new Examination(
                                    name,
                                    region,
                                    given(queue, "INTERRUPTION_QUEUE"),
                                    nodeRole,
                                    api == null ? null : server(api)));
        }
    }

    /// A pod reaches the API server by an address of its own, which says nothing of the cluster.
    private @Nullable String server(HttpKubeApi api) {
        return cluster.access(terminal) instanceof KubeAccess.InCluster ? null : api.server();
    }

    private String given(@Nullable String option, String variable) {
        return option != null ? option : terminal.environment().getOrDefault(variable, "");
    }

    /// Null when there is no way to the API server, or it does not answer; that is told.
    private @Nullable HttpKubeApi open(List<Check> checks) {
        try {
            var api = door.open(cluster.access(terminal));
            var answer = api.version();
            if (answer.isDone()) {
                checks.add(new Check("api-server", Check.State.OK, api.server(), List.of()));
                return api;
            }
            checks.add(
                    mustFix(
                            "api-server",
                            "%s does not answer: %s".formatted(api.server(), answer.explain()),
                            "kubectl version"));
            api.close();
        } catch (KubeAccessException fault) {
            checks.add(
                    mustFix(
                            "api-server",
                            String.valueOf(fault.getMessage()),
                            "aws eks update-kubeconfig --name "
                                    + (given(clusterName, "CLUSTER_NAME").isEmpty()
                                            ? "NAME"
                                            : given(clusterName, "CLUSTER_NAME"))));
        }
        return null;
    }

    private static Check mustFix(String name, String found, String... commands) {
        return new Check(name, Check.State.FIX, found, List.of(commands));
    }
}
