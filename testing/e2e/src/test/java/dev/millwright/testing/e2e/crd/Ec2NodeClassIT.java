package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.ec2NodeClass;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/// An EC2NodeClass' settings of instances.
@ExtendWith(AdmissionExtension.class)
final class Ec2NodeClassIT {

    private final Admission admission;

    Ec2NodeClassIT(Admission admission) {
        this.admission = admission;
    }

    private static Sample custom(String family) {
        return ec2NodeClass()
                .with("amiSelectorTerms", yaml("[{id: ami-1}]"))
                .with("amiFamily", family);
    }

    private static Sample aliased(String alias) {
        return ec2NodeClass().with("amiSelectorTerms", yaml("[{alias: '%s'}]".formatted(alias)));
    }

    private static Sample device(String device) {
        return ec2NodeClass().with("blockDeviceMappings", yaml("[%s]".formatted(device)));
    }

    private static Sample volume(String ebs) {
        return device("{deviceName: /dev/xvda, ebs: {%s}}".formatted(ebs));
    }

    @Tag("AWS-A1")
    @Test
    void aClassHasARoleOrAnInstanceProfile() {
        var profile = ec2NodeClass().without("role").with("instanceProfile", "profile");

        admission.accepts(ec2NodeClass());
        admission.accepts(profile);
        admission.refuses(ec2NodeClass().without("role"), "set exactly one of them");
        admission.refuses(profile.with("role", "role"), "set exactly one of them");
        admission.refuses(ec2NodeClass().with("role", ""), "role must not be empty");
        admission.refuses(profile.with("instanceProfile", ""), "must not be empty");
    }

    @Tag("AWS-A1")
    @Test
    void roleAndInstanceProfileMayChange() {
        var profile = ec2NodeClass().without("role").with("instanceProfile", "profile");

        admission.acceptsChange(ec2NodeClass(), before -> before.with("role", "other"));
        admission.acceptsChange(
                ec2NodeClass(),
                before -> before.without("role").with("instanceProfile", "profile"));
        admission.acceptsChange(
                profile, before -> before.without("instanceProfile").with("role", "role"));
    }

    @Tag("AWS-A2")
    @ParameterizedTest
    @ValueSource(strings = {"", "#!/bin/sh"})
    void userDataMayBeEmpty(String text) {
        admission.accepts(ec2NodeClass().with("userData", text));
    }

