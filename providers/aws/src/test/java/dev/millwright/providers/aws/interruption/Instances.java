package dev.millwright.providers.aws.interruption;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.testing.kit.aws.TestAccount;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The shortest way from the fixture's account to an instance.
final class Instances {

    private static final String IMAGE = "ami-al2023amd64standard";
    private static final String PROFILE = "test-profile";

    private Instances() {}

    /// The id of a new instance, which runs.
    static String launch() {
        var ec2 = QueueRig.clients().ec2();
        try {
            if (ec2.launchTemplates(List.of()).isEmpty()) {
                var iam = QueueRig.clients().iam();
                iam.createProfile(PROFILE, "/", tags());
                iam.addRole(PROFILE, TestAccount.ROLE);
                ec2.createLaunchTemplate(template());
            }
            return ec2.createFleet(request()).launched().getFirst().ids().getFirst();
        } catch (AwsFault fault) {
            throw new AssertionError(fault);
        }
    }

    private static SequencedMap<String, String> tags() {
        return new TreeMap<>(Map.of("eks:eks-cluster-name", TestAccount.CLUSTER));
    }

    private static FleetRequest request() {
        return new FleetRequest(
                1,
                "on-demand",
                null,
                "lowest-price",
                List.of(),
                null,
                tags(),
                List.of(
                        new FleetRequest.Config(
                                "test",
                                List.of(
                                        new FleetRequest.Override(
                                                "m5.large",
                                                "subnet-test1",
                                                IMAGE,
                                                "us-east-1a",
                                                1)))),
                null);
    }

    private static LaunchTemplate template() {
        return new LaunchTemplate(
                "test",
                tags(),
                new TreeMap<>(),
                IMAGE,
                PROFILE,
                "",
                List.of(),
                List.of(),
                new LaunchTemplate.Metadata("enabled", "disabled", 1, "required"),
                new LaunchTemplate.Placement("default", null, null),
                false,
                false,
                null,
                null,
                null);
    }
}
