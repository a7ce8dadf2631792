package dev.millwright.world.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.workload.SmallCluster;

import org.junit.jupiter.api.Test;

/// Important pods drive others out, where nothing else helps.
final class PreemptionTest {

    private static SmallCluster cluster() {
        return new SmallCluster()
                .apply(
                        """
                        apiVersion: scheduling.k8s.io/v1
                        kind: PriorityClass
                        metadata: {name: low}
                        value: 10
                        ---
                        apiVersion: scheduling.k8s.io/v1
                        kind: PriorityClass
                        metadata: {name: high}
                        value: 1000
                        ---
                        apiVersion: scheduling.k8s.io/v1
                        kind: PriorityClass
                        metadata: {name: polite}
                        value: 1000
                        preemptionPolicy: Never
                        """)
                .withNode("one", "2", "8Gi", "");
    }

    private static String pod(String name, String priority) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s, labels: {app: %1$s}}
                spec:
                  terminationGracePeriodSeconds: 30
                  priorityClassName: %2$s
                  containers:
                  - {name: main, image: main, resources: {requests: {cpu: "1"}}}
                """
                .formatted(name, priority)
                .replace("  priorityClassName: \n", "");
    }

    private static SmallCluster full() {
        return cluster().apply(pod("nobody", "")).apply(pod("somebody", "low")).run(20);
    }

    @Test
    void theLeastImportantPodMakesRoom() {
        var cluster = full().apply(pod("boss", "high")).run(60);

        assertThat(cluster.places())
                .containsOnlyKeys("boss", "somebody")
                .containsEntry("boss", "one");
    }

    @Test
    void whileRoomIsMadeThePodIsNominated() {
        var cluster = full();
        cluster.patch(
                ResourceType.POD,
                "nobody",
                "metadata: {annotations: {world.millwright.dev/stops-in: 20s}}");

        cluster.apply(pod("boss", "high")).run(5);

        var boss = cluster.object(ResourceType.POD, "boss");
        assertThat(Reading.text(boss, "status", "nominatedNodeName")).isEqualTo("one");
        assertThat(cluster.pods().filter(pod -> pod.isDeleting())).hasSize(1);
    }

    @Test
    void roomThatIsBeingMadeIsNotGivenToOthers() {
        var cluster = full();
        cluster.patch(
                ResourceType.POD,
                "nobody",
                "metadata: {annotations: {world.millwright.dev/stops-in: 20s}}");
        cluster.apply(pod("boss", "high")).run(5);

        cluster.apply(pod("late", "")).run(60);

        assertThat(cluster.places()).containsEntry("boss", "one").containsEntry("late", "");
    }

    @Test
    void aPolitePodWaits() {
        var cluster = full().apply(pod("guest", "polite")).run(60);

        assertThat(cluster.places()).containsEntry("guest", "").hasSize(3);
    }

    @Test
    void aNodeWhereNoBudgetIsBrokenIsChosen() {
        var cluster = full();
        cluster.apply(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: nobody}
                spec: {minAvailable: 1, selector: {matchLabels: {app: nobody}}}
                """);
        cluster.run(5).apply(pod("boss", "high")).run(60);

        assertThat(cluster.places()).containsOnlyKeys("boss", "nobody");
    }

    @Test
    void whomNobodysGoingHelpsDrivesNobodyOut() {
        var cluster = full();
        cluster.apply(pod("boss", "high").replace("spec:\n", "spec:\n  nodeSelector: {no: such}\n"))
                .run(60);

        assertThat(cluster.places()).containsEntry("boss", "").hasSize(3);
        assertThat(cluster.phases()).containsEntry("Running", 2L);
    }
}
