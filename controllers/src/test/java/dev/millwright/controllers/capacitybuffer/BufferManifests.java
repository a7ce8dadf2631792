package dev.millwright.controllers.capacitybuffer;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A cluster with buffers, and the controller that looks after them.
final class BufferManifests {

    static final ObjectName SPARE = new ObjectName("default", "spare");
    static final String BY_TEMPLATE = "podTemplateRef: {name: web}";
    static final String BY_DEPLOYMENT =
            "scalableRef: {apiGroup: apps, kind: Deployment, name: web}";
    static final String SMALL = "[{name: main, resources: {requests: {cpu: 500m, memory: 1Gi}}}]";

    final Rig rig = new Rig();
    final List<String> triggers = new ArrayList<>();
    final BufferController controller = new BufferController((uid, _) -> triggers.add(uid));

    Ending run() {
        return rig.run(controller, SPARE);
    }

    BufferObject spare() {
        return there(rig.view().cache(Kind.CAPACITY_BUFFER).find(SPARE));
    }

    private static BufferObject there(@Nullable BufferObject buffer) {
        if (buffer == null) {
            throw new IllegalStateException("CapacityBuffer spare is not there");
        }
        return buffer;
    }

    Condition condition(String type) {
        return spare().status().conditions().stream()
                .filter(each -> each.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    Condition ready() {
        return condition(BufferObject.READY_FOR_PROVISIONING);
    }

    static String buffer(String name, String spec) {
        return """
               apiVersion: autoscaling.x-k8s.io/v1beta1
               kind: CapacityBuffer
               metadata: {name: %s, namespace: default, uid: uid-%s, generation: 1}
               spec: {provisioningStrategy: buffer.x-k8s.io/active-capacity, %s}
               """
                .formatted(name, name, spec);
    }

    static String template(String name, String containers) {
        return template(name, "containers: " + containers, 1);
    }

    static String template(String name, String spec, long generation) {
        return """
               apiVersion: v1
               kind: PodTemplate
               metadata: {name: %s, namespace: default, generation: %d}
               template:
                 metadata: {labels: {app: web}}
                 spec: {%s}
               """
                .formatted(name, generation, spec);
    }

    static String workload(String kind, String name, String replicas) {
        return """
               apiVersion: apps/v1
               kind: %s
               metadata: {name: %s, namespace: default, generation: 1}
               spec:
                 %s
                 selector: {matchLabels: {app: web}}
                 template:
                   metadata: {labels: {app: web}}
                   spec: {containers: %s}
               """
                .formatted(kind, name, replicas, SMALL);
    }
}
