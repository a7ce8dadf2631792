package dev.millwright.providers.aws.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("AWS-E9")
class NodeadmTest {

    /// The last NodeConfig of the archive, as JSON.
    private static String config(Node node) {
        var text = node.text();
        var begin = text.lastIndexOf("application/node.eks.aws\n\n") + 26;
        var yaml = text.substring(begin, text.lastIndexOf("\n--//--"));
        return JsonWriter.text(DocumentReader.readAll(Source.text("yaml", yaml)).getFirst());
    }

    private static Node al2023(String more) {
        return Node.of("{amiFamily: AL2023%s}".formatted(more));
    }

    @Test
    void theClusterIsNamedInFull() {
        assertThat(config(al2023("")))
                .startsWith(
                        "{\"apiVersion\":\"node.eks.aws/v1alpha1\",\"kind\":\"NodeConfig\",\"spec\":{\"cluster\":"
                                + "{\"apiServerEndpoint\":\"https://mill.example\",\"certificateAuthority\":\"Y2E=\","
                                + "\"cidr\":\"10.100.0.0/16\",\"name\":\"mill\"},");
    }

    @Test
    void taintsAreRegisteredAsObjects() {
        assertThat(config(al2023("").tainted(new Taint("dedicated", "a", Effect.NO_SCHEDULE))))
                .contains(
                        "\"registerWithTaints\":[{\"effect\":\"NoSchedule\",\"key\":\"dedicated\",\"value\":\"a\"},"
                                + "{\"effect\":\"NoExecute\",\"key\":\"karpenter.sh/unregistered\"}]");
    }

    @Test
    void labelsAreOneFlag() {
        assertThat(config(al2023("").labelled("team", "a").labelled("kubernetes.io/os", "linux")))
                .contains(
                        "\"flags\":[\"--node-labels=\\\"karpenter.sh/capacity-type=spot,"
                                + "karpenter.sh/do-not-sync-taints=true,team=a\\\"\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    clusterDNS: [10.0.10.100, 10.0.10.101]    | "clusterDNS":["10.0.10.100","10.0.10.101"]
                    maxPods: 10                               | "maxPods":10
                    podsPerCore: 2                            | "podsPerCore":2
                    systemReserved: {cpu: '1', memory: 2Gi}   | "systemReserved":{"cpu":"1","memory":"2Gi"}
                    kubeReserved: {pid: '100'}                | "kubeReserved":{"pid":"100"}
                    evictionHard: {memory.available: 5%}      | "evictionHard":{"memory.available":"5%"}
                    evictionSoft: {memory.available: 100Mi}   | "evictionSoft":{"memory.available":"100Mi"}
                    evictionSoftGracePeriod: {pid.available: 90s} | "evictionSoftGracePeriod":{"pid.available":"1m30s"}
                    evictionMaxPodGracePeriod: 60             | "evictionMaxPodGracePeriod":60
                    imageGCHighThresholdPercent: 50           | "imageGCHighThresholdPercent":50
                    imageGCLowThresholdPercent: 40            | "imageGCLowThresholdPercent":40
                    cpuCFSQuota: false                        | "cpuCFSQuota":false
                    """)
    void eachFieldOfTheKubeletIsConfigured(String field, String json) {
        assertThat(config(al2023(", kubelet: {%s}".formatted(field)))).contains(json);
    }

    @Test
    void podsAreAlwaysANumberAndDnsIsTheClusters() {
        assertThat(config(al2023("")))
                .contains("\"maxPods\":29")
                .contains("\"clusterDNS\":[\"10.100.0.10\"]");
    }

    @Test
    void instanceStoresBecomeOneDisk() {
        assertThat(config(al2023(", instanceStorePolicy: RAID0")))
                .contains("\"instance\":{\"localStorage\":{\"strategy\":\"RAID0\"}}");
        assertThat(config(al2023(""))).doesNotContain("localStorage");
    }

    @Test
    void anArchiveKeepsContentTypesAndBodiesBeforeOurs() {
        var custom =
                ", userData: \"MIME-Version: 1.0\\nContent-Type: multipart/mixed; boundary=B\\n\\n"
                        + "--B\\nContent-Type: text/x-shellscript\\nX-Mine: dropped\\n\\necho mine\\n--B--\\n\"";

        assertThat(al2023(custom).text())
                .containsSubsequence(
                        "--//\nContent-Type: text/x-shellscript\n\necho mine\n--//\n",
                        "Content-Type: application/node.eks.aws\n")
                .doesNotContain("X-Mine");
    }

    @Test
    void aMappingIsAConfigAndAnyOtherTextAScript() {
        assertThat(al2023(", userData: \"spec: {kubelet: {}}\"").text())
                .contains("Content-Type: application/node.eks.aws\n\nspec: {kubelet: {}}\n--//");
        assertThat(al2023(", userData: \"#!/bin/sh\\necho 'a: b\\n\"").text())
                .contains(
                        "Content-Type: text/x-shellscript; charset=\"us-ascii\"\n\n#!/bin/sh\necho 'a: b\n\n--//");
        assertThat(al2023(", userData: ''").text()).isEqualTo(al2023("").text());
    }

    @Test
    void aBrokenArchiveIsRefused() {
        assertThat(al2023(", userData: \"MIME-Version: 1.0\\nbroken\\n\"").userData())
                .isInstanceOf(UserData.Invalid.class);
    }

    @Test
    void withoutTheRangeOfServicesTheClassIsNotReady() {
        assertThat(al2023("").withoutCidr().userData()).isInstanceOf(UserData.NotReady.class);
        assertThat(Node.of("{amiFamily: AL2}").withoutCidr().userData())
                .isInstanceOf(UserData.Written.class);
    }

    @Test
    void theConfigIsYamlThatReadsBack() {
        assertThat(DocumentReader.readAll(Source.text("json", config(al2023("")))).getFirst())
                .isInstanceOf(Value.Mapping.class);
    }
}
