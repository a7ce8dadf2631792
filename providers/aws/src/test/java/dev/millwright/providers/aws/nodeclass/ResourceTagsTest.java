package dev.millwright.providers.aws.nodeclass;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

class ResourceTagsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eks:eks-cluster-name",
                "kubernetes.io/cluster/mill",
                "kubernetes.io/cluster/Mill_1-a",
                "karpenter.sh/nodepool",
                "karpenter.sh/nodeclaim",
                "karpenter.k8s.aws/ec2nodeclass"
            })
    void tagsOfOursAreNotForUsers(String key) {
        var spec = Classes.ofSpec("{tags: {a: b, '%s': c}}".formatted(key)).spec();

        assertThat(ResourceTags.restricted(spec)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Name",
                "team",
                "kubernetes.io/cluster",
                "kubernetes.io/cluster/",
                "kubernetes.io/cluster/-mill",
                "kubernetes.io/cluster/mill.a",
                "my/kubernetes.io/cluster/mill",
                "karpenter.sh/nodepools",
                "x-karpenter.sh/nodepool"
            })
    void otherTagsAreFree(String key) {
        assertThat(
                        ResourceTags.restricted(
                                Classes.ofSpec("{tags: {'%s': c}}".formatted(key)).spec()))
                .isNull();
    }

    @Test
    void oursWinOverTheClasss() {
        var nodeClass = Classes.ofSpec("{tags: {Name: mine, karpenter.sh/nodepool: other}}");

        assertThat(ResourceTags.of(nodeClass, "mill", "pool"))
                .containsExactly(
                        Map.entry("Name", "mine"),
                        Map.entry("eks:eks-cluster-name", "mill"),
                        Map.entry("karpenter.k8s.aws/ec2nodeclass", "default"),
                        Map.entry("karpenter.sh/nodepool", "pool"),
                        Map.entry("kubernetes.io/cluster/mill", "owned"));
    }
}