    @Tag("AWS-A3")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "AL2",
                "AL2023",
                "Bottlerocket",
                "Custom",
                "Windows2019",
                "Windows2022",
                "Windows2025"
            })
    void everyFamilyIsTaken(String family) {
        admission.accepts(custom(family));
    }

    @Tag("AWS-A3")
    @ParameterizedTest
    @ValueSource(strings = {"", "Ubuntu", "al2023", "Windows2016"})
    void noOtherFamilyIsTaken(String family) {
        admission.refuses(custom(family), "spec.amiFamily");
    }

    @Tag("AWS-A3")
    @ParameterizedTest
    @CsvSource({
        "al2@latest, AL2, AL2023",
        "al2023@latest, AL2023, AL2",
        "bottlerocket@latest, Bottlerocket, AL2",
        "windows2019@latest, Windows2019, Windows2022",
        "windows2022@latest, Windows2022, Windows2019",
        "windows2025@latest, Windows2025, Bottlerocket"
    })
    void theFamilyIsThatOfTheAliasOrCustom(String alias, String family, String other) {
        admission.accepts(aliased(alias));
        admission.accepts(aliased(alias).with("amiFamily", family));
        admission.accepts(aliased(alias).with("amiFamily", "Custom"));
        admission.refuses(aliased(alias).with("amiFamily", other), "wants the amiFamily " + family);
    }

    @Tag("AWS-A3")
    @Test
    void withoutAliasTheFamilyIsNeeded() {
        admission.refuses(custom("AL2").without("amiFamily"), "set amiFamily");
    }

    @Tag("AWS-A4")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{team: a, Name: b}",
                "{empty: ''}",
                "{kubernetes.io/other: a}",
                "{karpenter.sh/nodepools: a}"
            })
    void tagsAreFree(String tags) {
        admission.accepts(ec2NodeClass().with("tags", yaml(tags)));
    }

    @Tag("AWS-A4")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "eks:eks-cluster-name",
                "kubernetes.io/cluster/mill",
                "kubernetes.io/cluster",
                "kubernetes.io/clusters",
                "karpenter.sh/nodepool",
                "karpenter.sh/nodeclaim",
                "karpenter.k8s.aws/ec2nodeclass"
            })
    void tagsOfOursAreReserved(String key) {
        admission.refuses(
                ec2NodeClass().with("tags", Map.of(key, "a", "team", "b")),
                "by the controller; leave");
    }

    @Tag("AWS-A4")
    @Test
    void aTagHasAKey() {
        admission.refuses(
                ec2NodeClass().with("tags", Map.of("", "a")), "key of a tag must not be empty");
    }

    @Tag("AWS-A10")
    @Test
    void metadataOptionsAreFilledIn() {
        var defaults =
                Map.of(
                        "httpEndpoint", "enabled",
                        "httpProtocolIPv6", "disabled",
                        "httpPutResponseHopLimit", 1,
                        "httpTokens", "required");
        var partial = ec2NodeClass().with("metadataOptions", yaml("{httpTokens: optional}"));

        assertThat(admission.accepts(ec2NodeClass()).<Object>get("spec", "metadataOptions"))
                .isEqualTo(defaults);
        assertThat(admission.accepts(partial).<Object>get("spec", "metadataOptions"))
                .isEqualTo(
                        Map.of(
                                "httpEndpoint", "enabled",
                                "httpProtocolIPv6", "disabled",
                                "httpPutResponseHopLimit", 1,
                                "httpTokens", "optional"));
    }

    @Tag("AWS-A10")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{httpEndpoint: enabled}",
                "{httpEndpoint: disabled}",
                "{httpProtocolIPv6: enabled}",
                "{httpTokens: required}",
                "{httpPutResponseHopLimit: 1}",
                "{httpPutResponseHopLimit: 64}"
            })
    void metadataOptionsAreOfTheirKind(String options) {
        admission.accepts(ec2NodeClass().with("metadataOptions", yaml(options)));
    }

    @Tag("AWS-A10")
    @ParameterizedTest
    @CsvSource({
        "httpEndpoint, on",
        "httpProtocolIPv6, on",
        "httpTokens, on",
        "httpPutResponseHopLimit, 0",
        "httpPutResponseHopLimit, 65",
        "httpPutResponseHopLimit, -5"
    })
    void metadataOptionsAreNothingElse(String field, String value) {
        admission.refuses(
                ec2NodeClass()
                        .with(
                                "metadataOptions",
                                yaml("{%s: %s}".formatted(field, value.replace("on", "'on'")))),
                "spec.metadataOptions." + field);
    }

    @Tag("AWS-A11")
    @Test
    void oneDiskIsTheRoot() {
        var root = "{deviceName: a, rootVolume: true, ebs: {volumeSize: 20Gi}}";
        var other = "{deviceName: b, rootVolume: false, ebs: {volumeSize: 20Gi}}";

        admission.accepts(device(root + ", " + other + ", {deviceName: c}"));
        admission.refuses(device(root + ", " + root), "only one disk can be the rootVolume");
    }

    @Tag("AWS-A11")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1Gi", "59000Gi", "1G", "64000G", "1T", "64T", "1Ti", "17Ti", "20Ti", "58Ti", "2T"
            })
    void aVolumeHasASize(String size) {
        admission.accepts(volume("volumeSize: " + size));
    }

    @Tag("AWS-A11")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "0Gi", "59001Gi", "64001G", "65T", "59Ti", "18Ti", "1.5Gi", "512Mi", "20",
                "-1Gi", "large", "01Gi"
            })
    void aSizeOfAVolumeIsNothingElse(String size) {
        admission.refuses(
                volume("volumeSize: '%s'".formatted(size)),
                "spec.blockDeviceMappings[0].ebs.volumeSize");
    }

    @Tag("AWS-A11")
    @Test
    void aVolumeIsMadeOfASizeOrASnapshot() {
        admission.accepts(volume("snapshotID: snap-1"));
        admission.refuses(volume("encrypted: true"), "set volumeSize or snapshotID");
    }

    @Tag("AWS-A11")
    @ParameterizedTest
    @ValueSource(ints = {100, 300})
    void aSnapshotIsCopiedAtARate(int rate) {
        admission.accepts(
                volume("snapshotID: snap-1, volumeInitializationRate: %d".formatted(rate)));
        admission.refuses(
                volume("volumeSize: 1Gi, volumeInitializationRate: %d".formatted(rate)),
                "set snapshotID");
        admission.refuses(
                volume("snapshotID: '', volumeInitializationRate: %d".formatted(rate)),
                "set snapshotID");
    }

    @Tag("AWS-A11")
    @ParameterizedTest
    @ValueSource(ints = {99, 301})
    void aRateHasBounds(int rate) {
        admission.refuses(
                volume("snapshotID: snap-1, volumeInitializationRate: %d".formatted(rate)),
                "volumeInitializationRate");
    }

    @Tag("AWS-A11")
    @ParameterizedTest
    @CsvSource({
        "standard, true",
        "io1, true",
        "io2, true",
        "gp2, true",
        "sc1, true",
        "st1, true",
        "gp3, true",
        "gp4, false"
    })
    void aVolumeHasAType(String type, boolean isTaken) {
        var sample = volume("volumeSize: 1Gi, volumeType: " + type);
        if (isTaken) {
            admission.accepts(sample);
        } else {
            admission.refuses(sample, "volumeType");
        }
    }

    @Tag("AWS-A13")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{tcpEstablishedTimeout: 60}",
                "{tcpEstablishedTimeout: 432000}",
                "{udpStreamTimeout: 60}",
                "{udpStreamTimeout: 180}",
                "{udpTimeout: 30}",
                "{udpTimeout: 60}",
                "{tcpEstablishedTimeout: 300, udpStreamTimeout: 120, udpTimeout: 45}"
            })
    void connectionsAreForgottenAfterATime(String timeouts) {
        admission.accepts(ec2NodeClass().with("connectionTracking", yaml(timeouts)));
    }

    @Tag("AWS-A13")
    @ParameterizedTest
    @CsvSource({
        "{}, no timeout is set",
        "{tcpEstablishedTimeout: 59}, tcpEstablishedTimeout",
        "{tcpEstablishedTimeout: 432001}, tcpEstablishedTimeout",
        "{udpStreamTimeout: 59}, udpStreamTimeout",
        "{udpStreamTimeout: 181}, udpStreamTimeout",
        "{udpTimeout: 29}, udpTimeout",
        "{udpTimeout: 61}, udpTimeout"
    })
    void timeoutsHaveBounds(String timeouts, String word) {
        admission.refuses(ec2NodeClass().with("connectionTracking", yaml(timeouts)), word);
    }

    @Tag("AWS-A14")
    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{nestedVirtualization: enabled}", "{nestedVirtualization: disabled}"})
    void cpuOptionsTellOfNestedVirtualization(String options) {
        admission.accepts(ec2NodeClass().with("cpuOptions", yaml(options)));
    }

    @Tag("AWS-A14")
    @Test
    void nestedVirtualizationIsNothingElse() {
        admission.refuses(
                ec2NodeClass().with("cpuOptions", yaml("{nestedVirtualization: maybe}")),
                "nestedVirtualization");
    }

    @Tag("AWS-A14")
    @ParameterizedTest
    @CsvSource({"instanceStorePolicy, RAID0, RAID1", "ipPrefixCount, 0, -1"})
    void otherSettingsAreOfTheirKind(String field, String good, String bad) {
        admission.accepts(ec2NodeClass().with(field, yaml(good)));
        admission.refuses(ec2NodeClass().with(field, yaml(bad)), "spec." + field);
    }
}
