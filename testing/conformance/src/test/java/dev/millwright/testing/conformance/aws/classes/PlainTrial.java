package dev.millwright.testing.conformance.aws.classes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.core.policy.NodePool;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.TrialInstance;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.providers.aws.trial.LaunchTrial;

import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Tries a class with an `m5.large` and the first of its images.
final class PlainTrial implements LaunchTrial {

    private static final String TYPE = "m5.large";

    private final Ec2Api ec2;

    PlainTrial(Ec2Api ec2) {
        this.ec2 = ec2;
    }

    @Override
    public Plan plan(Ec2NodeClass nodeClass, List<NodePool> pools) throws AwsFault {
        if (nodeClass.status().amis().isEmpty()) {
            return new Plan.Impossible("there is no image");
        }
        var name = template(nodeClass);
        return new Plan.Ready(
                new FleetRequest(
                        1,
                        "on-demand",
                        null,
                        "lowest-price",
                        List.of(),
                        null,
                        tags(nodeClass),
                        List.of(
                                new FleetRequest.Config(
                                        name,
                                        nodeClass.status().subnets().stream()
                                                .map(subnet -> override(nodeClass, subnet))
                                                .toList())),
                        null),
                nodeClass.status().subnets().stream()
                        .map(
                                subnet ->
                                        new TrialInstance(
                                                name,
                                                TYPE,
                                                subnet.id(),
                                                image(nodeClass),
                                                List.of(),
                                                tags(nodeClass)))
                        .toList());
    }

    private static FleetRequest.Override override(
            Ec2NodeClass nodeClass, NodeClassStatus.Subnet subnet) {
        return new FleetRequest.Override(TYPE, subnet.id(), image(nodeClass), subnet.zone(), 0.1);
    }

    private static String image(Ec2NodeClass nodeClass) {
        return nodeClass.status().amis().getFirst().id();
    }

    private static SequencedMap<String, String> tags(Ec2NodeClass nodeClass) {
        var tags = new TreeMap<String, String>();
        tags.put("eks:eks-cluster-name", "test-cluster");
        tags.put("karpenter.k8s.aws/ec2nodeclass", nodeClass.name());
        return tags;
    }

    private String template(Ec2NodeClass nodeClass) throws AwsFault {
        var name = "karpenter.k8s.aws/" + nodeClass.name();
        try {
            ec2.createLaunchTemplate(of(nodeClass, name));
        } catch (AwsFault fault) {
            if (!fault.code().contains("AlreadyExists")) {
                throw fault;
            }
        }
        return name;
    }

    private static LaunchTemplate of(Ec2NodeClass nodeClass, String name) {
        var userData = Objects.requireNonNullElse(nodeClass.spec().userData(), "");
        return new LaunchTemplate(
                name,
                tags(nodeClass),
                new TreeMap<>(),
                image(nodeClass),
                Objects.requireNonNullElse(nodeClass.status().instanceProfile(), ""),
                Base64.getEncoder().encodeToString(userData.getBytes(UTF_8)),
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
