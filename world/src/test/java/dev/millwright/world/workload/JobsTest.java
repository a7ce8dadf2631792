package dev.millwright.world.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.kind.Kinds;

import org.junit.jupiter.api.Test;

/// Pods that end.
final class JobsTest {

    private static final String BATCH =
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: batch}
            spec:
              completions: 5
              parallelism: 2
              backoffLimit: 1
              template:
                metadata:
                  labels: {app: batch}
                  annotations: {world.millwright.dev/runs-for: 60s}
                spec:
                  restartPolicy: Never
                  containers:
                  - {name: batch, image: batch, resources: {requests: {cpu: "1"}}}
            """;

    private static SmallCluster cluster() {
        return new SmallCluster().withNodes(1, "8", "8Gi").run(1).apply(BATCH);
    }

    private static String condition(SmallCluster cluster, String type) {
        var condition = Reading.condition(cluster.object(Kinds.JOB, "batch"), type);
        return condition == null ? "" : Reading.text(condition, "status");
    }

    @Test
    void noMoreRunAtOnceThanItSays() {
        assertThat(cluster().run(30).phases())
                .containsOnlyKeys("Running")
                .containsEntry("Running", 2L);
    }

    @Test
    void aJobIsCompleteWhenEnoughHaveSucceeded() {
        var cluster = cluster().run(600);

        assertThat(condition(cluster, "Complete")).isEqualTo("True");
        assertThat(cluster.phases()).containsOnlyKeys("Succeeded").containsEntry("Succeeded", 5L);
        assertThat(Reading.number(cluster.object(Kinds.JOB, "batch"), "status", "succeeded"))
                .isEqualTo(5);
    }

    @Test
    void aPodThatIsDeletedHasFailedAndIsReplaced() {
        var cluster = cluster().run(30);
        var pod = cluster.pods().findFirst().orElseThrow();

        cluster.delete(ResourceType.POD, pod.name().name());
        cluster.run(40);

        assertThat(Reading.number(cluster.object(Kinds.JOB, "batch"), "status", "failed"))
                .isEqualTo(1);
        assertThat(cluster.plane.ledger().pod(pod.name())).isNull();
        assertThat(cluster.run(600).phases()).containsEntry("Succeeded", 5L);
    }

    @Test
    void tooManyFailuresEndTheJob() {
        var cluster = cluster().run(30);

        cluster.pods().toList().forEach(pod -> cluster.delete(ResourceType.POD, pod.name().name()));
        cluster.run(60);

        assertThat(condition(cluster, "Failed")).isEqualTo("True");
        assertThat(cluster.pods()).isEmpty();
    }
}
