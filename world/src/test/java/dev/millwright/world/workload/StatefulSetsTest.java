package dev.millwright.world.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.cluster.PodVolumes;
import dev.millwright.world.cluster.Reading;

import org.junit.jupiter.api.Test;

/// Numbered pods and their volumes.
final class StatefulSetsTest {

    private static final String ZONE = "topology.kubernetes.io/zone";

    private static final String DATABASE =
            """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: disk}
            provisioner: ebs.csi.aws.com
            volumeBindingMode: WaitForFirstConsumer
            ---
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db}
            spec:
              replicas: 3
              serviceName: db
              podManagementPolicy: OrderedReady
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec:
                  containers:
                  - {name: db, image: db, resources: {requests: {cpu: "1"}}}
              volumeClaimTemplates:
              - metadata: {name: data}
                spec:
                  storageClassName: disk
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
            """;

    private static SmallCluster cluster() {
        return new SmallCluster()
                .withNode("a1", "4", "8Gi", ZONE + ": a")
                .withNode("b1", "4", "8Gi", ZONE + ": b")
                .run(1);
    }

    @Test
    void podsComeOneAfterAnother() {
        var cluster = cluster().apply(DATABASE).run(5);

        assertThat(cluster.places()).containsOnlyKeys("db-0");
        assertThat(cluster.run(300).places()).containsOnlyKeys("db-0", "db-1", "db-2");
        assertThat(cluster.phases()).containsOnlyKeys("Running");
    }

    @Test
    void parallelPodsComeAtOnce() {
        var cluster = cluster().apply(DATABASE.replace("OrderedReady", "Parallel")).run(5);

        assertThat(cluster.places()).containsOnlyKeys("db-0", "db-1", "db-2");
    }

    @Test
    void aVolumeIsMadeInTheZoneOfItsPodAndAttachedThere() {
        var cluster = cluster().apply(DATABASE).run(300);

        var claim = cluster.object(ResourceType.PERSISTENT_VOLUME_CLAIM, "data-db-0");
        assertThat(PodVolumes.isBound(claim)).isTrue();
        var volume =
                cluster.object(
                        ResourceType.PERSISTENT_VOLUME, Reading.text(claim, "spec", "volumeName"));
        var term =
                Reading.list(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms")
                        .getFirst();
        var zone = Reading.textList(Reading.list(term, "matchExpressions").getFirst(), "values");
        assertThat(cluster.places().get("db-0")).isEqualTo(zone.getFirst() + "1");
        assertThat(cluster.store.all(ResourceType.VOLUME_ATTACHMENT)).hasSize(3);
    }

    @Test
    void aPodComesBackUnderItsNameWhereItsVolumeIs() {
        var cluster = cluster().apply(DATABASE).run(300);
        var before = cluster.object(ResourceType.POD, "db-1");
        var node = cluster.places().get("db-1");

        cluster.delete(ResourceType.POD, "db-1");
        cluster.run(120);

        var after = cluster.object(ResourceType.POD, "db-1");
        assertThat(Reading.text(after, "metadata", "uid"))
                .isNotEqualTo(Reading.text(before, "metadata", "uid"));
        assertThat(cluster.places()).containsEntry("db-1", node);
        assertThat(Reading.text(after, "status", "phase")).isEqualTo("Running");
    }

    @Test
    void aVolumeIsDetachedWhenItsPodIsGone() {
        var cluster = cluster().apply(DATABASE).run(300);

        cluster.patch(ResourceType.STATEFUL_SET, "db", "spec: {replicas: 1}");
        cluster.run(120);

        assertThat(cluster.places()).containsOnlyKeys("db-0");
        assertThat(cluster.store.all(ResourceType.VOLUME_ATTACHMENT)).hasSize(1);
        assertThat(cluster.store.all(ResourceType.PERSISTENT_VOLUME_CLAIM)).hasSize(3);
    }

    @Test
    void anUpdateReplacesTheLastPodFirst() {
        var cluster = cluster().apply(DATABASE).run(300);

        cluster.patch(
                ResourceType.STATEFUL_SET,
                "db",
                "spec: {template: {metadata: {labels: {app: db, version: two}}}}");
        cluster.run(1);

        assertThat(cluster.pods().filter(pod -> pod.isDeleting()).map(pod -> pod.name().name()))
                .containsExactly("db-2");
        assertThat(cluster.run(300).pods())
                .allMatch(pod -> "two".equals(pod.labels().get("version")));
    }

    @Test
    void claimsOfAClassThatDoesNotWaitAreBoundAtOnce() {
        var cluster =
                cluster().apply(DATABASE.replace("WaitForFirstConsumer", "Immediate")).run(300);

        assertThat(cluster.phases()).containsOnlyKeys("Running").containsEntry("Running", 3L);
    }

    @Test
    void aVolumeTiesItsPodToAZone() {
        var cluster = cluster().apply(DATABASE.replace("replicas: 3", "replicas: 1")).run(120);
        var node = cluster.places().get("db-0");

        cluster.patch(ResourceType.NODE, node, "spec: {unschedulable: true}");
        cluster.delete(ResourceType.POD, "db-0");
        cluster.run(60);

        assertThat(cluster.places()).containsEntry("db-0", "");
        var condition = Reading.condition(cluster.object(ResourceType.POD, "db-0"), "PodScheduled");
        assertThat(Reading.text(condition, "message")).contains("reach of the pod's volume");
    }
}
