package dev.millwright.providers.aws.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.regex.Pattern;

class NodeUserDataTest {

    private static final Taint DEDICATED = new Taint("dedicated", "a", Effect.NO_SCHEDULE);

    @ParameterizedTest
    @Tag("AWS-E1")
    @ValueSource(
            strings = {
                "AL2",
                "AL2023",
                "Bottlerocket",
                "Windows2019",
                "Windows2022",
                "Windows2025"
            })
    void taintsAreNotSyncedWhereWeWriteThem(String family) {
        assertThat(Node.of("{amiFamily: %s}".formatted(family)).text())
                .containsPattern("karpenter.sh/do-not-sync-taints\"?\\s?=\\s?\"?true");
    }

    @Test
    @Tag("AWS-E1")
    void taintsOfACustomImageAreSynced() {
        assertThat(Node.of("{amiFamily: Custom, userData: own}").text()).isEqualTo("own");
    }

    @ParameterizedTest
    @Tag("AWS-E6")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    maxPods: 10                               | --max-pods=10
                    podsPerCore: 2                            | --pods-per-core=2
                    'systemReserved: {cpu: 1, memory: 2Gi}'   | '--system-reserved="cpu=1,memory=2Gi"'
                    'kubeReserved: {cpu: 1, memory: 2Gi}'     | '--kube-reserved="cpu=1,memory=2Gi"'
                    'evictionHard: {memory.available: 5%}'    | '--eviction-hard="memory.available<5%"'
                    'evictionSoft: {memory.available: 5%}'    | '--eviction-soft="memory.available<5%"'
                    'evictionSoftGracePeriod: {pid.available: 90s}' | '--eviction-soft-grace-period="pid.available=1m30s"'
                    evictionMaxPodGracePeriod: 60             | --eviction-max-pod-grace-period=60
                    imageGCHighThresholdPercent: 50           | --image-gc-high-threshold=50
                    imageGCLowThresholdPercent: 40            | --image-gc-low-threshold=40
                    cpuCFSQuota: false                        | --cpu-cfs-quota=false
                    """)
    void eachFieldOfTheKubeletIsAFlag(String field, String flag) {
        var kubelet = field.replace("cpu: 1", "cpu: '1'");

        assertThat(Node.of("{amiFamily: AL2, kubelet: {%s}}".formatted(kubelet)).text())
                .containsPattern("--kubelet-extra-args '[^']*" + Pattern.quote(flag));
        assertThat(Node.of("{amiFamily: Windows2022, kubelet: {%s}}".formatted(kubelet)).text())
                .containsPattern("-KubeletExtraArgs '[^']*" + Pattern.quote(flag));
    }

    @Test
    @Tag("AWS-E6")
    void dnsOfFourBytesIsNamedAlone() {
        assertThat(Node.of("{amiFamily: AL2}").text())
                .contains("--dns-cluster-ip '10.100.0.10'")
                .doesNotContain("--ip-family");
        assertThat(Node.of("{amiFamily: AL2, kubelet: {clusterDNS: [10.0.10.100]}}").text())
                .contains("--dns-cluster-ip '10.0.10.100'");
    }

    @Test
    @Tag("AWS-E6")
    void dnsOfSixteenBytesNamesItsFamily() {
        assertThat(Node.of("{amiFamily: AL2}").withDns("fd1d:9cad::a").text())
                .contains("--ip-family ipv6")
                .contains("--dns-cluster-ip 'fd1d:9cad::a'");
    }

    @ParameterizedTest
    @Tag("AWS-E6")
    @ValueSource(
            strings = {
                "kubernetes.io/os",
                "topology.kubernetes.io/zone",
                "node-restriction.kubernetes.io/team",
                "sub.node-restriction.kubernetes.io/team",
                "k8s.io/x",
                "kops.k8s.io/x"
            })
    void labelsThatAKubeletMayNotSetAreLeftOut(String key) {
        assertThat(Node.of("{amiFamily: AL2}").labelled(key, "v").labelled("team", "a").text())
                .doesNotContain(key + "=v")
                .contains("team=a");
    }

    @Test
    @Tag("AWS-E6")
    void instanceStoresBecomeOneDisk() {
        assertThat(Node.of("{amiFamily: AL2, instanceStorePolicy: RAID0}").text())
                .contains("--local-disks raid0");
        assertThat(Node.of("{amiFamily: AL2}").text()).doesNotContain("--local-disks");
    }

    @Test
    @Tag("AWS-E6")
    void taintsAreRegisteredWithTheOneOfNewNodes() {
        assertThat(Node.of("{amiFamily: AL2}").tainted(DEDICATED).text())
                .contains(
                        "--register-with-taints=\"dedicated=a:NoSchedule,karpenter.sh/unregistered:NoExecute\"");
        assertThat(Node.of("{amiFamily: AL2}").tainted(Taint.UNREGISTERED, DEDICATED).text())
                .contains(
                        "--register-with-taints=\"karpenter.sh/unregistered:NoExecute,dedicated=a:NoSchedule\"");
    }

    @Test
    @Tag("AWS-E8")
    void anArchiveKeepsItsPartsBeforeOurs() {
        var custom =
                "MIME-Version: 1.0\\nContent-Type: multipart/mixed; boundary=\\\"B\\\"\\n\\n"
                        + "--B\\nContent-Type: text/x-shellscript\\nX-Mine: kept\\n\\necho mine\\n--B--\\n";

        assertThat(Node.of("{amiFamily: AL2, userData: \"%s\"}".formatted(custom)).text())
                .containsSubsequence(
                        "boundary=\"//\"",
                        "--//\nContent-Type: text/x-shellscript\nX-Mine: kept\n\necho mine\n--//\n",
                        "/etc/eks/bootstrap.sh 'mill'",
                        "\n--//--\n");
    }

    @Test
    @Tag("AWS-E8")
    void anArchiveMayNameItsTypeFirst() {
        var custom =
                "Content-Type: multipart/mixed; boundary=B\\nMIME-Version: 1.0\\n\\n"
                        + "--B\\nContent-Type: text/x-shellscript\\n\\necho mine\\n--B--\\n";

        assertThat(Node.of("{amiFamily: AL2, userData: \"%s\"}".formatted(custom)).text())
                .containsSubsequence("echo mine", "/etc/eks/bootstrap.sh");
    }

    @Test
    @Tag("AWS-E8")
    void aScriptIsWrappedAndNothingIsLeftOut() {
        assertThat(Node.of("{amiFamily: AL2, userData: '#!/bin/sh'}").text())
                .containsSubsequence(
                        "Content-Type: text/x-shellscript; charset=\"us-ascii\"\n\n#!/bin/sh\n--//",
                        "/etc/eks/bootstrap.sh");
        assertThat(Node.of("{amiFamily: AL2, userData: ''}").text())
                .isEqualTo(Node.of("{amiFamily: AL2}").text());
    }

    @Test
    @Tag("AWS-E8")
    void anArchiveOfOnePartIsRefused() {
        assertThat(
                        Node.of("{amiFamily: AL2, userData: \"Content-Type: text/plain\\n\\nx\"}")
                                .userData())
                .isInstanceOf(UserData.Invalid.class);
    }

    @ParameterizedTest
    @Tag("AWS-E10a")
    @ValueSource(strings = {"''", "'#!/bin/sh'", "\"MIME-Version: 1.0\\r\\n\"", "'[settings'"})
    void customUserDataIsVerbatim(String custom) {
        var text =
                Node.of(
                                "{amiFamily: Custom, userData: %s, instanceStorePolicy: RAID0, kubelet: {maxPods: 1}}"
                                        .formatted(custom))
                        .tainted(DEDICATED)
                        .text();

        assertThat(text)
                .isEqualTo(
                        custom.substring(1, custom.length() - 1)
                                .replace("\\r", "\r")
                                .replace("\\n", "\n"));
    }
}
