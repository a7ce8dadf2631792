package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Operator;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// What a launch template says of interfaces, metadata, placement and reservations.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class TemplateDataTest {

    private static final String EFA = "vpc.amazonaws.com/efa";
    private static final String THREE =
            "[{networkCardIndex: 0, deviceIndex: 0, interfaceType: interface},"
                    + " {networkCardIndex: 1, deviceIndex: 1, interfaceType: efa-only},"
                    + " {networkCardIndex: 2, deviceIndex: 1, interfaceType: interface}]";

    private CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private void use(CloudRig.Setup setup) {
        rig.close();
        rig = new CloudRig(setup);
    }

    private static MachineClaimBuilder small() {
        return claim("a").types("m5.large").capacityTypes("on-demand");
    }

    private static MachineClaimBuilder fast() {
        return claim("a").types("p4d.24xlarge").capacityTypes("on-demand");
    }

    private Value.Mapping data() {
        return (Value.Mapping) rig.template().fields().get("LaunchTemplateData");
    }

    private String data(String path) {
        return Requests.text(data(), path);
    }

    private List<String> interfaces(String field) {
        return Requests.list(data(), "NetworkInterfaces").stream()
                .map(each -> Requests.text(each, field))
                .toList();
    }

    @ParameterizedTest
    @Tag("AWS-E11")
    @CsvSource({"true, true", "false, false", "'', ''"})
    void aPublicAddressIsAsTheClassSays(String stated, String wanted) {
        rig.nodeClass("default", "associatePublicIPAddress", stated);
        rig.launched(small());
        assertThat(interfaces("AssociatePublicIpAddress")).containsExactly(wanted);
    }

    @Test
    @Tag("AWS-E11")
    void everyEfaInterfaceHasThePublicAddressSettingToo() {
        rig.nodeClass("default", "associatePublicIPAddress", "false");
        rig.launched(fast().request(EFA, "1"));
        assertThat(interfaces("AssociatePublicIpAddress")).hasSize(4).containsOnly("false");
    }

    @ParameterizedTest
    @Tag("AWS-E11")
    @ValueSource(strings = {"0", "1", "10", "100"})
    void prefixesAreOfTheClustersAddressFamily(String count) {
        rig.nodeClass("default", "ipPrefixCount", count);
        rig.launched(small());
        assertThat(interfaces("Ipv4PrefixCount")).containsExactly(count);
        assertThat(interfaces("Ipv6PrefixCount")).containsExactly("");
        assertThat(interfaces("PrimaryIpv6")).containsExactly("");
        assertThat(interfaces("Ipv6AddressCount")).containsExactly("");
    }

    @ParameterizedTest
    @Tag("AWS-E11")
    @ValueSource(strings = {"0", "1", "10", "100"})
    void prefixesOfAnIpv6ClusterAreOfIpv6AndItsFirstAddressIsPrimary(String count) {
        use(CloudRig.Setup.USUAL.dns("fd4b:121b:812b::a"));
        rig.nodeClass("default", "ipPrefixCount", count);
        rig.launched(small());
        assertThat(interfaces("Ipv4PrefixCount")).containsExactly("");
        assertThat(interfaces("Ipv6PrefixCount")).containsExactly(count);
        assertThat(interfaces("PrimaryIpv6")).containsExactly("true");
        assertThat(interfaces("Ipv6AddressCount")).containsExactly("1");
    }

    @Test
    @Tag("AWS-E11")
    void anInterfaceForEfaAloneHasNoAddressSettings() {
        rig.nodeClass(
                "default",
                "networkInterfaces",
                THREE,
                "ipPrefixCount",
                "2",
                "associatePublicIPAddress",
                "false",
                "connectionTracking",
                "{tcpEstablishedTimeout: 500}");
        rig.launched(fast());
        assertThat(interfaces("InterfaceType"))
                .containsExactly("interface", "efa-only", "interface");
        assertThat(interfaces("NetworkCardIndex")).containsExactly("", "1", "2");
        assertThat(interfaces("DeviceIndex")).containsExactly("0", "1", "1");
        assertThat(interfaces("Groups")).containsOnly("sg-test1 sg-test2 sg-test3");
        assertThat(interfaces("Ipv4PrefixCount")).containsExactly("2", "", "2");
        assertThat(interfaces("AssociatePublicIpAddress")).containsExactly("false", "", "false");
        assertThat(interfaces("ConnectionTrackingSpecification.TcpEstablishedTimeout"))
                .containsExactly("500", "", "500");
    }

    @Test
    @Tag("AWS-E12")
    void withoutAWordOfTheClassMetadataMonitoringAndEnclaveAreTheDefaults() {
        rig.nodeClass();
        rig.launched(small());
        assertThat(data("Monitoring.Enabled")).isEqualTo("false");
        assertThat(data("EnclaveOptions.Enabled")).isEqualTo("false");
        assertThat(data("MetadataOptions.HttpEndpoint")).isEqualTo("enabled");
        assertThat(data("MetadataOptions.HttpProtocolIpv6")).isEqualTo("disabled");
        assertThat(data("MetadataOptions.HttpPutResponseHopLimit")).isEqualTo("1");
        assertThat(data("MetadataOptions.HttpTokens")).isEqualTo("required");
        assertThat(data("MetadataOptions.InstanceMetadataTags")).isEqualTo("disabled");
        assertThat(data("Placement.Tenancy")).isEqualTo("default");
        assertThat(data("SecurityGroupIds")).isEmpty();
        assertThat(data("CpuOptions")).isEmpty();
        assertThat(interfaces("Groups")).containsExactly("sg-test1 sg-test2 sg-test3");
        assertThat(interfaces("InterfaceType")).containsExactly("");
    }

    @Test
    @Tag("AWS-E12")
    void whatTheClassSaysIsInTheTemplate() {
        rig.nodeClass(
                "default",
                "detailedMonitoring",
                "true",
                "metadataOptions",
                "{httpEndpoint: disabled, httpProtocolIPv6: enabled,"
                        + " httpPutResponseHopLimit: 3, httpTokens: optional}",
                "connectionTracking",
                "{tcpEstablishedTimeout: 500, udpStreamTimeout: 100, udpTimeout: 40}");
        rig.launched(small());
        assertThat(data("Monitoring.Enabled")).isEqualTo("true");
        assertThat(data("MetadataOptions.HttpEndpoint")).isEqualTo("disabled");
        assertThat(data("MetadataOptions.HttpProtocolIpv6")).isEqualTo("enabled");
        assertThat(data("MetadataOptions.HttpPutResponseHopLimit")).isEqualTo("3");
        assertThat(data("MetadataOptions.HttpTokens")).isEqualTo("optional");
        assertThat(data("MetadataOptions.InstanceMetadataTags")).isEqualTo("disabled");
        var tracking = "NetworkInterfaces.0.ConnectionTrackingSpecification.";
        assertThat(data(tracking + "TcpEstablishedTimeout")).isEqualTo("500");
        assertThat(data(tracking + "UdpStreamTimeout")).isEqualTo("100");
        assertThat(data(tracking + "UdpTimeout")).isEqualTo("40");
    }

    @Test
    @Tag("AWS-E12")
    void aMachineOfItsOwnIsDedicated() {
        rig.nodeClass();
        var machine =
                rig.launched(small().requirement(Ec2Labels.TENANCY, Operator.IN, "dedicated"));
        assertThat(data("Placement.Tenancy")).isEqualTo("dedicated");
        assertThat(machine.labels()).containsEntry(Ec2Labels.TENANCY, "dedicated");
    }

    @Test
    @Tag("AWS-E12")
    void aClaimForEfaGetsAnInterfaceOnEveryCard() {
        rig.nodeClass();
        var machine = rig.launched(fast().request(EFA, "1"));
        assertThat(interfaces("InterfaceType")).hasSize(4).containsOnly("efa");
        // The first card is the default.
        assertThat(interfaces("NetworkCardIndex")).containsExactly("", "1", "2", "3");
        assertThat(interfaces("DeviceIndex")).containsExactly("0", "1", "1", "1");
        assertThat(machine.capacity().amount(EFA).units()).isEqualTo(4);
    }

    @Test
    @Tag("AWS-E12")
    void interfacesOfTheClassComeBeforeThoseForEfa() {
        rig.nodeClass("default", "networkInterfaces", THREE);
        rig.launched(fast().request(EFA, "1"));
        assertThat(interfaces("InterfaceType"))
                .containsExactly("interface", "efa-only", "interface");
    }

    @Test
    @Tag("AWS-E15")
    void whereMetadataHasNoIpv6TheFieldIsLeftOut() {
        use(CloudRig.Setup.USUAL.in("us-iso-east-1"));
        rig.nodeClass();
        rig.launched(small());
        assertThat(data("MetadataOptions.HttpTokens")).isEqualTo("required");
        assertThat(data("MetadataOptions.HttpProtocolIpv6")).isEmpty();
    }

    static Tree reservation(String id, String type, String zone) {
        return Tree.of("CapacityReservationId", id)
                .put("InstanceType", type)
                .put("AvailabilityZone", zone)
                .put("TotalInstanceCount", 5)
                .put("AvailableInstanceCount", 5);
    }

    private static MachineClaimBuilder reserved(String... types) {
        return claim("a").types(types).capacityTypes("reserved", "on-demand");
    }

    @Test
    @Tag("AWS-E13")
    void everyReservationHasATemplateThatTargetsIt(TestAccount aws) {
        aws.reservations(
                reservation("cr-a", "m5.large", "us-east-1a"),
                reservation("cr-b", "m5.large", "us-east-1b"));
        rig.nodeClass("default", "capacityReservationSelectorTerms", "[{id: cr-a}, {id: cr-b}]");
        rig.launched(reserved("m5.large"));
        var target =
                "LaunchTemplateData.CapacityReservationSpecification.CapacityReservationTarget"
                        + ".CapacityReservationId";
        assertThat(rig.templates())
                .extracting(each -> Requests.text(each, target))
                .containsExactly("cr-a", "cr-b");
        assertThat(rig.templates())
                .extracting(
                        each ->
                                Requests.text(
                                        each,
                                        "LaunchTemplateData.CapacityReservationSpecification"
                                                + ".CapacityReservationPreference"))
                .containsOnly("capacity-reservations-only");
        assertThat(rig.templates())
                .extracting(
                        each ->
                                Requests.text(
                                        each,
                                        "LaunchTemplateData.InstanceMarketOptions.MarketType"))
                .containsOnly("");
    }

    @ParameterizedTest
    @Tag("AWS-E13")
    @CsvSource({
        "default, false, ''",
        "capacity-block, false, capacity-block",
        "default, true, interruptible-capacity-reservation",
    })
    void theMarketIsThatOfTheReservationsKind(
            String kind, boolean isInterruptible, String market, TestAccount aws) {
        var it = reservation("cr-a", "m5.large", "us-east-1a").put("ReservationType", kind);
        aws.reservations(isInterruptible ? it.put("Interruptible", true) : it);
        rig.nodeClass("default", "capacityReservationSelectorTerms", "[{id: cr-a}]");
        rig.launched(reserved("m5.large"));
        assertThat(data("InstanceMarketOptions.MarketType")).isEqualTo(market);
    }

    @Test
    @Tag("AWS-E13")
    void otherLaunchesStayOutOfReservationsWhileTheGateIsOn() {
        rig.nodeClass();
        rig.launched(small());
        assertThat(data("CapacityReservationSpecification.CapacityReservationPreference"))
                .isEqualTo("none");

        use(CloudRig.Setup.USUAL.flag("feature-gates", "ReservedCapacity=false"));
        rig.nodeClass();
        rig.launched(small().label("example.com/other", "template"));
        assertThat(data("CapacityReservationSpecification")).isEmpty();
    }
}
