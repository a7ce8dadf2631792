package dev.millwright.providers.aws.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.image.AliasParameters.Published;
import dev.millwright.providers.aws.image.Parameter.Origin;
import dev.millwright.providers.aws.nodeclass.Alias;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

class AliasParametersTest {

    private static final String EKS = "/aws/service/eks/optimized-ami/";
    private static final String ROCKET = "/aws/service/bottlerocket/aws-k8s-1.31";

    private static Alias alias(String text) {
        return Objects.requireNonNull(Alias.parse(text));
    }

    private static KubernetesVersion version(int minor) {
        return new KubernetesVersion(1, minor);
    }

    private static List<String> names(String alias, int minor) {
        return AliasParameters.of(alias(alias), version(minor)).stream()
                .map(published -> published.parameter().name())
                .toList();
    }

    private static List<List<Variant>> variants(String alias) {
        return AliasParameters.of(alias(alias), version(31)).stream()
                .map(Published::variants)
                .toList();
    }

    @Test
    void al2HasThreeParametersOfWhichOneServesGpusAndAccelerators() {
        assertThat(names("al2@latest", 31))
                .containsExactly(
                        EKS + "1.31/amazon-linux-2/recommended/image_id",
                        EKS + "1.31/amazon-linux-2-arm64/recommended/image_id",
                        EKS + "1.31/amazon-linux-2-gpu/recommended/image_id");
        assertThat(variants("al2@latest"))
                .containsExactly(
                        List.of(Variant.STANDARD),
                        List.of(Variant.STANDARD),
                        List.of(Variant.NEURON, Variant.NVIDIA));
    }

    @Test
    void aPinnedAl2NamesTheNodeImageItself() {
        assertThat(names("al2@v20240807", 30))
                .containsExactly(
                        EKS + "1.30/amazon-linux-2/amazon-eks-node-1.30-v20240807/image_id",
                        EKS
                                + "1.30/amazon-linux-2-arm64/amazon-eks-arm64-node-1.30-v20240807/image_id",
                        EKS
                                + "1.30/amazon-linux-2-gpu/amazon-eks-gpu-node-1.30-v20240807/image_id");
    }

    @Test
    void al2023HasAParameterForEachArchitectureAndVariant() {
        assertThat(names("al2023@latest", 31))
                .containsExactly(
                        EKS + "1.31/amazon-linux-2023/x86_64/standard/recommended/image_id",
                        EKS + "1.31/amazon-linux-2023/x86_64/nvidia/recommended/image_id",
                        EKS + "1.31/amazon-linux-2023/x86_64/neuron/recommended/image_id",
                        EKS + "1.31/amazon-linux-2023/arm64/standard/recommended/image_id",
                        EKS + "1.31/amazon-linux-2023/arm64/nvidia/recommended/image_id");
        assertThat(names("al2023@v20240807", 31))
                .contains(
                        EKS
                                + "1.31/amazon-linux-2023/arm64/nvidia/amazon-eks-node-al2023-arm64-nvidia-1.31-v20240807/image_id");
    }

    @Test
    void bottlerocketDropsTheVersionsLetter() {
        assertThat(names("bottlerocket@v1.20.3", 31))
                .containsExactly(
                        ROCKET + "/x86_64/1.20.3/image_id",
                        ROCKET + "/arm64/1.20.3/image_id",
                        ROCKET + "-nvidia/x86_64/1.20.3/image_id",
                        ROCKET + "-nvidia/arm64/1.20.3/image_id");
        assertThat(names("bottlerocket@latest", 31)).contains(ROCKET + "/x86_64/latest/image_id");
        assertThat(variants("bottlerocket@latest"))
                .containsExactly(
                        List.of(Variant.STANDARD, Variant.NEURON),
                        List.of(Variant.STANDARD),
                        List.of(Variant.NVIDIA),
                        List.of(Variant.NVIDIA));
    }

    @Test
    void windowsHasOneParameterAndItsBuild() {
        assertThat(names("windows2022@latest", 31))
                .containsExactly(
                        "/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.31/image_id");
        assertThat(variants("windows2022@latest"))
                .containsExactly(List.of(Variant.windows("10.0.20348")));
    }

    @Test
    void onlyAFollowingAliasChangesItsMind() {
        assertThat(AliasParameters.of(alias("al2023@latest"), version(31)))
                .allMatch(each -> each.parameter().origin() == Origin.FOLLOWING_ALIAS);
        assertThat(AliasParameters.of(alias("al2023@v20240807"), version(31)))
                .allMatch(each -> each.parameter().origin() == Origin.PINNED_ALIAS);
    }

    @Test
    void al2EndsWithKubernetes132AndWindows2025BeginsWith135() {
        assertThat(AliasParameters.unsupported(alias("al2@latest"), version(32))).isNull();
        assertThat(AliasParameters.unsupported(alias("al2@latest"), version(33)))
                .contains("al2@latest", "1.33", "al2023");
        assertThat(AliasParameters.unsupported(alias("al2023@latest"), version(33))).isNull();
        assertThat(AliasParameters.unsupported(alias("windows2025@latest"), version(34)))
                .contains("windows2025@latest", "1.34");
        assertThat(AliasParameters.unsupported(alias("windows2025@latest"), version(35))).isNull();
    }

    @Test
    void requirementsAreListedByTheLengthOfTheirKeys() {
        assertThat(Variant.STANDARD.on("arm64"))
                .extracting(Object::toString)
                .containsExactly(
                        "kubernetes.io/arch In [arm64]",
                        "karpenter.k8s.aws/instance-gpu-count DoesNotExist []",
                        "karpenter.k8s.aws/instance-accelerator-count DoesNotExist []");
    }
}
