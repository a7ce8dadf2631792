package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// Which images an alias leads to, and for which machines.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class ClassImagesTest {

    private static final String AMD = "kubernetes.io/arch In [amd64]";
    private static final String ARM = "kubernetes.io/arch In [arm64]";
    private static final String NO_GPU = "karpenter.k8s.aws/instance-gpu-count DoesNotExist []";
    private static final String GPU = "karpenter.k8s.aws/instance-gpu-count Exists []";
    private static final String NO_ACCELERATOR =
            "karpenter.k8s.aws/instance-accelerator-count DoesNotExist []";
    private static final String ACCELERATOR =
            "karpenter.k8s.aws/instance-accelerator-count Exists []";
    private static final String RECOMMENDED =
            "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/%s/%s/recommended/image_id";

    private static ClassRig looked(String alias) {
        var rig = new ClassRig().make("amiSelectorTerms", "[{alias: %s}]".formatted(alias));
        rig.look();
        return rig;
    }

    private static List<String> told(ClassRig rig) {
        return rig.status().amis().stream().map(ClassImagesTest::text).toList();
    }

    private static String text(Ami ami) {
        return ami.id()
                + (ami.isDeprecated() ? " deprecated" : "")
                + ": "
                + ami.requirements().stream()
                        .map(Object::toString)
                        .collect(Collectors.joining(", "));
    }

    private static String line(String id, String... requirements) {
        return id + ": " + String.join(", ", requirements);
    }

    @Test
    @Tag("AWS-C1")
    void al2023HasAnImageForEachKindOfMachine() {
        var rig = looked("al2023@latest");

        assertThat(told(rig))
                .containsExactly(
                        line("ami-al2023amd64neuron", AMD, ACCELERATOR),
                        line("ami-al2023amd64nvidia", AMD, GPU),
                        line("ami-al2023amd64standard", AMD, NO_GPU, NO_ACCELERATOR),
                        line("ami-al2023arm64nvidia", ARM, GPU),
                        line("ami-al2023arm64standard", ARM, NO_GPU, NO_ACCELERATOR));
        assertThat(rig.condition("AMIsReady")).isEqualTo("True AMIsReady");
    }

    @Test
    @Tag("AWS-C1")
    void oneImageOfAl2ServesGpusAndAccelerators(TestAccount aws) {
        aws.fixture("1.32");

        assertThat(told(looked("al2@latest")))
                .containsExactly(
                        line("ami-al2amd64gpu", AMD, ACCELERATOR),
                        line("ami-al2amd64gpu", AMD, GPU),
                        line("ami-al2amd64standard", AMD, NO_GPU, NO_ACCELERATOR),
                        line("ami-al2arm64standard", ARM, NO_GPU, NO_ACCELERATOR));
    }

    @Test
    @Tag("AWS-C1")
    void bottlerocketsPlainImageServesAcceleratorsToo() {
        assertThat(told(looked("bottlerocket@latest")))
                .containsExactly(
                        line("ami-bottlerocketamd64nvidia", AMD, GPU),
                        line("ami-bottlerocketamd64standard", AMD, ACCELERATOR),
                        line("ami-bottlerocketamd64standard", AMD, NO_GPU, NO_ACCELERATOR),
                        line("ami-bottlerocketarm64nvidia", ARM, GPU),
                        line("ami-bottlerocketarm64standard", ARM, NO_GPU, NO_ACCELERATOR));
    }

    @Test
    @Tag("AWS-C1")
    void imagesOfWindowsAskForItsBuild() {
        assertThat(told(looked("windows2019@latest")))
                .containsExactly(windows("2019", "10.0.17763"));
        assertThat(told(looked("windows2022@latest")))
                .containsExactly(windows("2022", "10.0.20348"));
        assertThat(told(looked("windows2025@latest")))
                .containsExactly(windows("2025", "10.0.26100"));
    }

    private static String windows(String year, String build) {
        return line(
                "ami-windows" + year,
                "kubernetes.io/os In [windows]",
                AMD,
                "node.kubernetes.io/windows-build In [%s]".formatted(build));
    }

    @Test
    @Tag("AWS-C1")
    void aPinnedAliasLeadsToThatVersion() {
        assertThat(looked("al2023@v20260101").status().amis())
                .extracting(Ami::id)
                .contains("ami-al2023amd64standardold")
                .hasSize(5);
        assertThat(looked("bottlerocket@v1.45.0").status().amis())
                .extracting(Ami::id)
                .contains("ami-bottlerocketamd64standardold");
    }

    @Test
    @Tag("AWS-C1")
    void whatIsPublishedOnlyInPartIsUsedInPart(TestAccount aws) {
        aws.parameter(RECOMMENDED.formatted("x86_64", "neuron"), null);
        aws.parameter(RECOMMENDED.formatted("arm64", "nvidia"), null);
        aws.fail(
                ApiFault.refuse("GetParameter", "InternalServerError", 500)
                        .always()
                        .matching("x86_64/nvidia"));

        assertThat(looked("al2023@latest").status().amis())
                .extracting(Ami::id)
                .containsExactly("ami-al2023amd64standard", "ami-al2023arm64standard");
    }

    @Test
    @Tag("AWS-C1")
    void aParameterThatIsNotToldForAMomentTakesNoImageAway(TestAccount aws) {
        var rig = looked("al2023@latest");
        aws.fail(
                ApiFault.refuse("GetParameter", "InternalServerError", 500)
                        .always()
                        .matching("x86_64/nvidia"));
        rig.lookAfter(Duration.ofHours(24));
        assertThat(rig.status().amis()).hasSize(5);

        aws.noFaults();
        aws.parameter(RECOMMENDED.formatted("x86_64", "nvidia"), null);
        rig.lookAfter(Duration.ofMinutes(5));
        assertThat(rig.status().amis()).hasSize(4);
    }

    @Test
    @Tag("AWS-C1")
    void anAliasThatLeadsNowhereLeavesWhatWasKnown() {
        var rig = looked("al2023@latest");
        rig.change("amiSelectorTerms", "[{alias: al2023@v19990101}]");
        var ending = rig.look();

        assertThat(rig.status().amis()).hasSize(5);
        assertThat(rig.condition("AMIsReady")).isEqualTo("True AMIsReady");
        assertThat(rig.condition("Ready")).isEqualTo("Unknown ReconcilingDependents");
        assertThat(ending.toString()).contains("al2023@v19990101", "1.35");
    }

    @Test
    @Tag("AWS-C1")
    void imagesThatAreGoneMakeTheClassUnready(TestAccount aws) {
        aws.images(Tree.of("ImageId", "ami-al2023amd64standard").put("State", "disabled"));
        aws.parameter(RECOMMENDED.formatted("x86_64", "neuron"), "ami-gone");
        aws.parameter(RECOMMENDED.formatted("x86_64", "nvidia"), "ami-gone");
        aws.parameter(RECOMMENDED.formatted("x86_64", "standard"), "ami-gone");
        aws.parameter(RECOMMENDED.formatted("arm64", "nvidia"), "ami-gone");
        aws.parameter(RECOMMENDED.formatted("arm64", "standard"), "ami-gone");
        var rig = new ClassRig().make();
        var ending = rig.look();

        assertThat(rig.status().amis()).isEmpty();
        assertThat(rig.condition("AMIsReady")).isEqualTo("False AMINotFound");
        assertThat(rig.message("AMIsReady")).contains("default", "amiSelectorTerms");
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
    }

    @Test
    @Tag("AWS-C1")
    void anImageIsToldAsDeprecatedOnceItIsAndNoLongerWhenItIsNot(TestAccount aws) {
        var rig = looked("al2023@v20260101");
        assertThat(rig.status().amis()).noneMatch(Ami::isDeprecated);

        rig.rig().clock().set(Instant.parse("2026-03-01T00:00:00Z"));
        rig.look();
        assertThat(rig.status().amis()).hasSize(5).allMatch(Ami::isDeprecated);

        aws.images(
                Tree.of("ImageId", "ami-al2023amd64standardold")
                        .put("Name", "back again")
                        .put("Architecture", "x86_64")
                        .put("CreationDate", "2026-01-01T00:00:00.000Z"));
        rig.lookAfter(Duration.ofMinutes(1));
        assertThat(rig.status().amis())
                .filteredOn(ami -> !ami.isDeprecated())
                .extracting(Ami::id)
                .containsExactly("ami-al2023amd64standardold");
    }

    @Test
    @Tag("AWS-C3")
    void al2EndsWithKubernetes132(TestAccount aws) {
        aws.fixture("1.33");
        var rig = looked("al2@latest");

        assertThat(rig.condition("AMIsReady")).isEqualTo("False UnsupportedAlias");
        assertThat(rig.message("AMIsReady")).contains("al2@latest", "1.33");
        assertThat(rig.condition("Ready")).isEqualTo("False UnhealthyDependents");
        assertThat(looked("al2023@latest").condition("AMIsReady")).isEqualTo("True AMIsReady");
    }

    @Test
    @Tag("AWS-C3")
    void windows2025BeginsWithKubernetes135(TestAccount aws) {
        aws.fixture("1.34");

        assertThat(looked("windows2025@latest").condition("AMIsReady"))
                .isEqualTo("False UnsupportedAlias");
        assertThat(looked("windows2022@latest").condition("AMIsReady")).isEqualTo("True AMIsReady");
    }

    @Test
    @Tag("AWS-C3")
    void anAliasThatIsNoneIsToldAndStopsNobody() {
        var rig = looked("al2023@v1@x");

        assertThat(rig.condition("AMIsReady")).isEqualTo("False AMINotFound");
        assertThat(rig.message("AMIsReady")).contains("al2023@v1@x", "family@version");
        assertThat(rig.condition("SubnetsReady")).isEqualTo("True SubnetsReady");
    }
}
