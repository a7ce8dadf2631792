package dev.millwright.testing.e2e.aws;

import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What a cluster owns in an account: an instance with its template and its profile, tagged as the
/// operator tags them.
final class Estate {

    private final SdkClients clients;
    private final String cluster;

    Estate(SdkClients clients, String cluster) {
        this.clients = clients;
        this.cluster = cluster;
    }

    String profile() {
        return cluster + "_1234567890";
    }

    String template() {
        return "karpenter.k8s.aws/" + cluster;
    }

    SequencedMap<String, String> tags() {
        var tags = new TreeMap<String, String>();
        tags.put("kubernetes.io/cluster/" + cluster, "owned");
        tags.put("eks:eks-cluster-name", cluster);
        tags.put("karpenter.sh/nodepool", "default");
        tags.put("karpenter.k8s.aws/ec2nodeclass", "default");
        return tags;
    }

    /// The whole of it; the instance's id is returned.
    String build() {
        return build(AwsEndpoint.REGION);
    }

    String build(String profileRegion) {
        try {
            var tags = tags();
            tags.put("topology.kubernetes.io/region", profileRegion);
            var path = "/karpenter/%s/%s/uid/".formatted(profileRegion, cluster);
            clients.iam().createProfile(profile(), path, tags);
            clients.iam().addRole(profile(), AwsEndpoint.ROLE);
            clients.ec2().createLaunchTemplate(template(tags()));
            return launch(tags());
        } catch (AwsFault fault) {
            throw new AssertionError(fault);
        }
    }

    /// One more instance of the template, with tags of the caller's choice.
    String launch(SequencedMap<String, String> tags) {
        var plain = Launches.request(template(), 1, "on-demand", "m5.large");
        try {
            return clients.ec2()
                    .createFleet(
                            new FleetRequest(
                                    1,
                                    plain.defaultType(),
                                    plain.spotAllocation(),
                                    plain.onDemandAllocation(),
                                    List.of(),
                                    null,
                                    tags,
                                    plain.configs(),
                                    null))
                    .launched()
                    .getFirst()
                    .ids()
                    .getFirst();
        } catch (AwsFault fault) {
            throw new AssertionError(fault);
        }
    }

    private LaunchTemplate template(SequencedMap<String, String> tags) {
        var plain = Launches.template(template(), null);
        return new LaunchTemplate(
                plain.name(),
                tags,
                plain.launchTags(),
                plain.imageId(),
                profile(),
                plain.userData(),
                plain.devices(),
                plain.interfaces(),
                plain.metadata(),
                plain.placement(),
                false,
                false,
                null,
                null,
                null);
    }

    /// The ids of all instances of the account that run, whoever's they are.
    static List<String> running(AwsEndpoint endpoint) {
        return endpoint.instances().stream()
                .filter(each -> List.of("pending", "running").contains(state(each)))
                .map(each -> Kubelets.text(each, "id"))
                .sorted()
                .toList();
    }

    private static String state(Value.Mapping instance) {
        return Kubelets.state(instance);
    }

    List<String> templates() {
        try {
            return clients.ec2().launchTemplates(List.of()).stream()
                    .map(each -> each.name())
                    .sorted()
                    .toList();
        } catch (AwsFault fault) {
            throw new AssertionError(fault);
        }
    }

    List<String> profiles() {
        try {
            return clients.iam().profiles("/").stream().map(each -> each.name()).sorted().toList();
        } catch (AwsFault fault) {
            throw new AssertionError(fault);
        }
    }
}
