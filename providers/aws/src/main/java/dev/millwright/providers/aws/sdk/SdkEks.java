package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.EksApi;

import software.amazon.awssdk.services.eks.EksClient;

final class SdkEks implements EksApi {

    private final EksClient client;

    SdkEks(EksClient client) {
        this.client = client;
    }

    @Override
    public Cluster cluster(String name) throws AwsFault {
        var found = Translation.ask(() -> client.describeCluster(r -> r.name(name))).cluster();
        var authority = found.certificateAuthority();
        var network = found.kubernetesNetworkConfig();
        return new Cluster(
                Absent.text(found.arn()),
                Absent.text(found.endpoint()),
                authority == null ? "" : Absent.text(authority.data()),
                Absent.text(found.version()),
                network == null ? "" : Absent.text(network.serviceIpv4Cidr()),
                network == null ? "" : Absent.text(network.serviceIpv6Cidr()));
    }
}
