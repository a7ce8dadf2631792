package dev.millwright.world.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;

final class ScaleTest {

    @Test
    void tenThousandPodsRunOnFiveHundredNodes() {
        for (var round = 0; round < Integer.getInteger("rounds", 1); round++) {
            var cluster = new SmallCluster();
            for (var i = 0; i < 500; i++) {
                cluster.withNode(
                        "node-" + i, "32", "128Gi", "topology.kubernetes.io/zone: z" + i % 3);
            }
            cluster.run(10);
            var threads = ManagementFactory.getThreadMXBean();
            var before = threads.getCurrentThreadCpuTime();
            cluster.apply(ChainTest.WEB.replace("replicas: 4", "replicas: 10000")).run(300);
            var millis = (threads.getCurrentThreadCpuTime() - before) / 1_000_000;
            System.out.println("10000 pods on 500 nodes: " + millis + " ms of CPU");

            assertThat(cluster.phases())
                    .containsOnlyKeys("Running")
                    .containsEntry("Running", 10_000L);
        }
    }
}
