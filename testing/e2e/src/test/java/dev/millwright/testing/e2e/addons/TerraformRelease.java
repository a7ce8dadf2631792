package dev.millwright.testing.e2e.addons;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The release of Karpenter that `eks-controlplane-template` makes, by Terraform and its provider:
/// the template's own text, with what its other resources would give it filled in.
final class TerraformRelease {

    static final String CLUSTER_NAME = "shop";
    static final String ENDPOINT = "https://shop.example.com";
    static final String QUEUE = "Karpenter-shop";
    static final String ROLE = "arn:aws:iam::123456789012:role/shop-karpenter";

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Path MODULES = Tools.ROOT.resolve("deploy/capt/modules");
    private static final String BEGIN = "resource \"helm_release\" \"karpenter\" {";

    private final Path folder;
    private final String provider;

    TerraformRelease(ControlPlane workload, Path directory) {
        try {
            folder = Files.createDirectories(directory.resolve("terraform"));
            var mirror = Tools.path("providers");
            Files.writeString(
                    directory.resolve("terraformrc"),
                    "provider_installation {\n  filesystem_mirror {\n    path = \"%s\"\n  }\n}\n"
                            .formatted(mirror));
            provider =
                    "provider \"helm\" {\n  kubernetes = {\n    config_path = \"%s\"\n  }\n}\n"
                            .formatted(workload.kubeconfig());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// As `eks-controlplane-template` does.
    void install(Path chart) {
        write(provider + filled(text("eks-with-chart/chart.tf"), chart));
        run("init", "-input=false", "-no-color");
        run("apply", "-input=false", "-no-color", "-auto-approve");
    }

    /// As `eks-controlplane-template-without-karpenter` does to a cluster that was made by the
    /// other one.
    void handOver() {
        write(text("eks-without-chart/handover.tf"));
        run("init", "-input=false", "-no-color");
        run("apply", "-input=false", "-no-color", "-auto-approve");
    }

    /// What Terraform would do now.
    String plan() {
        return run("plan", "-input=false", "-no-color");
    }

    String state() {
        return run("state", "list").strip();
    }

    private static String filled(String module, Path chart) {
        var known = new TreeMap<String, String>();
        known.put("aws_eks_cluster.this.name", CLUSTER_NAME);
        known.put("aws_eks_cluster.this.endpoint", ENDPOINT);
        known.put("one(aws_sqs_queue.this[*].name)", QUEUE);
        known.put("aws_iam_role.controller.arn", ROLE);
        known.put("local.karpenter.namespace", "karpenter");
        known.put("local.karpenter.service_account", "karpenter");
        known.put("var.karpenter_chart", chart.toString());
        var text = module.substring(module.indexOf(BEGIN));
        text = text.substring(0, text.indexOf("  # It goes before")) + "}\n";
        text = text.replaceAll("(?m)^  version .*\n", "");
        for (Map.Entry<String, String> each : known.entrySet()) {
            text = text.replace(each.getKey(), "\"%s\"".formatted(each.getValue()));
        }
        return text;
    }

    private static String text(String file) {
        try {
            return Files.readString(MODULES.resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void write(String module) {
        try {
            Files.writeString(folder.resolve("main.tf"), module);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String run(String... arguments) {
        var home = folder.resolveSibling("helm-home");
        var command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "TF_CLI_CONFIG_FILE=" + folder.resolveSibling("terraformrc"),
                                "CHECKPOINT_DISABLE=1",
                                "HELM_CACHE_HOME=" + home,
                                "HELM_CONFIG_HOME=" + home,
                                "HELM_DATA_HOME=" + home,
                                Tools.path("terraform").toString(),
                                "-chdir=" + folder));
        command.addAll(List.of(arguments));
        return Shell.run(command, "", LIMIT);
    }
}
