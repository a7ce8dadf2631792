package dev.millwright.world.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.cluster.Reading;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// From a Deployment to running pods and back.
final class ChainTest {

    static final String WEB =
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 4
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - {name: web, image: web, resources: {requests: {cpu: "1", memory: 1Gi}}}
            """;

    @Test
    void aDeploymentsPodsRun() {
        var cluster = new SmallCluster().withNodes(2, "4", "16Gi").apply(WEB).run(60);

        assertThat(cluster.phases()).containsOnlyKeys("Running").containsEntry("Running", 4L);
        assertThat(cluster.places().values()).containsOnly("node-0", "node-1");
        assertThat(
                        Reading.number(
                                0,
                                cluster.object(ResourceType.DEPLOYMENT, "web"),
                                "status",
                                "availableReplicas"))
                .isEqualTo(4);
    }

    @Test
    void podsThatFitNowhereAreMarkedUnschedulable() {
        var cluster = new SmallCluster().withNodes(1, "3", "16Gi").apply(WEB).run(60);

        assertThat(cluster.phases()).containsEntry("Running", 3L).containsEntry("Pending", 1L);
        var waiting = cluster.pods().filter(pod -> !pod.isBound()).findFirst().orElseThrow();
        var condition = Reading.condition(waiting.object(), "PodScheduled");
        assertThat(Reading.text(condition, "reason")).isEqualTo("Unschedulable");
        assertThat(Reading.text(condition, "message"))
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");
    }

    @Test
    void aNewNodeTakesThePodsThatWaited() {
        var cluster = new SmallCluster().withNodes(1, "2", "16Gi").apply(WEB).run(60);

        cluster.withNode("late", "2", "16Gi", "").run(30);

        assertThat(cluster.phases()).containsOnlyKeys("Running");
        assertThat(cluster.places().values())
                .containsExactlyInAnyOrder("late", "late", "node-0", "node-0");
    }

    @Test
    void anEvictedPodComesBackElsewhere() {
        var cluster = new SmallCluster().withNodes(2, "4", "16Gi").apply(WEB).run(60);
        var pod = cluster.pods().findFirst().orElseThrow();

        cluster.delete(ResourceType.POD, pod.name().name());
        cluster.run(60);

        assertThat(cluster.plane.ledger().pod(pod.name())).isNull();
        assertThat(cluster.phases()).containsEntry("Running", 4L).hasSize(1);
    }

    @Test
    void aChangedTemplateIsRolledOut() {
        var cluster = new SmallCluster().withNodes(2, "4", "16Gi").apply(WEB).run(60);

        cluster.patch(
                ResourceType.DEPLOYMENT,
                "web",
                "spec: {template: {metadata: {labels: {app: web, version: two}}}}");
        cluster.run(120);

        assertThat(cluster.pods()).hasSize(4);
        assertThat(cluster.pods()).allMatch(pod -> "two".equals(pod.labels().get("version")));
        assertThat(cluster.store.all(ResourceType.REPLICA_SET)).hasSize(2);
    }

    @Test
    void goingBackMakesTheOldRevisionTheNewest() {
        var cluster = new SmallCluster().withNodes(2, "4", "16Gi").apply(WEB).run(60);
        cluster.patch(
                ResourceType.DEPLOYMENT,
                "web",
                "spec: {template: {metadata: {labels: {app: web, version: two}}}}");
        cluster.run(120);

        cluster.patch(
                ResourceType.DEPLOYMENT,
                "web",
                "spec: {template: {metadata: {labels: {version: null}}}}");
        cluster.run(120);

        assertThat(cluster.store.all(ResourceType.REPLICA_SET)).hasSize(2);
        assertThat(cluster.pods()).noneMatch(pod -> pod.labels().containsKey("version"));
        assertThat(
                        cluster.store.all(ResourceType.REPLICA_SET).stream()
                                .map(
                                        set ->
                                                Reading.text(
                                                                set,
                                                                "metadata",
                                                                "annotations",
                                                                "deployment.kubernetes.io/revision")
                                                        + " wants "
                                                        + Reading.number(set, "spec", "replicas")))
                .containsExactlyInAnyOrder("3 wants 4", "2 wants 0");
    }

    @Test
    void theSameSeedGivesTheSameChanges() {
        assertThat(changes(7)).isEqualTo(changes(7)).isNotEqualTo(changes(8));
    }

    /// A day in small: a rollout, a death and a rescue.
    private static List<String> changes(long seed) {
        var cluster = new SmallCluster(seed, ControlPlane.Settings.usual());
        var changes = new ArrayList<String>();
        cluster.store.listen(
                (by, type, before, after) ->
                        changes.add(
                                cluster.agenda.instant() + " " + by + " " + type + " " + after));
        cluster.withNodes(3, "4", "16Gi").apply(WEB).run(60);
        cluster.plane.kubelets().silence("node-1");
        cluster.patch(
                ResourceType.DEPLOYMENT,
                "web",
                "spec: {template: {metadata: {labels: {app: web, version: two}}}}");
        cluster.run(600);
        cluster.plane.kubelets().heal("node-1");
        cluster.run(600);
        return changes;
    }

    @Test
    void scalingDownDeletesPodsThatWaitFirst() {
        var cluster = new SmallCluster().withNodes(1, "3", "16Gi").apply(WEB).run(60);

        cluster.patch(ResourceType.DEPLOYMENT, "web", "spec: {replicas: 3}");
        cluster.run(20);

        assertThat(cluster.phases()).containsOnlyKeys("Running").containsEntry("Running", 3L);
    }
}
