package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Nodes of a cluster whose addresses are of sixteen bytes, as EC2 is asked for them.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class Ipv6ClusterTest {

    private static final String DNS = "fd4b:121b:812b::a";
    private static final CloudRig.Setup CLUSTER = CloudRig.Setup.USUAL.dns(DNS);

    /// The family whose user data names the kind of addresses; any image will do.
    private static final String IMAGE = "[{id: ami-al2023amd64standard}]";

    private static CloudRig launched(CloudRig.Setup setup, String... fieldsAndValues) {
        var rig = new CloudRig(setup);
        rig.nodeClass("default", fieldsAndValues);
        rig.launched(claim("a").types("m5.large").capacityTypes("on-demand"));
        return rig;
    }

    @Test
    @Tag("AWS-I5")
    void aNodeIsToldTheAddressOfTheClustersDns() {
        try (var rig = launched(CLUSTER, "amiFamily", "AL2", "amiSelectorTerms", IMAGE)) {
            assertThat(Requests.userData(rig.template()))
                    .contains("--ip-family ipv6")
                    .contains("--dns-cluster-ip '" + DNS + "'");
        }
    }

    @Test
    @Tag("AWS-I5")
    void aNodeIsToldTheAddressThatItsClassNames() {
        try (var rig =
                launched(
                        CloudRig.Setup.USUAL,
                        "amiFamily",
                        "AL2",
                        "amiSelectorTerms",
                        IMAGE,
                        "kubelet",
                        "{clusterDNS: [\"fd00::53\"]}")) {
            assertThat(Requests.userData(rig.template()))
                    .contains("--ip-family ipv6")
                    .contains("--dns-cluster-ip 'fd00::53'");
        }
    }

    @Test
    @Tag("AWS-I5")
    void aPrefixIsOfSixteenBytesAndTheFirstAddressIsPrimary() {
        try (var rig = launched(CLUSTER, "ipPrefixCount", "1")) {
            var data = (Value.Mapping) rig.template().fields().get("LaunchTemplateData");
            var first = Requests.list(data, "NetworkInterfaces").getFirst();
            assertThat(Requests.text(first, "Ipv6PrefixCount")).isEqualTo("1");
            assertThat(Requests.text(first, "PrimaryIpv6")).isEqualTo("true");
            assertThat(Requests.text(first, "Ipv4PrefixCount")).isEmpty();
        }
    }
}
