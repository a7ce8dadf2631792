package dev.millwright.capi.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.apply.ApplyController;
import dev.millwright.capi.apply.TemplateController;
import dev.millwright.capi.cluster.CaptClusterController;
import dev.millwright.capi.controlplane.ControlPlaneController;
import dev.millwright.capi.kubeconfig.KubeconfigController;
import dev.millwright.capi.kubeconfig.KubeconfigMemory;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.port.ApiSecrets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.step.StepRig;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The controllers of clusters on an API server in memory. Terraform is played by [#terraform].
public final class CaptStage {

    public static final String NAMESPACE = "team";

    public static final String ENDPOINT = "https://ABC.gr7.eu-west-1.eks.amazonaws.com";

    /// In base64, as Terraform has it.
    public static final String AUTHORITY =
            Base64.getEncoder()
                    .encodeToString(
                            "-----BEGIN CERTIFICATE-----\nca\n".getBytes(StandardCharsets.UTF_8));

    private static final int ROUNDS_MAX = 60;

    private final ClusterApi api;
    private final StepRig rig;
    private final Terraform terraform;
    private ReferencePolicy references;
    private Map<Controller, Kind<RawObject>> controllers;

    public CaptStage() {
        this("v1beta2");
    }

    /// @param version of the core that is installed
    public CaptStage(String version) {
        api = ClusterApi.of(version);
        rig =
                StepRig.keeping(
                        List.of(
                                api.cluster(),
                                CaptTypes.CLUSTER,
                                CaptTypes.CONTROL_PLANE,
                                CaptTypes.WORKSPACE_TEMPLATE,
                                CaptTypes.APPLY,
                                CaptTypes.WORKSPACE,
                                CaptTypes.CLUSTER_TEMPLATE,
                                CaptTypes.CONTROL_PLANE_TEMPLATE,
                                CaptTypes.MACHINE_TEMPLATE,
                                CaptTypes.MACHINE,
                                CaptTypes.MACHINE_SET,
                                CaptTypes.MACHINE_DEPLOYMENT,
                                CaptTypes.MACHINE_POOL));
        terraform = new Terraform(rig);
        references = new ReferenceGrants(rig.api());
        controllers = fresh(api, rig, references);
    }

    private static Map<Controller, Kind<RawObject>> fresh(
            ClusterApi api, StepRig rig, ReferencePolicy references) {
        var secrets = new ApiSecrets(rig.api());
        var all = new LinkedHashMap<Controller, Kind<RawObject>>();
        all.put(new TemplateController(), CaptTypes.WORKSPACE_TEMPLATE);
        all.put(new ApplyController(api, secrets, references), CaptTypes.APPLY);
        all.put(new CaptClusterController(api), CaptTypes.CLUSTER);
        all.put(new ControlPlaneController(api, secrets), CaptTypes.CONTROL_PLANE);
        all.put(
                new KubeconfigController(api, secrets, new KubeconfigMemory()),
                CaptTypes.CONTROL_PLANE);
        return all;
    }

    public StepRig rig() {
        return rig;
    }

    public ClusterApi api() {
        return api;
    }

    public Terraform terraform() {
        return terraform;
    }

    public List<Controller> controllers() {
        return List.copyOf(controllers.keySet());
    }

    public Kind<RawObject> kind(Controller controller) {
        return Objects.requireNonNull(controllers.get(controller));
    }

    /// As after a death of the process: what was only remembered is gone.
    public CaptStage restart() {
        controllers = fresh(api, rig, references);
        return this;
    }

    /// Namespaces trust each other, as CAPT has it.
    public CaptStage trusting() {
        references = ReferencePolicy.ANY;
        return restart();
    }

    public CaptStage given(String yaml) {
        rig.apply(yaml);
        return this;
    }

    /// Runs every controller for every object until none has anything left to write.
    public CaptStage settle() {
        for (var round = 0; round < ROUNDS_MAX; round++) {
            var before = rig.api().writes().size();
            controllers.forEach(
                    (controller, kind) ->
                            rig.view().cache(kind).all().stream()
                                    .map(RawObject::name)
                                    .toList()
                                    .forEach(key -> rig.run(controller, key)));
            if (rig.api().writes().size() == before) {
                return this;
            }
        }
        throw new AssertionError("it writes for ever: " + rig.api().writes().reversed().get(0));
    }

    public Ending look(Class<? extends Controller> type, String name) {
        return rig.run(controller(type), new ObjectName(NAMESPACE, name));
    }

    private Controller controller(Class<? extends Controller> type) {
        return controllers.keySet().stream().filter(type::isInstance).findFirst().orElseThrow();
    }

    public RawObject apply(String name) {
        return rig.find(CaptTypes.APPLY, new ObjectName(NAMESPACE, name));
    }

    public RawObject workspace(String name) {
        return rig.find(CaptTypes.WORKSPACE, new ObjectName("", name));
    }

    public RawObject captCluster() {
        return rig.find(CaptTypes.CLUSTER, new ObjectName(NAMESPACE, "prod"));
    }

    public RawObject controlPlane() {
        return rig.find(CaptTypes.CONTROL_PLANE, new ObjectName(NAMESPACE, "prod"));
    }

    public RawObject cluster() {
        return rig.find(api.cluster(), new ObjectName(NAMESPACE, "prod"));
    }

    public boolean hasApply(String name) {
        return rig.has(CaptTypes.APPLY, new ObjectName(NAMESPACE, name));
    }

    public boolean hasWorkspace(String name) {
        return rig.has(CaptTypes.WORKSPACE, new ObjectName("", name));
    }

    public Condition condition(RawObject object, String type) {
        var condition = object.conditions().find(type);
        assertThat(condition).as("%s of %s", type, object.name()).isNotNull();
        return Objects.requireNonNull(condition);
    }

    public CaptStage delete(Kind<?> kind, String name) {
        var key = new ObjectName(kind.type().isNamespaced() ? NAMESPACE : "", name);
        rig.api().write(new ApiWrite.Delete(kind.type(), key, null, null));
        return this;
    }

    public CaptStage patch(Kind<?> kind, String name, Tree body) {
        return patch(kind, name, body, ApiWrite.Subresource.NONE);
    }

    public CaptStage patch(Kind<?> kind, String name, Tree body, ApiWrite.Subresource part) {
        var key = new ObjectName(kind.type().isNamespaced() ? NAMESPACE : "", name);
        rig.api()
                .write(
                        new ApiWrite.Patch(
                                kind.type(), key, ApiWrite.PatchKind.MERGE, part, body.mapping()));
        return this;
    }

    public CaptStage pause(boolean isPaused) {
        return patch(api.cluster(), "prod", Tree.of("spec", new Tree().put("paused", isPaused)));
    }

    /// A Cluster whose VPC is there.
    public CaptStage withVpc() {
        given(Sample.TEMPLATES).given(Sample.CLUSTER).given(Sample.CAPT_CLUSTER).settle();
        terraform.done("prod-vpc", Tree.of("vpc_id", "vpc-1"));
        return settle();
    }

    /// And whose EKS cluster is there, with its connection Secret.
    public CaptStage withEks() {
        withVpc().given(Sample.CONTROL_PLANE).settle();
        return eksDone();
    }

    public CaptStage eksDone() {
        secret("prod-eks-connection", Map.of("cluster_certificate_authority_data", AUTHORITY));
        terraform.done("prod-eks-controlplane", Tree.of("cluster_endpoint", ENDPOINT));
        return settle();
    }

    /// And whose kubeconfig is there, with this in it.
    public CaptStage withKubeconfig(String kubeconfig) {
        withEks().secret("prod-outputs-kubeconfig", Map.of("kubeconfig", kubeconfig));
        terraform.done("prod-kubeconfig", new Tree());
        return settle();
    }

    public CaptStage secret(String name, Map<String, String> data) {
        return secret(NAMESPACE, name, data);
    }

    public CaptStage secret(String namespace, String name, Map<String, String> data) {
        return secret(namespace, name, data, "");
    }

    /// @param owner uid of the Workspace that wrote it; empty for none
    public CaptStage secret(String namespace, String name, Map<String, String> data, String owner) {
        var packed = new Tree();
        data.forEach(
                (key, value) ->
                        packed.put(
                                key,
                                Base64.getEncoder()
                                        .encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        rig.api()
                .put(
                        ResourceType.SECRET,
                        Tree.of("apiVersion", "v1")
                                .put("kind", "Secret")
                                .put("metadata", metadata(namespace, name, owner))
                                .put("type", "connection.crossplane.io/v1alpha1")
                                .put("data", packed)
                                .mapping());
        return this;
    }

    private static Tree metadata(String namespace, String name, String owner) {
        var metadata = Tree.of("name", name).put("namespace", namespace);
        return owner.isEmpty()
                ? metadata
                : metadata.putList(
                        "ownerReferences",
                        List.of(
                                new OwnerReference(
                                                "tf.upbound.io/v1beta1",
                                                "Workspace",
                                                name,
                                                owner,
                                                true,
                                                true)
                                        .value()));
    }

    /// Lets objects of this kind in [#NAMESPACE] refer to those of a kind in another namespace.
    public CaptStage grant(String namespace, String from, String to) {
        return grant(namespace, NAMESPACE, from, to, "");
    }

    /// @param name of what may be referred to; empty for all of the kind
    public CaptStage grant(
            String namespace, String fromNamespace, String from, String to, String name) {
        var source =
                Tree.of("group", CaptTypes.INFRASTRUCTURE)
                        .put("kind", from)
                        .put("namespace", fromNamespace);
        var target =
                Tree.of("group", to.equals("Secret") ? "" : CaptTypes.INFRASTRUCTURE)
                        .put("kind", to)
                        .put("name", name);
        rig.api()
                .put(
                        ReferenceGrants.TYPE,
                        Tree.of("apiVersion", "millwright.dev/v1alpha1")
                                .put("kind", "ReferenceGrant")
                                .put("metadata", Tree.of("name", "g").put("namespace", namespace))
                                .put(
                                        "spec",
                                        new Tree()
                                                .putList("from", List.of(source.mapping()))
                                                .putList("to", List.of(target.mapping())))
                                .mapping());
        return this;
    }

    public @Nullable RawObject findSecret(String name) {
        var found = rig.api().find(ResourceType.SECRET, new ObjectName(NAMESPACE, name));
        return found == null ? null : RawObject.of(found);
    }

    /// What a Secret holds under a key.
    public String secretText(String name, String key) {
        var secret = findSecret(name);
        assertThat(secret).as("Secret %s", name).isNotNull();
        var packed = Objects.requireNonNull(secret).root().at("data").at(key).text("");
        return new String(Base64.getDecoder().decode(packed), StandardCharsets.UTF_8);
    }
}
