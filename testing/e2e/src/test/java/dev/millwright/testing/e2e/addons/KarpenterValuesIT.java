package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.helm.HelmRenderer;
import dev.millwright.addons.helm.HelmSettings;
import dev.millwright.addons.port.Rendering.Answer;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// How variables of the shipped proxies are filled, by Helm's own engine.
final class KarpenterValuesIT {

    private static final String OPERATOR = "karpenter";
    private static final String POOL = "karpenter-aws-default-nodepool";

    /// In the shape of the outputs of `deploy/capt/modules/eks`.
    private static final String OUTPUTS =
            """
            {"cluster_name": "shop", "cluster_endpoint": "https://shop.example.com", "karpenter": {
              "namespace": "karpenter", "queue_name": "Karpenter-shop", "node_iam_role_name": "shop-node",
              "service_account": {"name": "karpenter", "annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/shop"}},
              "discovery_tags": {"karpenter.sh/discovery": "shop"}}}
            """;

    @TempDir static Path directory;

    private static HelmRenderer renderer;

    @BeforeAll
    static void start() {
        renderer =
                new HelmRenderer(
                        HelmSettings.of(Tools.path("helm").toString(), directory, Map.of()));
    }

    /// The values by their paths, as Helm reads them.
    private static SequencedMap<String, String> rendered(String template, String dot) {
        var input = (Value.Mapping) read(dot);
        var answer = renderer.render(template, List.of(input)).getFirst();
        assertThat(answer).isInstanceOf(Answer.Text.class);
        return KarpenterProposal.flat(read(((Answer.Text) answer).text()));
    }

    private static SequencedMap<String, String> fromOutputs(String template, String outputs) {
        return rendered(template, "{\"Cluster\": {}, \"outputs\": %s}".formatted(outputs));
    }

    private static Value read(String text) {
        return DocumentReader.readAll(Source.text("test", text)).getFirst();
    }

    @Test
    void theOperatorGetsWhatTheProposalGivesIt() {
        var values = fromOutputs(KarpenterProposal.template(OPERATOR), OUTPUTS);
        var sample = fromOutputs(KarpenterProposal.sample(OPERATOR), OUTPUTS);
        var outputs = KarpenterProposal.flat(read(OUTPUTS));

        assertThat(sample.keySet())
                .containsExactlyElementsOf(KarpenterProposal.values(OPERATOR).keySet());
        assertThat(values).containsAllEntriesOf(sample);
        KarpenterProposal.values(OPERATOR)
                .forEach(
                        (path, output) ->
                                assertThat(values).containsEntry(path, outputs.get(output)));
    }

    /// What `eks-controlplane-template` gives it by Terraform: a release that is taken over stays.
    @Test
    void theOperatorGetsNothingElseThanByTerraform() {
        assertThat(fromOutputs(KarpenterProposal.template(OPERATOR), OUTPUTS))
                .containsExactly(
                        Map.entry("affinity.nodeAffinity", "null"),
                        Map.entry("dnsPolicy", "Default"),
                        Map.entry(
                                "serviceAccount.annotations.eks.amazonaws.com/role-arn",
                                "arn:aws:iam::123456789012:role/shop"),
                        Map.entry("serviceAccount.name", "karpenter"),
                        Map.entry("settings.clusterEndpoint", "https://shop.example.com"),
                        Map.entry("settings.clusterName", "shop"),
                        Map.entry("settings.interruptionQueue", "Karpenter-shop"));
    }

    @Test
    void aClusterWithoutAQueueGetsNone() {
        var values =
                fromOutputs(
                        KarpenterProposal.template(OPERATOR),
                        OUTPUTS.replace("\"Karpenter-shop\"", "null"));

        assertThat(values).doesNotContainKey("settings.interruptionQueue");
        assertThat(values).containsEntry("settings.clusterName", "shop");
    }

    /// The sample would make a number of it: ours quotes.
    @Test
    void aNameThatLooksLikeANumberStaysAName() {
        var outputs = OUTPUTS.replace("\"shop\"", "\"4711\"");

        assertThat(fromOutputs(KarpenterProposal.template(OPERATOR), outputs))
                .containsEntry("settings.clusterName", "4711");
        assertThat(fromOutputs(KarpenterProposal.template(POOL), outputs))
                .containsEntry("clusterName", "4711");
    }

    @Test
    void thePoolGetsRoleAndTagsOfItsCluster() {
        assertThat(fromOutputs(KarpenterProposal.template(POOL), OUTPUTS))
                .containsEntry("clusterName", "shop")
                .containsEntry("role", "shop-node")
                .containsEntry("discoveryTags.karpenter.sh/discovery", "shop")
                .containsEntry("limits.cpu", "the number 1000")
                .containsEntry("requirements.2.values.0", "spot");
    }

    /// Manifests of today's CAPT set the variable themselves.
    @Test
    void aManifestMayTakeItsOutputsFromTheControlPlane() {
        var own =
                "{{- $outputs := .ControlPlane.status.workspaceStatus.atProvider.outputs }}\n"
                        + KarpenterProposal.sample(OPERATOR);
        var dot =
                """
                {"Cluster": {}, "outputs": {},
                 "ControlPlane": {"status": {"workspaceStatus": {"atProvider": {"outputs": %s}}}}}
                """
                        .formatted(OUTPUTS);

        assertThat(rendered(own, dot))
                .isEqualTo(fromOutputs(KarpenterProposal.sample(OPERATOR), OUTPUTS));
    }
}
