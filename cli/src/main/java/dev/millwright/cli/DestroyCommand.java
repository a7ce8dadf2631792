package dev.millwright.cli;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeAccessException;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.removal.Identity;
import dev.millwright.providers.aws.removal.Removal;
import dev.millwright.providers.aws.sdk.CallListener;
import dev.millwright.providers.aws.sdk.RegionFinder;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.providers.aws.sdk.SdkSettings;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;

/// Removes all that was launched for a cluster.
@Command(
        name = "destroy",
        description =
                "Remove all nodes that were launched for a cluster, and prove that nothing is left.",
        sortOptions = false,
        footer = {
            "",
            "NodePools go first, and with them their nodes, drained by the controller as always.",
            "When the time for drains is over, or no controller is at work, instances that bear",
            "the cluster's tags are ended, then launch templates, instance profiles and classes",
            "go. It may be stopped and run again. Node groups and all else that the controller",
            "did not make stay. Exit code 1 when something is left.",
            "",
            "Examples:",
            "  millwright destroy --cluster shop --dry-run",
            "  millwright destroy --cluster shop --yes --timeout 20m -o json",
            "  millwright destroy --cluster shop --yes --cloud-only"
        })
final class DestroyCommand implements Callable<Integer> {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 5;
    private static final Duration FIRST_WAIT = Duration.ofMillis(200);

    private final ClusterDoor door;
    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Option(
            names = {"--cluster", "--cluster-name"},
            paramLabel = "NAME",
            required = true,
            description = "The cluster's name in EKS, which is in the tags of what it launched.")
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private String clusterName;

    @Option(
            names = "--cluster-endpoint",
            paramLabel = "URL",
            description =
                    "The API server's address, of a cluster that EKS does not know; else CLUSTER_ENDPOINT.")
    private @Nullable String endpoint;

    @Option(
            names = "--cloud-only",
            description = "Ask no API server: remove what bears the cluster's tags in EC2 and IAM.")
    private boolean isCloudOnly;

    @Option(
            names = "--drain-timeout",
            paramLabel = "D",
            converter = DurationText.class,
            description =
                    "How long pods are waited for before instances are ended (default: three minutes less than --timeout).")
    private @Nullable Duration drainTimeout;

    @Option(
            names = "--timeout",
            paramLabel = "D",
            converter = DurationText.class,
            description = "How long all of it may take (default: 10m).")
    private Duration timeout = Duration.ofMinutes(10);

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask before.")
    private boolean isYes;

    @Option(names = "--dry-run", description = "Only show what would be removed.")
    private boolean isDryRun;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    DestroyCommand(ClusterDoor door, Terminal terminal) {
        this.door = door;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!isYes && !isDryRun && !terminal.isPersonThere()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "nobody is there to be asked; say --yes to remove cluster %s's nodes, or --dry-run to see them"
                            .formatted(clusterName));
        }
        var region = RegionFinder.find();
        if (region == null) {
            throw new IOException("the region is not known: set AWS_REGION");
        }
        try (var api = isCloudOnly ? null : reach();
                var clients =
                        new SdkClients(
                                SdkSettings.of(region, RootCommand.Version.text())
                                        .withTimeout(CALL_TIMEOUT)
                                        .withAttempts(ATTEMPTS, FIRST_WAIT),
                                CallListener.NONE)) {
            if (!isCloudOnly) {
                prove(api, clients);
            }
            var removal =
                    new Removal(
                            clients.ec2(),
                            clients.iam(),
                            api,
                            clusterName,
                            region,
                            new Removal.Setting(
                                    InstantSource.system(), Sleeper.system(), terminal::note));
            return carryOut(removal, new DestroyText(terminal, clusterName, region, api == null));
        }
    }

    private int carryOut(Removal removal, DestroyText text)
            throws IOException, InterruptedException {
        var found = removal.survey();
        if (isDryRun) {
            text.wouldRemove(found, output.format());
            return 0;
        }
        if (!isYes && !text.isConfirmed(found)) {
            terminal.note("nothing was removed");
            return Failures.EXIT_CODE;
        }
        var report = removal.run(Removal.Limits.of(timeout, drainTimeout));
        text.removed(report, output.format());
        return report.left().isEmpty() ? 0 : Failures.EXIT_CODE;
    }

    /// Null when no API server is there any more.
    private @Nullable HttpKubeApi reach() throws IOException {
        try {
            var api = door.open(cluster.access(terminal));
            switch (api.version()) {
                case ApiAnswer.Done _ -> {
                    return api;
                }
                case ApiAnswer.Unreachable(var message) -> {
                    api.close();
                    terminal.note("%s does not answer: %s".formatted(api.server(), message));
                    return null;
                }
                case ApiAnswer.Refused refused -> {
                    api.close();
                    throw new IOException(
                            "%s does not let us in: %s".formatted(api.server(), refused.explain()));
                }
            }
        } catch (KubeAccessException noWay) {
            terminal.note(String.valueOf(noWay.getMessage()));
            return null;
        }
    }

    private void prove(@Nullable HttpKubeApi api, SdkClients clients) throws IOException {
        var isPod = cluster.access(terminal) instanceof KubeAccess.InCluster;
        var server =
                api == null
                        ? null
                        : new Identity.Server(
                                isPod ? "" : api.server(), api.certificateAuthority());
        var said =
                endpoint != null
                        ? endpoint
                        : terminal.environment().getOrDefault("CLUSTER_ENDPOINT", "");
        var eks = Asked.of(() -> clients.eks().cluster(clusterName));
        switch (Identity.of(clusterName, eks, server, said)) {
            case Identity.Proven(var how) ->
                    terminal.note("this is cluster %s: %s".formatted(clusterName, how));
            case Identity.Gone(var why) ->
                    terminal.note(why + "; what bears its tags in EC2 and IAM is removed");
            case Identity.Refused(var why) -> throw new IOException("nothing is removed: " + why);
        }
    }
}
