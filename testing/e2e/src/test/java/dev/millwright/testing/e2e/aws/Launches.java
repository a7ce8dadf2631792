package dev.millwright.testing.e2e.aws;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.FleetAnswer;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.IamApi;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.sdk.SdkClients;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The shortest way from the fixture's account to an instance.
final class Launches {

    static final String TEMPLATE = "karpenter.k8s.aws/1";
    static final String PROFILE = "test-profile";
    static final String IMAGE = "ami-al2023amd64standard";

    private final Ec2Api ec2;
    private final IamApi iam;

    Launches(SdkClients clients) {
        this.ec2 = clients.ec2();
        this.iam = clients.iam();
    }

    /// A profile and a template that uses it.
    void prepare() throws AwsFault {
        iam.createProfile(PROFILE, "/karpenter/us-east-1/test-cluster/uid/", tags());
        iam.addRole(PROFILE, "test-role");
        ec2.createLaunchTemplate(template(TEMPLATE, null));
    }

    String launch(String type) throws AwsFault {
        return fleet(1, "on-demand", type).launched().getFirst().ids().getFirst();
    }

    FleetAnswer fleet(int instances, String capacity, String... types) throws AwsFault {
        return ec2.createFleet(request(TEMPLATE, instances, capacity, types));
    }

    static SequencedMap<String, String> tags() {
        var tags = new TreeMap<String, String>();
        tags.put("eks:eks-cluster-name", "test-cluster");
        tags.put("karpenter.sh/nodepool", "default");
        return tags;
    }

    static FleetRequest request(String template, int instances, String capacity, String... types) {
        var overrides =
                Stream.of(types)
                        .flatMap(
                                type ->
                                        Stream.of(
                                                override(type, "subnet-test1", "us-east-1a"),
                                                override(type, "subnet-test2", "us-east-1b"),
                                                override(type, "subnet-test3", "us-east-1c")))
                        .toList();
        return new FleetRequest(
                instances,
                capacity,
                capacity.equals("spot") ? "price-capacity-optimized" : null,
                capacity.equals("on-demand") ? "lowest-price" : null,
                List.of(),
                null,
                tags(),
                List.of(new FleetRequest.Config(template, overrides)),
                null);
    }

    private static FleetRequest.Override override(String type, String subnet, String zone) {
        return new FleetRequest.Override(type, subnet, IMAGE, zone, 1);
    }

    static LaunchTemplate template(String name, LaunchTemplate.@Nullable Reservation reservation) {
        return new LaunchTemplate(
                name,
                tags(),
                new TreeMap<>(),
                IMAGE,
                PROFILE,
                "aGVsbG8=",
                List.of(
                        new LaunchTemplate.Device(
                                "/dev/xvda",
                                new LaunchTemplate.Volume(
                                        null, true, null, null, null, null, null, 20, "gp3"))),
                List.of(
                        new LaunchTemplate.Interface(
                                0,
                                0,
                                null,
                                List.of("sg-test1", "sg-test2"),
                                null,
                                null,
                                null,
                                null,
                                null,
                                null)),
                new LaunchTemplate.Metadata("enabled", "disabled", 1, "required"),
                new LaunchTemplate.Placement("default", null, null),
                false,
                false,
                null,
                reservation,
                null);
    }
}
