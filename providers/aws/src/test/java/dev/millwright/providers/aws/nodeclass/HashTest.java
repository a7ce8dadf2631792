package dev.millwright.providers.aws.nodeclass;

import static dev.millwright.providers.aws.nodeclass.ClassText.PUBLISHED;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashTest {

    private static final String HASH = "2608468723537941485";

    @Test
    @Tag("AWS-B1")
    void theHashIsThePublishedOne() {
        assertThat(PUBLISHED.hash()).isEqualTo(HASH);
        assertThat(NodeClassHash.VERSION).isEqualTo("v5");
    }

    @ParameterizedTest
    @Tag("AWS-B2")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    userData: userdata-test-1      | userData: userdata-test-2
                    keyTag-2: valueTag-2           | keyTag-2: other
                    context: fake-context          | context: context-2
                    detailedMonitoring: false      | detailedMonitoring: true
                    associatePublicIPAddress: false| associatePublicIPAddress: true
                    httpEndpoint: disabled         | httpEndpoint: enabled
                    httpProtocolIPv6: disabled     | httpProtocolIPv6: enabled
                    httpPutResponseHopLimit: 1     | httpPutResponseHopLimit: 10
                    httpTokens: optional           | httpTokens: required
                    deviceName: map-device-1       | deviceName: map-device-3
                    deleteOnTermination: false     | deleteOnTermination: true
                    encrypted: false               | encrypted: true
                    iops: 0                        | iops: 10
                    kmsKeyID: fakeKMSKeyID         | kmsKeyID: test
                    snapshotID: fakeSnapshot       | snapshotID: test
                    throughput: 0                  | throughput: 10
                    volumeSize: 2G                 | volumeSize: 10G
                    volumeType: standard           | volumeType: io1
                    role: role-1                   | instanceProfile: test-instance-profile
                    role: role-1                   | role: role-2
                    """)
    void eachStaticFieldChangesTheHash(String line, String with) {
        assertThat(PUBLISHED.replacing(line, with).hash()).isNotEqualTo(HASH);
    }

    @ParameterizedTest
    @Tag("AWS-B2")
    @ValueSource(
            strings = {
                "instanceStorePolicy: RAID0",
                "connectionTracking: {tcpEstablishedTimeout: 300}",
                "connectionTracking: {udpStreamTimeout: 120}",
                "connectionTracking: {udpTimeout: 45}",
                "cpuOptions: {nestedVirtualization: enabled}",
                "placementGroupSelector: {name: group}",
                "networkInterfaces: [{networkCardIndex: 0, deviceIndex: 0, interfaceType: interface}]",
                "kubelet: {maxPods: 10}"
            })
    void eachOptionalStaticFieldChangesTheHash(String field) {
        assertThat(PUBLISHED.with(field).hash()).isNotEqualTo(HASH);
    }

    @Test
    @Tag("AWS-B2")
    void theAuthorityOfTheClusterChangesTheHash() {
        assertThat(NodeClassHash.of(PUBLISHED.read(), "rotated")).isNotEqualTo(HASH);
    }

    @ParameterizedTest
    @Tag("AWS-B3")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    amiSelectorTerms: [{id: ami-1}]           | amiSelectorTerms: [{tags: {a: b}}]
                    subnetSelectorTerms: [{id: subnet-1}]     | subnetSelectorTerms: [{tags: {a: b}}]
                    securityGroupSelectorTerms: [{id: sg-1}]  | securityGroupSelectorTerms: [{name: a}]
                    subnetSelectorTerms: [{id: subnet-1}]     | subnetSelectorTerms: []
                    """)
    void selectorsDoNotChangeTheHash(String line, String with) {
        assertThat(PUBLISHED.replacing(line, with).hash()).isEqualTo(HASH);
    }

    @ParameterizedTest
    @Tag("AWS-B3")
    @ValueSource(strings = {"capacityReservationSelectorTerms: [{id: cr-1}]", "ipPrefixCount: 4"})
    void whatIsLookedUpAnewDoesNotChangeTheHash(String field) {
        assertThat(PUBLISHED.with(field).hash()).isEqualTo(HASH);
    }

    @Test
    @Tag("AWS-B4")
    void theOrderOfTagsAndDevicesIsNothing() {
        var reordered =
                PUBLISHED
                        .replacing(
                                "{keyTag-1: valueTag-1, keyTag-2: valueTag-2}",
                                "{keyTag-2: valueTag-2, keyTag-1: valueTag-1}")
                        .replacing("    - deviceName: map-device-2\n", "")
                        .replacing(
                                "  blockDeviceMappings:\n",
                                "  blockDeviceMappings:\n    - deviceName: map-device-2\n");

        assertThat(reordered.hash()).isEqualTo(HASH);
    }

    @Test
    @Tag("AWS-B5")
    void numbersOfTheSameDigitsHashApart() {
        assertThat(PUBLISHED.with("kubelet: {maxPods: 12}").hash())
                .isNotEqualTo(PUBLISHED.with("kubelet: {maxPods: 21}").hash());
        assertThat(PUBLISHED.with("kubelet: {kubeReserved: {cpu: '12'}}").hash())
                .isNotEqualTo(PUBLISHED.with("kubelet: {kubeReserved: {cpu: '21'}}").hash());
    }
}
