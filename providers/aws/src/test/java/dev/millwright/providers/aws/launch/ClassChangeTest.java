package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.settled;
import static dev.millwright.providers.aws.launch.TemplateDataTest.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

/// A user changes a class, its controllers look at it, and the machine it launched is no longer
/// what it would launch: the whole provider.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class ClassChangeTest {

    private static final DriftAnswer IN_PLACE = new DriftAnswer.InPlace();

    private final CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static MachineClaimBuilder small(String... capacityTypes) {
        return claim("a").types("m5.large").capacityTypes(capacityTypes).zones("us-east-1a");
    }

    private MachineClaim machine(String... fieldsAndValues) {
        rig.nodeClass("default", fieldsAndValues);
        var claim = settled(small("on-demand"), rig.launched(small("on-demand")));
        assertThat(rig.cloud().drift(claim)).isEqualTo(IN_PLACE);
        return claim;
    }

    /// Long enough for every answer of AWS to be asked for anew.
    private void looked() {
        rig.advance(Duration.ofMinutes(31));
        rig.rig().run(rig.controller("nodeclass.hash"), "default");
        rig.look("default");
    }

    private static DriftAnswer drifted(String reason) {
        return new DriftAnswer.Drifted(reason);
    }

    @ParameterizedTest
    @Tag("AWS-B8")
    @CsvSource(
            delimiter = '|',
            value = {
                "userData | '\"#!/bin/sh\"'",
                "tags | {team: shop}",
                "metadataOptions | {httpTokens: optional}",
                "blockDeviceMappings | [{deviceName: /dev/xvda, ebs: {volumeSize: 30Gi}}]",
                "detailedMonitoring | true",
                "associatePublicIPAddress | true",
                "kubelet | {maxPods: 20}",
                "instanceStorePolicy | RAID0",
                "networkInterfaces | [{networkCardIndex: 0, deviceIndex: 0, interfaceType: interface}]",
                "context | cxt-1",
                "role | other-role",
            })
    void aFieldThatInstancesAreMadeFromIsDrift(String field, String value) {
        var claim = machine();
        rig.change("default", field, value);

        looked();

        assertThat(rig.cloud().drift(claim)).isEqualTo(drifted("NodeClassDrift"));
    }

    @Test
    @Tag("AWS-B8")
    void anotherFamilyIsDrift() {
        var claim = machine();
        rig.change("default", "amiSelectorTerms", "[{alias: bottlerocket@latest}]");

        looked();

        assertThat(rig.cloud().drift(claim)).isEqualTo(drifted("NodeClassDrift"));
    }

    @Test
    @Tag("AWS-B8")
    void anImageThatTakesThePlaceOfADeprecatedOneIsDrift(TestAccount aws) {
        var term = "[{name: our-image}]";
        aws.images(
                image("ami-old", "2025-05-01").put("DeprecationTime", "2025-06-01T00:00:00.000Z"));
        var claim = machine("amiFamily", "AL2023", "amiSelectorTerms", term);
        aws.images(image("ami-new", "2025-04-01"));

        looked();

        assertThat(rig.cloud().drift(claim)).isEqualTo(drifted("AMIDrift"));
    }

    private static Tree image(String id, String made) {
        return Tree.of("ImageId", id)
                .put("Name", "our-image")
                .put("Architecture", "x86_64")
                .put("OwnerId", TestAccount.ACCOUNT)
                .put("CreationDate", made + "T00:00:00.000Z");
    }

    @ParameterizedTest
    @Tag("AWS-B8")
    @CsvSource(
            delimiter = '|',
            value = {
                "securityGroupSelectorTerms | [{id: sg-test1}] | SecurityGroupDrift",
                "subnetSelectorTerms | [{id: subnet-test2}] | SubnetDrift",
            })
    void whatAnotherSelectorLeavesOutIsDrift(String field, String value, String reason) {
        var claim = machine();
        rig.change("default", field, value);

        looked();

        assertThat(rig.cloud().drift(claim)).isEqualTo(drifted(reason));
    }

    @Test
    @Tag("AWS-B8")
    void aReservationThatIsNoLongerSelectedIsDrift(TestAccount aws) {
        aws.reservations(
                reservation("cr-a", "m5.large", "us-east-1a").put("AvailableInstanceCount", 2),
                reservation("cr-b", "c5.large", "us-east-1a").put("AvailableInstanceCount", 2));
        rig.nodeClass("default", "capacityReservationSelectorTerms", "[{id: cr-a}]");
        rig.advance(Duration.ofSeconds(1));
        var reserved = small("reserved", "on-demand");
        var claim = settled(reserved, rig.launched(reserved));
        assertThat(rig.cloud().drift(claim)).isEqualTo(IN_PLACE);

        rig.change("default", "capacityReservationSelectorTerms", "[{id: cr-b}]");
        looked();

        assertThat(rig.cloud().drift(claim)).isEqualTo(drifted("CapacityReservationDrift"));
    }

    @Test
    @Tag("AWS-B8")
    void tagsInAnotherOrderAreNoDrift() {
        var claim = machine("tags", "{a: x, b: y}");
        rig.change("default", "tags", "{b: y, a: x}");

        looked();

        assertThat(rig.cloud().drift(claim)).isEqualTo(IN_PLACE);
    }

    @Test
    @Tag("AWS-I1")
    void theNewestImageOfATermIsLaunchedAndADeprecatedOneWhereThereIsNoOther(TestAccount aws) {
        aws.images(
                image("ami-deprecated", "2025-05-01")
                        .put("DeprecationTime", "2025-06-01T00:00:00.000Z"));
        rig.nodeClass("default", "amiFamily", "AL2023", "amiSelectorTerms", "[{name: our-image}]");
        assertThat(rig.launched(small("on-demand")).imageId()).isEqualTo("ami-deprecated");

        aws.images(image("ami-older", "2025-01-01"), image("ami-newer", "2025-02-01"));
        looked();
        assertThat(rig.launched(small("on-demand").uid("b")).imageId()).isEqualTo("ami-newer");
    }

    @ParameterizedTest
    @Tag("AWS-I1")
    @CsvSource(
            delimiter = '|',
            value = {
                "[{alias: al2023@latest}] | ami-al2023amd64standard",
                "[{alias: al2023@v20260101}] | ami-al2023amd64standardold",
                "[{alias: bottlerocket@latest}] | ami-bottlerocketamd64standard",
            })
    void anAliasLaunchesItsImage(String terms, String wanted) {
        rig.nodeClass("default", "amiSelectorTerms", terms);

        assertThat(rig.launched(small("on-demand")).imageId()).isEqualTo(wanted);
    }

    @Test
    @Tag("AWS-I1")
    void aClassWhoseImagesAreNotFoundLaunchesNothing() {
        rig.nodeClass("default", "amiFamily", "AL2023", "amiSelectorTerms", "[{name: nobodys}]");

        rig.launch(small("on-demand"));

        assertThat(rig.fleets()).isEqualTo(List.of());
    }
}
