package dev.millwright.providers.aws.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("AWS-E7")
class BottlerocketNodeTest {

    private static Node bottlerocket(String more) {
        return Node.of("{amiFamily: Bottlerocket%s}".formatted(more));
    }

    private static Node custom(String toml, String more) {
        return bottlerocket(
                ", userData: \"%s\"%s"
                        .formatted(toml.replace("\"", "\\\"").replace("\n", "\\n"), more));
    }

    @Test
    void emptyUserDataIsOursAlone() {
        assertThat(bottlerocket(", userData: ''").text()).isEqualTo(bottlerocket("").text());
        assertThat(bottlerocket("").text())
                .contains("api-server = \"https://mill.example\"")
                .contains("cluster-certificate = \"Y2E=\"")
                .contains("cluster-name = \"mill\"")
                .contains("cluster-dns-ip = \"10.100.0.10\"")
                .contains("max-pods = 29");
    }

    @Test
    void settingsOfTheClassStayButForWhatJoinsTheCluster() {
        var toml =
                """
                [settings.kubernetes]
                api-server = "elsewhere"
                event-qps = 7
                unheard-of = 1
                [settings.kubernetes.node-labels]
                team = "theirs"
                custom = "kept"
                [settings.kubernetes.node-taints]
                gone = ["x:NoSchedule"]
                [settings.motd]
                text = "hello"
                """;
        var text =
                custom(toml, "")
                        .labelled("team", "ours")
                        .tainted(
                                new Taint("a", "1", Effect.NO_SCHEDULE),
                                new Taint("a", "2", Effect.NO_EXECUTE))
                        .text();

        assertThat(text)
                .contains("api-server = \"https://mill.example\"", "event-qps = 7")
                .contains("team = \"ours\"", "custom = \"kept\"")
                .contains("a = [\"1:NoSchedule\", \"2:NoExecute\"]")
                .contains("[settings.motd]\ntext = \"hello\"")
                .doesNotContain("elsewhere", "theirs", "gone", "unheard-of");
    }

    @Test
    void whatIsNoTomlFailsTheLaunch() {
        assertThat(custom("#/bin/bash\n./not-toml.sh", "").userData())
                .isInstanceOf(UserData.Invalid.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    maxPods: 10                             | max-pods = 10
                    clusterDNS: [10.0.10.100]               | cluster-dns-ip = "10.0.10.100"
                    systemReserved: {cpu: '1'}              | [settings.kubernetes.system-reserved]~cpu = "1"
                    kubeReserved: {memory: 2Gi}             | [settings.kubernetes.kube-reserved]~memory = "2Gi"
                    evictionHard: {memory.available: 5%}    | [settings.kubernetes.eviction-hard]~"memory.available" = "5%"
                    evictionSoft: {memory.available: 5%}    | [settings.kubernetes.eviction-soft]~"memory.available" = "5%"
                    evictionSoftGracePeriod: {pid.available: 90s} | [settings.kubernetes.eviction-soft-grace-period]~"pid.available" = "1m30s"
                    evictionMaxPodGracePeriod: 60           | eviction-max-pod-grace-period = 60
                    imageGCHighThresholdPercent: 50         | image-gc-high-threshold-percent = "50"
                    imageGCLowThresholdPercent: 40          | image-gc-low-threshold-percent = "40"
                    cpuCFSQuota: false                      | cpu-cfs-quota-enforced = false
                    """)
    void eachFieldOfTheKubeletIsASetting(String field, String toml) {
        assertThat(bottlerocket(", kubelet: {%s}".formatted(field)).text())
                .contains(toml.replace("~", "\n"));
    }

    @Test
    void theClasssFieldWinsOverItsUserData() {
        assertThat(custom("settings.kubernetes.max-pods = 7\n", ", kubelet: {maxPods: 9}").text())
                .contains("max-pods = 9");
        assertThat(custom("settings.kubernetes.cpu-cfs-quota-enforced = false\n", "").text())
                .contains("cpu-cfs-quota-enforced = false");
    }

    @Test
    void instanceStoresAreMountedBesideOtherCommands() {
        var toml =
                """
                [settings.bootstrap-commands.111-mine]
                commands = [["apiclient", "get"]]
                mode = "once"
                essential = false
                """;

        assertThat(custom(toml, ", instanceStorePolicy: RAID0").text())
                .contains("[settings.bootstrap-commands.000-mount-instance-storage]\ncommands = ")
                .contains(
                        "[settings.bootstrap-commands.111-mine]\ncommands = [[\"apiclient\", \"get\"]]")
                .contains("essential = true\nmode = \"always\"");
        assertThat(bottlerocket("").text()).doesNotContain("bootstrap-commands");
    }

    @ParameterizedTest
    @CsvSource({
        "'{alias: bottlerocket@v1.45.0}', true",
        "'{alias: bottlerocket@v1.46.0}', false",
        "'{alias: bottlerocket@latest}', false",
        "'{name: bottlerocket-aws-k8s-1.33-x86_64-v1.45.0-x}', true",
        "'{name: bottlerocket-aws-k8s-1.33-x86_64-v1.46.1-x}', false",
        "'{id: ami-new}', false",
        "'{id: ami-old}', true",
        "'{tags: {a: b}}', true"
    })
    void olderImagesAreToldTheDirectories(String term, boolean isTold) {
        var text =
                bottlerocket(", instanceStorePolicy: RAID0, amiSelectorTerms: [%s]".formatted(term))
                        .withStatus(
                                "{amis: [{id: ami-old, name: bottlerocket-v1.20.0-x},"
                                        + " {id: ami-new, name: bottlerocket-v1.50.0-x}]}")
                        .text();

        assertThat(
                        text.contains(
                                "\"bind\", \"--dirs\", \"/var/lib/containerd\", \"/var/lib/kubelet\", \"/var/log/pods\"]"))
                .isEqualTo(isTold);
        assertThat(text).contains("[[\"apiclient\", \"ephemeral-storage\", \"init\"], ");
    }
}
