package dev.millwright.cli;

import dev.millwright.kube.client.KubeAccess;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/// Which cluster a command is about, as kubectl is told.
final class ClusterOptions {

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "The file that says how to reach the cluster; else KUBECONFIG, the pod's service account or ~/.kube/config.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "The context of that file; else its current one.")
    private @Nullable String context;

    KubeAccess access(Terminal terminal) {
        return KubeAccess.find(terminal.environment(), kubeconfig, context);
    }
}
