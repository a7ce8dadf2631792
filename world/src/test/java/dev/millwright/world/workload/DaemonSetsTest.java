package dev.millwright.world.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.cluster.Reading;

import org.junit.jupiter.api.Test;

/// One pod a node.
final class DaemonSetsTest {

    private static final String AGENT =
            """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: agent}
            spec:
              selector: {matchLabels: {app: agent}}
              template:
                metadata: {labels: {app: agent}}
                spec:
                  nodeSelector: {agent: "yes"}
                  containers:
                  - {name: agent, image: agent, resources: {requests: {cpu: 100m}}}
            """;

    private static SmallCluster cluster() {
        return new SmallCluster()
                .withNode("one", "2", "8Gi", "agent: \"yes\"")
                .withNode("two", "2", "8Gi", "agent: \"yes\"")
                .withNode("other", "2", "8Gi", "agent: \"no\"")
                .run(1);
    }

    @Test
    void everyNodeThatMatchesGetsAPod() {
        var cluster = cluster().apply(AGENT).run(60);

        assertThat(cluster.places().values()).containsExactlyInAnyOrder("one", "two");
        assertThat(cluster.phases()).containsOnlyKeys("Running");
        assertThat(
                        Reading.number(
                                cluster.object(ResourceType.DAEMON_SET, "agent"),
                                "status",
                                "numberReady"))
                .isEqualTo(2);
    }

    @Test
    void aNewNodeGetsItsPodToo() {
        var cluster = cluster().apply(AGENT).run(60);

        cluster.withNode("three", "2", "8Gi", "agent: \"yes\"").run(60);

        assertThat(cluster.places().values()).contains("three");
    }

    @Test
    void aTaintedNodeGetsNone() {
        var cluster = cluster();
        cluster.patch(ResourceType.NODE, "one", "spec: {taints: [{key: x, effect: NoSchedule}]}");

        assertThat(cluster.apply(AGENT).run(60).places().values()).containsExactly("two");
    }

    @Test
    void aCordonedNodeKeepsGettingDaemons() {
        var cluster = cluster();
        cluster.patch(ResourceType.NODE, "one", "spec: {unschedulable: true}");

        assertThat(cluster.apply(AGENT).run(60).places().values())
                .containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void aDeletedPodIsReplacedOnItsNode() {
        var cluster = cluster().apply(AGENT).run(60);
        var pod = cluster.pods().findFirst().orElseThrow();

        cluster.delete(ResourceType.POD, pod.name().name());
        cluster.run(60);

        assertThat(cluster.places().values()).containsExactlyInAnyOrder("one", "two");
        assertThat(cluster.places()).doesNotContainKey(pod.name().name());
    }

    @Test
    void aNodeThatNoLongerMatchesLosesItsPod() {
        var cluster = cluster().apply(AGENT).run(60);

        cluster.patch(ResourceType.NODE, "one", "metadata: {labels: {agent: \"no\"}}");
        cluster.run(60);

        assertThat(cluster.places().values()).containsExactly("two");
    }

    @Test
    void aChangedTemplateIsRolledOutNodeByNode() {
        var cluster = cluster().apply(AGENT).run(60);

        cluster.patch(
                ResourceType.DAEMON_SET,
                "agent",
                "spec: {template: {metadata: {labels: {app: agent, version: two}}}}");
        cluster.run(1);
        assertThat(cluster.pods().filter(pod -> pod.isDeleting())).hasSize(1);

        cluster.run(120);
        assertThat(cluster.pods()).allMatch(pod -> "two".equals(pod.labels().get("version")));
    }
}
