package dev.millwright.testing.kit.cluster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Controller;

import java.util.ArrayList;
import java.util.List;

/// Objects as people and providers write them.
public final class PoolManifests {

    private PoolManifests() {}

    /// A class that is ready.
    public static final String CLASS =
            """
            apiVersion: karpenter.test.sh/v1alpha1
            kind: TestNodeClass
            metadata: {name: default, generation: 1}
            status:
              conditions: [{type: Ready, status: "True", reason: Ready, message: ""}]
            """;

    /// A pool; `spec` is what stands in its spec beside the template, `template` in the template's.
    public static String pool(String name, String spec, String template) {
        return pool(name, spec, template, "karpenter.test.sh");
    }

    public static String pool(String name) {
        return pool(name, "", "");
    }

    /// A pool of a provider that nobody here knows.
    public static String strangersPool(String name) {
        return pool(name, "", "", "karpenter.example.com");
    }

    private static String pool(String name, String spec, String template, String group) {
        return """
               apiVersion: karpenter.sh/v1
               kind: NodePool
               metadata: {name: %s, generation: 1}
               spec:
               %s
                 template:
                   metadata: {labels: {}}
                   spec:
                     nodeClassRef: {group: %s, kind: TestNodeClass, name: default}
               %s
               """
                .formatted(
                        name,
                        indented(spec, 2),
                        group,
                        indented(template.isEmpty() ? "requirements: []" : template, 6));
    }

    /// A claim of the pool. `status` is what stands in its status.
    public static String claim(String name, String pool, String status) {
        return """
               apiVersion: karpenter.sh/v1
               kind: NodeClaim
               metadata:
                 name: %s
                 finalizers: [karpenter.sh/termination]
                 labels:
                   karpenter.sh/nodepool: %s
                   node.kubernetes.io/instance-type: default-instance-type
               spec:
                 requirements: []
                 nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
               status:
               %s
               """
                .formatted(name, pool, indented(status.isEmpty() ? "nodeName: \"\"" : status, 2));
    }

    /// A claim whose machine is there, of 4 cpu and 8Gi.
    public static String launchedClaim(String name, String pool) {
        return claim(
                name,
                pool,
                """
                providerID: fake:///%s
                capacity: {cpu: "4", memory: 8Gi, pods: "10", ephemeral-storage: 20Gi}
                conditions:
                - {type: Launched, status: "True", reason: Launched, lastTransitionTime: "2026-01-01T11:00:00Z"}
                """
                        .formatted(name));
    }

    /// The node of a launched claim, initialised; the kubelet found a little less than promised.
    public static String node(String claim, String pool) {
        return """
               apiVersion: v1
               kind: Node
               metadata:
                 name: node-%s
                 labels:
                   karpenter.sh/nodepool: %s
                   karpenter.sh/registered: "true"
                   karpenter.sh/initialized: "true"
                   karpenter.test.sh/testnodeclass: default
                   node.kubernetes.io/instance-type: default-instance-type
               spec: {providerID: "fake:///%s"}
               status:
                 capacity: {cpu: "4", memory: 7Gi, pods: "10", ephemeral-storage: 20Gi}
                 allocatable: {cpu: "3900m", memory: 6Gi, pods: "10", ephemeral-storage: 20Gi}
                 conditions: [{type: Ready, status: "True"}]
               """
                .formatted(claim, pool, claim);
    }

    public static String reason(PoolObject pool, String type) {
        var condition = pool.conditions().find(type);
        return condition == null ? "" : condition.reason();
    }

    public static String message(PoolObject pool, String type) {
        var condition = pool.conditions().find(type);
        return condition == null ? "" : condition.message();
    }

    /// The pool with a status that says it is ready.
    public static String ready(String pool) {
        return pool.stripTrailing()
                + """

                  status:
                    conditions: [{type: Ready, status: "True", reason: Ready, lastTransitionTime: "2026-01-01T11:00:00Z"}]
                  """;
    }

    /// The keys that a controller is called with for a change.
    public static List<ObjectName> called(Rig rig, Controller controller, Runnable change) {
        var keys = new ArrayList<ObjectName>();
        controller.watches().forEach(watch -> listen(rig, watch, keys));
        keys.clear();
        change.run();
        return keys;
    }

    private static <T extends KubeObject> void listen(
            Rig rig, Controller.Watch<T> watch, List<ObjectName> keys) {
        rig.view()
                .cache(watch.kind())
                .listen(change -> keys.addAll(watch.keys().of(rig.view(), change)));
    }

    public static Rig rig(String... manifests) {
        var rig = new Rig();
        for (var manifest : manifests) {
            rig.apply(manifest);
        }
        return rig;
    }

    private static String indented(String text, int spaces) {
        return text.strip().indent(spaces).stripTrailing();
    }
}
