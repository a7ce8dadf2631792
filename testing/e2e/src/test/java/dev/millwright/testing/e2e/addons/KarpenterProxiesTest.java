package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.HelmOptions;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.Tools;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/// The proxies of `deploy/capt/addons` against the templates and charts that they stand on.
final class KarpenterProxiesTest {

    private static final Pattern OUTPUT =
            Pattern.compile("\\$outputs\\.([a-z_]+)(?:\\.([a-z_]+))?");

    private static String text(String file) {
        try {
            return Files.readString(Tools.ROOT.resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static RawObject object(String file) {
        var documents = DocumentReader.readAll(Source.text(file, text(file)));
        return RawObject.of((Value.Mapping) documents.getFirst());
    }

    private static ChartProxy proxy(String name) {
        return ChartProxy.of(object("deploy/capt/addons/%s.yaml".formatted(name)));
    }

    private static String module(String template) {
        Field spec = object("deploy/capt/templates/%s.yaml".formatted(template)).spec();
        return spec.at("template").at("spec").at("forProvider").at("module").text("");
    }

    private static HelmOptions options(ChartProxy proxy) {
        return HelmOptions.of(proxy.object().spec().at("options"));
    }

    @Test
    void theOperatorIsTheReleaseKarpenterInItsNamespace() {
        var proxy = proxy("karpenter");

        assertThat(proxy.faults()).isEmpty();
        assertThat(proxy.namespace()).isEqualTo("karpenter");
        assertThat(proxy.releaseName()).isEqualTo("karpenter");
        assertThat(proxy.dependsOn()).isEmpty();
        assertThat(options(proxy).waits()).isTrue();
        assertThat(options(proxy).waitsForJobs()).isTrue();
        assertThat(options(proxy).isAtomic()).isTrue();
        assertThat(options(proxy).takesOwnership()).isFalse();
        assertThat(options(proxy).timeout()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void thePoolComesAfterTheOperator() {
        var proxy = proxy("karpenter-aws-default-nodepool");

        assertThat(proxy.faults()).isEmpty();
        assertThat(proxy.namespace()).isEqualTo("karpenter");
        assertThat(proxy.releaseName()).isEqualTo("karpenter-nodepool");
        assertThat(proxy.dependsOn()).containsExactly("karpenter");
        assertThat(options(proxy).takesOwnership()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"eks-controlplane-template", "eks-controlplane-template-without-karpenter"})
    void everyOutputThatAProxyReadsIsThereAndNoneIsSensitive(String template) {
        var module = module(template);

        assertThat(OUTPUT.matcher(proxies()).results())
                .isNotEmpty()
                .allSatisfy(read -> isThere(module, read.group(1), read.group(2)));
    }

    private static void isThere(String module, String name, @Nullable String field) {
        var from = module.indexOf("output \"%s\" {".formatted(name));
        assertThat(from).as("output %s", name).isPositive();
        var output = module.substring(from, module.indexOf("\n}", from));
        assertThat(output).doesNotContain("sensitive");
        assertThat(output).containsPattern(field == null ? "value +=" : "\\b" + field + " +=");
    }

    private static String proxies() {
        return proxy("karpenter").template() + proxy("karpenter-aws-default-nodepool").template();
    }

    @Test
    void oneTemplateInstallsByTerraformAndTheOtherHandsOver() {
        assertThat(module("eks-controlplane-template"))
                .contains("resource \"helm_release\" \"karpenter\" {");
        assertThat(module("eks-controlplane-template-without-karpenter"))
                .doesNotContain("resource \"helm_release\"")
                .containsPattern(
                        "removed \\{\\s+from = helm_release.karpenter\\s+lifecycle \\{\\s+destroy = false");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"eks-controlplane-template", "eks-controlplane-template-without-karpenter"})
    void bothTemplatesGiveTheOperatorItsRoles(String template) {
        assertThat(module(template))
                .containsPattern("namespace +=  *\"karpenter\"")
                .containsPattern("node_iam_role_name +=  *\"\\$\\{var.cluster_name}-node\"")
                .containsPattern("oidc_provider_arn +=  *aws_iam_openid_connect_provider");
    }

    @ParameterizedTest
    @ValueSource(strings = {"karpenter", "karpenter-aws-default-nodepool"})
    void aProxyInstallsTheChartOfTheProject(String name) {
        var source = proxy(name).source();
        var chart = object("deploy/charts/%s/Chart.yaml".formatted(source.chart())).root();

        assertThat(List.of(source.chart(), source.version()))
                .containsExactly(chart.at("name").text(""), chart.at("version").text(""));
    }
}
