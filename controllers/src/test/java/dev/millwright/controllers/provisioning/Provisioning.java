package dev.millwright.controllers.provisioning;

import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.PodTimes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.PackingOfRun;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// A rig with the controllers of provisioning, and one pool whose class is ready.
final class Provisioning {

    final Rig rig = new Rig();
    final Marks marks = new Marks();
    final PodTimes times = new PodTimes();
    final Batch batch = new Batch(Duration.ofSeconds(1), Duration.ofSeconds(10));
    final PodTrigger podTrigger = new PodTrigger(batch, times, Pace.of(10));
    final NodeTrigger nodeTrigger = new NodeTrigger(batch, Pace.of(10));
    final Provisioner provisioner;

    Provisioning() {
        this(null);
    }

    Provisioning(@Nullable Duration graceDefault) {
        provisioner =
                new Provisioner(
                        batch,
                        new ClusterState(marks),
                        rig.cloud()::catalog,
                        _ -> List.of(),
                        SchedulingPolicy.DEFAULT
                                .withPacking(PackingOfRun.or(SchedulingPolicy.DEFAULT.packing()))
                                .withVocabulary(rig.cloud().traits().vocabulary()),
                        new PlanEffects(
                                marks,
                                times,
                                graceDefault,
                                Duration.ofSeconds(20),
                                (_, _, _, _) -> List.of()),
                        () -> rig.now().toEpochMilli() * 1_000_000);
    }

    static final String POOL =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: default, uid: pool-uid}
            spec:
              template:
                metadata:
                  labels: {team: shop}
                  annotations: {note: hello}
                spec:
                  taints: [{key: example.com/quiet, effect: PreferNoSchedule}]
                  requirements: [{key: topology.kubernetes.io/zone, operator: In, values: [test-zone-1]}]
                  nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
                  expireAfter: 720h
            status:
              conditions:
              - {type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}
            """;

    static String pod(String name) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: shop}
        spec:
          containers: [{name: main, resources: {requests: {cpu: "1"}}}]
        status:
          phase: Pending
          conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]
        """
                .formatted(name);
    }

    /// The pod's trigger, the wait, the pass.
    Ending provision(String... pods) {
        for (var pod : pods) {
            rig.run(podTrigger, new ObjectName("shop", pod));
        }
        rig.advance(Duration.ofSeconds(2));
        return rig.run(provisioner, Controller.SINGLETON);
    }

    List<ClaimObject> claims() {
        return List.copyOf(rig.view().claims());
    }
}
