package dev.millwright.providers.aws.image;

import dev.millwright.providers.aws.image.Parameter.Origin;
import dev.millwright.providers.aws.nodeclass.Alias;
import dev.millwright.providers.aws.nodeclass.AmiFamily;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Where AWS publishes the images that an alias stands for.
final class AliasParameters {

    private static final String EKS = "/aws/service/eks/optimized-ami/";
    private static final String BOTTLEROCKET = "/aws/service/bottlerocket/aws-k8s-";
    private static final String WINDOWS = "/aws/service/ami-windows-latest/Windows_Server-";

    private static final String X86 = "x86_64";
    private static final String ARM = "arm64";

    /// The last minor version AL2 is published for.
    private static final int AL2_MINOR_MAX = 32;

    private static final int WINDOWS2025_MINOR_MIN = 35;

    /// A parameter, and what the image is made for.
    record Published(Parameter parameter, List<Variant> variants) {
        Published {
            variants = List.copyOf(variants);
        }
    }

    private AliasParameters() {}

    /// Why there are no images of the alias for this Kubernetes, or null when there are.
    static @Nullable String unsupported(Alias alias, KubernetesVersion version) {
        return switch (alias.family()) {
            case AL2 ->
                    version.minor() > AL2_MINOR_MAX
                            ? ("alias %s: AL2 is published up to Kubernetes 1.%d, this cluster has"
                                            + " %s; use al2023 or bottlerocket")
                                    .formatted(alias, AL2_MINOR_MAX, version)
                            : null;
            case WINDOWS2025 ->
                    version.minor() < WINDOWS2025_MINOR_MIN
                            ? ("alias %s: Windows 2025 is published from Kubernetes 1.%d on, this"
                                            + " cluster has %s; use windows2022")
                                    .formatted(alias, WINDOWS2025_MINOR_MIN, version)
                            : null;
            case AL2023, BOTTLEROCKET, CUSTOM, WINDOWS2019, WINDOWS2022 -> null;
        };
    }

    static List<Published> of(Alias alias, KubernetesVersion version) {
        return switch (alias.family()) {
            case AL2 -> al2(alias, version);
            case AL2023 -> al2023(alias, version);
            case BOTTLEROCKET -> bottlerocket(alias, version);
            case WINDOWS2019 -> windows(alias, version, "2019");
            case WINDOWS2022 -> windows(alias, version, "2022");
            case WINDOWS2025 -> windows(alias, version, "2025");
            case CUSTOM -> List.of();
        };
    }

    private static List<Published> al2(Alias alias, KubernetesVersion k) {
        return List.of(
                al2(alias, k, "", Variant.STANDARD),
                al2(alias, k, "arm64", Variant.STANDARD),
                al2(alias, k, "gpu", Variant.NEURON, Variant.NVIDIA));
    }

    private static Published al2(
            Alias alias, KubernetesVersion k, String kind, Variant... variants) {
        var folder = kind.isEmpty() ? "amazon-linux-2" : "amazon-linux-2-" + kind;
        var node = kind.isEmpty() ? "amazon-eks-node" : "amazon-eks-%s-node".formatted(kind);
        var image =
                alias.isLatest() ? "recommended" : "%s-%s-%s".formatted(node, k, alias.version());
        return published(alias, "%s%s/%s/%s/image_id".formatted(EKS, k, folder, image), variants);
    }

    private static List<Published> al2023(Alias alias, KubernetesVersion k) {
        return List.of(
                al2023(alias, k, X86, "standard", Variant.STANDARD),
                al2023(alias, k, X86, "nvidia", Variant.NVIDIA),
                al2023(alias, k, X86, "neuron", Variant.NEURON),
                al2023(alias, k, ARM, "standard", Variant.STANDARD),
                al2023(alias, k, ARM, "nvidia", Variant.NVIDIA));
    }

    private static Published al2023(
            Alias alias, KubernetesVersion k, String architecture, String kind, Variant variant) {
        var image =
                alias.isLatest()
                        ? "recommended"
                        : "amazon-eks-node-al2023-%s-%s-%s-%s"
                                .formatted(architecture, kind, k, alias.version());
        return published(
                alias,
                "%s%s/amazon-linux-2023/%s/%s/%s/image_id"
                        .formatted(EKS, k, architecture, kind, image),
                variant);
    }

    private static List<Published> bottlerocket(Alias alias, KubernetesVersion k) {
        var all = new ArrayList<Published>();
        all.add(bottlerocket(alias, k + "/" + X86, Variant.STANDARD, Variant.NEURON));
        all.add(bottlerocket(alias, k + "/" + ARM, Variant.STANDARD));
        all.add(bottlerocket(alias, k + "-nvidia/" + X86, Variant.NVIDIA));
        all.add(bottlerocket(alias, k + "-nvidia/" + ARM, Variant.NVIDIA));
        return List.copyOf(all);
    }

    private static Published bottlerocket(Alias alias, String folder, Variant... variants) {
        var version = alias.version().startsWith("v") ? alias.version().substring(1) : null;
        return published(
                alias,
                "%s%s/%s/image_id"
                        .formatted(
                                BOTTLEROCKET, folder, version == null ? alias.version() : version),
                variants);
    }

    private static List<Published> windows(Alias alias, KubernetesVersion k, String year) {
        return List.of(
                published(
                        alias,
                        "%s%s-English-Core-EKS_Optimized-%s/image_id".formatted(WINDOWS, year, k),
                        Variant.windows(build(alias.family()))));
    }

    private static String build(AmiFamily family) {
        var build = family.windowsBuild();
        if (build == null) {
            throw new IllegalArgumentException(family + " is no family of Windows");
        }
        return build;
    }

    private static Published published(Alias alias, String name, Variant... variants) {
        var origin = alias.isLatest() ? Origin.FOLLOWING_ALIAS : Origin.PINNED_ALIAS;
        return new Published(new Parameter(name, origin), List.of(variants));
    }
}
