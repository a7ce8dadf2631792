package dev.millwright.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

final class InstanceTagsTest {

    private final InstanceTags tags = new InstanceTags();

    @Test
    void instancesOfOnePoolAreTaggedTogether() {
        tags.add("aws:///eu-west-1a/i-1", "web", "default");
        tags.add("aws:///eu-west-1b/i-2", "web", "default");
        tags.add("kwok://node", "web", "default");

        assertThat(tags.commands())
                .containsExactly(
                        "aws ec2 create-tags --resources i-1 i-2 --tags Key=karpenter.sh/nodepool,Value=web Key=karpenter.k8s.aws/ec2nodeclass,Value=default Key=kubernetes.io/cluster/$CLUSTER_NAME,Value=owned Key=eks:eks-cluster-name,Value=$CLUSTER_NAME");
    }

    @Test
    void aLineStaysReadable() {
        IntStream.range(0, 120).forEach(i -> tags.add("aws:///a/i-" + i, "web", "default"));

        assertThat(tags.commands()).hasSize(3);
    }
}
