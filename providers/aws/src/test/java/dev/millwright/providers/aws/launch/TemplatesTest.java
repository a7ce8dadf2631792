package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.classNamed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.testing.kit.aws.ApiFault;
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
import java.util.Map;
import java.util.TreeSet;

/// Which launch templates there are, and what every one of them says.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class TemplatesTest {

    private static final String CUSTOM = "amiFamily";

    private CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static MachineClaimBuilder small(String name) {
        return claim(name).types("m5.large").capacityTypes("on-demand");
    }

    private List<String> names() {
        return rig.templates().stream()
                .map(each -> Requests.text(each, "LaunchTemplateName"))
                .toList();
    }

    @Test
    @Tag("AWS-E2")
    void claimsWithTheSameConstraintsShareATemplateAndClassesDoNot() {
        rig.nodeClass("default").nodeClass("other");
        rig.launched(small("a"));
        rig.launched(small("b"));
        rig.launched(small("c").nodeClass(classNamed("other")));

        assertThat(names()).hasSize(2).doesNotHaveDuplicates();
        assertThat(names()).allMatch(name -> name.matches("karpenter\\.k8s\\.aws/\\d+"));
    }

    @Test
    @Tag("AWS-E2")
    void aTemplateIsLookedUpOnceAndMadeOnlyWhenItIsNotThere(TestAccount aws) {
        rig.nodeClass();
        rig.launched(small("a"));
        rig.launched(small("b"));
        assertThat(aws.calls("DescribeLaunchTemplates")).isEqualTo(1);

        try (var successor = new CloudRig()) {
            successor.nodeClass();
            successor.launched(small("c"));
            assertThat(aws.calls("DescribeLaunchTemplates")).isEqualTo(1);
            assertThat(successor.templates()).isEmpty();
        }
    }

    @Test
    @Tag("AWS-E2")
    void aTemplateThatSomebodyDeletedIsMadeAgainAndTheLaunchSucceeds(TestAccount aws)
            throws AwsFault {
        rig.nodeClass();
        rig.launched(small("a"));
        try (var clients = aws.clients()) {
            clients.ec2().deleteLaunchTemplate(names().getFirst());
        }

        rig.launched(small("b"));

        assertThat(names()).hasSize(2).containsOnly(names().getFirst());
        assertThat(rig.fleets()).hasSize(3);
    }

    @Test
    @Tag("AWS-E2")
    void aTemplateThatIsAlwaysMissingFailsTheLaunchAfterTheSecondTime(TestAccount aws) {
        rig.nodeClass();
        aws.fail(
                ApiFault.refuse("CreateFleet", "InvalidLaunchTemplateName.NotFoundException", 400)
                        .always());

        assertThat(rig.launch(small("a")))
                .isInstanceOfSatisfying(
                        LaunchAnswer.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo("LaunchFailed"));
        assertThat(rig.fleets()).hasSize(2);
    }

    @ParameterizedTest
    @Tag("AWS-E2")
    @CsvSource(
            delimiter = '|',
            value = {
                "detailedMonitoring|true",
                "userData|'echo'",
                "kubelet|{podsPerCore: 2}",
                "kubelet|{systemReserved: {cpu: 100m}}",
                "tags|{team: blue}",
                "metadataOptions|{httpTokens: optional}",
                "blockDeviceMappings|[{deviceName: /dev/xvda, ebs: {volumeSize: 30Gi}}]",
                "instanceStorePolicy|RAID0",
                "associatePublicIPAddress|true",
                "cpuOptions|{nestedVirtualization: disabled}",
            })
    void whatAClassSaysOfItsMachinesMakesAnotherTemplate(String field, String value) {
        rig.nodeClass();
        rig.launched(small("a"));
        var before = names().getFirst();
        rig.change("default", field, value).look("default");
        rig.launched(small("b"));

        assertThat(names()).hasSize(1).doesNotContain(before);
    }

    @Test
    @Tag("AWS-E2")
    void typesAndLabelsThatNodesAreNotToldMakeNoOtherTemplate() {
        rig.nodeClass(
                "default",
                CUSTOM,
                "Custom",
                "amiSelectorTerms",
                "[{id: ami-test1}]",
                "userData",
                "custom");
        rig.launched(small("a"));
        rig.launched(claim("b").types("c5.large").capacityTypes("on-demand"));
        rig.launched(small("c").label("example.com/team", "blue"));

        assertThat(names()).hasSize(1);
    }

    @Test
    @Tag("AWS-E2")
    void aTemplateThatNobodyUsesForAMinuteIsDeleted(TestAccount aws) {
        rig.nodeClass();
        rig.launched(small("a"));
        var sweep = rig.controller("launchtemplate.garbagecollection");
        rig.advance(Duration.ofSeconds(59));
        rig.launched(small("b"));
        rig.advance(Duration.ofSeconds(59));
        rig.rig().run(sweep);
        assertThat(aws.calls("DeleteLaunchTemplate")).isZero();

        rig.advance(Duration.ofSeconds(1));
        rig.rig().run(sweep);
        assertThat(aws.calls("DeleteLaunchTemplate")).isEqualTo(1);
        rig.launched(small("c"));
        assertThat(names()).hasSize(2);
    }

    @Test
    @Tag("AWS-E3")
    void everythingThatIsMadeBearsTheTagsOfTheClassAndOurs() {
        rig.nodeClass("default", "tags", "{Name: mine, team: blue}");
        rig.launched(claim("a").types("m5.large").capacityTypes("spot"));
        var template = rig.template();
        var data = (Value.Mapping) template.fields().get("LaunchTemplateData");
        var wanted =
                Map.of(
                        "Name", "mine",
                        "team", "blue",
                        "kubernetes.io/cluster/test-cluster", "owned",
                        "karpenter.sh/nodepool", "default",
                        "eks:eks-cluster-name", "test-cluster",
                        "karpenter.k8s.aws/ec2nodeclass", "default");

        var tags = "TagSpecifications";
        assertThat(Requests.tags(template, tags, "launch-template")).isEqualTo(wanted);
        assertThat(Requests.tags(data, tags, "network-interface")).isEqualTo(wanted);
        assertThat(Requests.tags(data, tags, "spot-instances-request")).isEqualTo(wanted);
        for (var resource : List.of("instance", "volume", "fleet")) {
            assertThat(Requests.tags(rig.fleet(), tags, resource)).isEqualTo(wanted);
        }
    }

    @Test
    @Tag("AWS-E3")
    void spotRequestsAreTaggedForSpotAlone() {
        rig.nodeClass();
        rig.launched(small("a"));

        assertThat(Requests.text(rig.template(), "LaunchTemplateData.TagSpecifications.1"))
                .isEmpty();
    }

    @Test
    @Tag("AWS-E3")
    void nodesAreToldTheLabelsOfTheirClaim() {
        rig.nodeClass();
        rig.launched(small("a").label("example.com/team", "blue"));

        assertThat(Requests.userData(rig.template()))
                .contains("example.com/team=blue", "karpenter.sh/capacity-type=on-demand");
    }

    @ParameterizedTest
    @Tag("AWS-E4")
    @CsvSource({
        "al2023@latest, /dev/xvda 20 gp3 true",
        "bottlerocket@latest, /dev/xvda 4 gp3 true;/dev/xvdb 20 gp3 true",
        "windows2022@latest, /dev/sda1 50 gp3 true",
    })
    void aClassWithoutDisksGetsThoseOfItsFamily(String alias, String wanted) {
        rig.nodeClass("default", "amiSelectorTerms", "[{alias: %s}]".formatted(alias));
        rig.launched(small("a"));

        assertThat(disks()).isEqualTo(wanted);
    }

    private String disks() {
        var data = (Value.Mapping) rig.template().fields().get("LaunchTemplateData");
        return String.join(
                ";",
                Requests.list(data, "BlockDeviceMappings").stream()
                        .map(
                                each ->
                                        "%s %s %s %s"
                                                .formatted(
                                                        Requests.text(each, "DeviceName"),
                                                        Requests.text(each, "Ebs.VolumeSize"),
                                                        Requests.text(each, "Ebs.VolumeType"),
                                                        Requests.text(each, "Ebs.Encrypted")))
                        .toList());
    }

    @Test
    @Tag("AWS-E4")
    void aCustomClassHasTheDisksOfItsImage() {
        rig.nodeClass("default", CUSTOM, "Custom", "amiSelectorTerms", "[{id: ami-test1}]");
        rig.launched(small("a"));

        assertThat(disks()).isEmpty();
    }

    @Test
    @Tag("AWS-E4")
    void disksOfTheClassAreRoundedUpToWholeGibibytes() {
        rig.nodeClass(
                "default",
                "blockDeviceMappings",
                "[{deviceName: /dev/xvda, ebs: {volumeSize: 20G, volumeType: io2, iops: 0,"
                        + " throughput: 125, encrypted: false}},"
                        + " {deviceName: /dev/xvdb, ebs: {volumeSize: 1Ti, snapshotID: snap-1}}]");
        rig.launched(small("a"));

        assertThat(disks()).isEqualTo("/dev/xvda 19 io2 false;/dev/xvdb 1024  ");
        var first = "LaunchTemplateData.BlockDeviceMappings.0.Ebs.";
        assertThat(Requests.text(rig.template(), first + "Iops")).isEmpty();
        assertThat(Requests.text(rig.template(), first + "Throughput")).isEqualTo("125");
        assertThat(
                        Requests.text(
                                rig.template(),
                                "LaunchTemplateData.BlockDeviceMappings.1.Ebs.SnapshotId"))
                .isEqualTo("snap-1");
    }

    @ParameterizedTest
    @Tag("AWS-E5")
    @CsvSource({"al2@latest, 893Mi", "bottlerocket@latest, 475Mi"})
    void whatTheKubeletKeepsFollowsInterfacesOrPods(String alias, String memory, TestAccount aws) {
        aws.fixture("1.32");
        rig.nodeClass(
                "default",
                "amiSelectorTerms",
                "[{alias: %s}]".formatted(alias),
                "kubelet",
                "{maxPods: 20}");
        var pool = rig.rig().pool("default").pool();
        if (!(rig.cloud().catalog(pool) instanceof CatalogAnswer.Types(var types))) {
            throw new AssertionError("no types");
        }

        assertThat(types)
                .filteredOn(type -> type.name().equals("m5.xlarge"))
                .singleElement()
                .satisfies(
                        type ->
                                assertThat(type.overhead().kubeReserved().amount(Resources.MEMORY))
                                        .isEqualTo(Quantity.parse(memory)));
    }

    @Test
    @Tag("AWS-E10")
    void everyImageThatIsNeededHasATemplate() {
        rig.nodeClass();
        rig.launched(claim("a").types("m5.large", "m6g.large").capacityTypes("on-demand"));

        var images = new TreeSet<String>();
        rig.templates()
                .forEach(each -> images.add(Requests.text(each, "LaunchTemplateData.ImageId")));
        assertThat(images).containsExactly("ami-al2023amd64standard", "ami-al2023arm64standard");
        var configs = Requests.list(rig.fleet(), "LaunchTemplateConfigs");
        assertThat(configs).hasSize(2);
        for (var config : configs) {
            for (var override : Requests.list(config, "Overrides")) {
                assertThat(Requests.text(override, "ImageId"))
                        .isEqualTo(
                                Requests.text(override, "InstanceType").equals("m5.large")
                                        ? "ami-al2023amd64standard"
                                        : "ami-al2023arm64standard");
            }
        }
    }

    @Test
    @Tag("AWS-E10")
    void ofSeveralImagesTheNewestIsLaunched() {
        rig.nodeClass("default", CUSTOM, "Custom", "amiSelectorTerms", "[{tags: {foo: bar}}]");

        assertThat(rig.launched(small("a")).imageId()).isEqualTo("ami-test3");
        assertThat(Requests.text(rig.template(), "LaunchTemplateData.ImageId"))
                .isEqualTo("ami-test3");
    }

    @Test
    @Tag("AWS-E10")
    void withoutAnImageNothingIsLaunched() {
        rig.nodeClass("default", CUSTOM, "Custom", "amiSelectorTerms", "[{tags: {no: one}}]");
        assertThat(rig.launch(small("a"))).isInstanceOf(LaunchAnswer.NodeClassNotReady.class);

        rig.nodeClass("arm", CUSTOM, "Custom", "amiSelectorTerms", "[{id: ami-test4}]");
        assertThat(rig.launch(small("b").nodeClass(classNamed("arm"))))
                .isNotInstanceOf(LaunchAnswer.Launched.class);
        assertThat(rig.fleets()).isEmpty();
    }
}
