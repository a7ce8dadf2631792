package dev.millwright.testing.e2e.chart;

import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The Helm client, built first if it is missing. It keeps its own files away from the user's.
final class Helm {

    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(3);

    private final List<String> command;

    private Helm(@Nullable Path kubeconfig) {
        try {
            var home = Files.createTempDirectory("millwright-helm");
            command =
                    new ArrayList<>(
                            List.of(
                                    "env",
                                    "HELM_CACHE_HOME=" + home,
                                    "HELM_CONFIG_HOME=" + home,
                                    "HELM_DATA_HOME=" + home));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        command.add(Binary.PATH);
        if (kubeconfig != null) {
            command.add("--kubeconfig=" + kubeconfig);
        }
    }

    private static final class Binary {
        private static final String PATH = Tools.path("helm").toString();
    }

    /// The chart that ours stands in for.
    static Path karpentersChart() {
        return Tools.path("karpenter-chart");
    }

    /// Without a cluster: for what is rendered here.
    static Helm alone() {
        return new Helm(null);
    }

    static Helm of(Path kubeconfig) {
        return new Helm(kubeconfig);
    }

    /// What Helm prints. An exit code other than zero is an exception with its words.
    String run(Object... arguments) {
        var whole = new ArrayList<>(command);
        for (var argument : arguments) {
            whole.add(argument.toString());
        }
        return Shell.run(whole, "", COMMAND_LIMIT);
    }

    /// What Helm says when it refuses.
    String refusal(Object... arguments) {
        String done;
        try {
            done = run(arguments);
        } catch (IllegalStateException refused) {
            return String.valueOf(refused.getMessage());
        }
        throw new AssertionError(
                "helm %s was not refused: %s"
                        .formatted(List.of(arguments), done.strip().toLowerCase(Locale.ROOT)));
    }

    /// For a cluster that knows the kinds of the Prometheus operator.
    Rendered template(Path chart, Object... arguments) {
        var whole =
                new ArrayList<Object>(
                        List.of(
                                "template",
                                "karpenter",
                                chart,
                                "-n",
                                "kube-system",
                                "--kube-version=1.35.0",
                                "--api-versions=monitoring.coreos.com/v1"));
        whole.addAll(List.of(arguments));
        return Rendered.of(run(whole.toArray()));
    }
}
