package dev.millwright.capi.machine;

import dev.millwright.capi.machine.deployment.DeploymentController;
import dev.millwright.capi.machine.infrastructure.MachineController;
import dev.millwright.capi.machine.infrastructure.PoolController;
import dev.millwright.capi.machine.set.SetController;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.testing.kit.step.StepRig;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The machine kinds with their controllers, in a cluster in memory. A test plays the applies.
final class Yard {

    static final ClusterApi API = ClusterApi.of("v1beta2");
    static final String NAMESPACE = "shop";
    private static final int PASSES_MAX = 200;

    final StepRig rig =
            StepRig.keeping(
                    List.of(
                            CaptTypes.MACHINE,
                            CaptTypes.MACHINE_SET,
                            CaptTypes.MACHINE_DEPLOYMENT,
                            CaptTypes.MACHINE_POOL,
                            CaptTypes.APPLY,
                            CaptTypes.WORKSPACE,
                            CaptTypes.CLUSTER,
                            CaptTypes.CONTROL_PLANE,
                            CaptTypes.WORKSPACE_TEMPLATE,
                            API.cluster(),
                            API.machine(),
                            API.machinePool()));

    private final Map<Kind<RawObject>, Controller> controllers = new LinkedHashMap<>();

    Yard() {
        controllers.put(CaptTypes.MACHINE_DEPLOYMENT, new DeploymentController(API));
        controllers.put(CaptTypes.MACHINE_SET, new SetController(API));
        controllers.put(CaptTypes.MACHINE, new MachineController(API));
        controllers.put(CaptTypes.MACHINE_POOL, new PoolController(API));
    }

    static ObjectName name(String name) {
        return new ObjectName(NAMESPACE, name);
    }

    /// Each controller looks at each of its objects, until a whole pass changes nothing.
    Yard settle() {
        for (var pass = 0; pass < PASSES_MAX; pass++) {
            var before = rig.view().revision();
            pass();
            if (rig.view().revision() == before) {
                return this;
            }
        }
        throw new AssertionError("still moving after %d passes".formatted(PASSES_MAX));
    }

    void pass() {
        controllers.forEach(
                (kind, controller) ->
                        rig.view().cache(kind).all().stream()
                                .map(RawObject::name)
                                .toList()
                                .forEach(key -> rig.run(controller, key)));
    }

    /// Every apply is done.
    Yard applied() {
        all(CaptTypes.APPLY).forEach(each -> applied(each.name().name()));
        return settle();
    }

    void applied(String apply) {
        status(
                CaptTypes.APPLY,
                apply,
                "{applied: true, workspaceName: %s, conditions: [{type: Ready, status: 'True', reason: Available, message: ''}]}"
                        .formatted(apply));
    }

    void status(Kind<RawObject> kind, String name, String yaml) {
        patch(kind, name, "status: " + yaml, ApiWrite.Subresource.STATUS);
    }

    Yard spec(Kind<RawObject> kind, String name, String yaml) {
        patch(kind, name, "spec: " + yaml, ApiWrite.Subresource.NONE);
        return this;
    }

    void patch(Kind<RawObject> kind, String name, String yaml, ApiWrite.Subresource subresource) {
        var body = DocumentReader.readAll(Source.text("patch", yaml)).getFirst();
        var full = kind == CaptTypes.WORKSPACE ? new ObjectName("", name) : name(name);
        rig.api()
                .write(
                        new ApiWrite.Patch(
                                kind.type(), full, ApiWrite.PatchKind.MERGE, subresource, body));
    }

    void delete(Kind<RawObject> kind, String name) {
        rig.api().write(new ApiWrite.Delete(kind.type(), name(name), null, null));
    }

    List<RawObject> all(Kind<RawObject> kind) {
        return List.copyOf(rig.view().cache(kind).all());
    }

    RawObject find(Kind<RawObject> kind, String name) {
        return rig.find(kind, name(name));
    }

    boolean has(Kind<RawObject> kind, String name) {
        return rig.has(kind, name(name));
    }

    long ready() {
        return all(CaptTypes.MACHINE).stream()
                .filter(each -> each.status().at("ready").isTrue())
                .count();
    }

    String reason(Kind<RawObject> kind, String name, String type) {
        var condition = find(kind, name).conditions().find(type);
        return condition == null
                ? ""
                : "%s %s".formatted(condition.status().text(), condition.reason());
    }

    static String text(Value value) {
        return value instanceof Value.Text(_, var text) ? text : value.toString();
    }

    /// A deployment whose machines are of this instance type.
    Yard deployment(int replicas, String instanceType, String strategy) {
        rig.apply(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachineDeployment
                metadata: {name: workers, namespace: shop}
                spec:
                  replicas: %d
                  strategy: %s
                  template:
                    metadata: {labels: {role: worker}}
                    spec:
                      workspaceTemplateRef: {name: eks-node-template}
                      nodeGroupRef: {name: workers, namespace: shop}
                      instanceType: %s
                """
                        .formatted(replicas, strategy, instanceType));
        return settle();
    }

    Yard instanceType(String type) {
        return spec(
                CaptTypes.MACHINE_DEPLOYMENT,
                "workers",
                "{template: {spec: {instanceType: %s}}}".formatted(type));
    }
}
