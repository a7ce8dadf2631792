package dev.millwright.cli.capi;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Reference;
import dev.millwright.capi.tree.Estate;
import dev.millwright.capi.tree.StateReading;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;

/// Reads a namespace's clusters and what belongs to them, and the states of their Workspaces.
public final class LiveEstate {

    private static final int PAGE = 500;

    /// Templates of other namespaces that are looked up; more are taken to be there.
    private static final int FOREIGN_TEMPLATES_MAX = 200;

    private static final List<String> CORE_VERSIONS = List.of("v1beta2", "v1beta1");

    private static final List<String> TEMPLATE_FIELDS =
            List.of("templateRef", "vpcTemplateRef", "workspaceTemplateRef");

    private final KubeApi api;
    private final String namespace;

    public LiveEstate(KubeApi api, String namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    /// @throws IOException when the cluster says no; its message is for a person
    public Estate read() throws IOException {
        var objects = new ArrayList<Value.Mapping>();
        for (var type : types()) {
            objects.addAll(list(type));
        }
        objects.addAll(foreignTemplates(objects));
        return new Estate(objects);
    }

    private List<ResourceType> types() throws IOException {
        var version = coreVersion(api);
        var core = ClusterApi.of(version);
        return List.of(
                core.cluster().type(),
                core.machine().type(),
                core.machinePool().type(),
                new ResourceType(
                        ClusterApi.GROUP, version, "machinedeployments", "MachineDeployment", true),
                new ResourceType(ClusterApi.GROUP, version, "machinesets", "MachineSet", true),
                CaptTypes.CLUSTER.type(),
                CaptTypes.CONTROL_PLANE.type(),
                CaptTypes.MACHINE.type(),
                CaptTypes.MACHINE_SET.type(),
                CaptTypes.MACHINE_DEPLOYMENT.type(),
                CaptTypes.MACHINE_POOL.type(),
                CaptTypes.WORKSPACE_TEMPLATE.type(),
                CaptTypes.APPLY.type(),
                CaptTypes.WORKSPACE.type());
    }

    /// The version of Clusters that the management cluster serves.
    public static String coreVersion(KubeApi api) throws IOException {
        for (var version : CORE_VERSIONS) {
            var type = ClusterApi.of(version).cluster().type();
            switch (api.list(type, ListQuery.all(1))) {
                case ListAnswer.Page _, ListAnswer.Expired _ -> {
                    return version;
                }
                case ListAnswer.NotServed() -> {}
                case ListAnswer.Failed(var message) -> {
                    if (!message.contains("403")) {
                        throw Pages.unlisted(type, message);
                    }
                    return version; // Served, but not to be listed everywhere.
                }
            }
        }
        throw new IOException(
                "nobody serves clusters.%s here; is this the management cluster?"
                        .formatted(ClusterApi.GROUP));
    }

    private List<Value.Mapping> list(ResourceType type) throws IOException {
        var where = type.isNamespaced() ? namespace : "";
        return Pages.all(api, type, new ListQuery(where, "", "", PAGE, ""));
    }

    /// Whether one is there that may not be read is not ours to say: it is taken to be there.
    private List<Value.Mapping> foreignTemplates(List<Value.Mapping> objects) {
        var type = CaptTypes.WORKSPACE_TEMPLATE.type();
        var found = new ArrayList<Value.Mapping>();
        for (var name : namedElsewhere(objects)) {
            var isGone = found.size() < FOREIGN_TEMPLATES_MAX && api.read(type, name).isNotFound();
            if (!isGone) {
                found.add(
                        Tree.of("apiVersion", type.group() + "/" + type.version())
                                .put("kind", type.kind())
                                .put(
                                        "metadata",
                                        Tree.of("name", name.name())
                                                .put("namespace", name.namespace()))
                                .mapping());
            }
        }
        return found;
    }

    private SequencedSet<ObjectName> namedElsewhere(List<Value.Mapping> objects) {
        var names =
                new TreeSet<ObjectName>((one, other) -> one.toString().compareTo(other.toString()));
        for (var object : objects) {
            var spec = RawObject.of(object).spec();
            for (var field : TEMPLATE_FIELDS) {
                var reference = Reference.of(spec.at(field));
                if (reference != null && !reference.in(namespace).namespace().equals(namespace)) {
                    names.add(reference.in(namespace));
                }
            }
        }
        return names;
    }

    /// The state of a Workspace, where Terraform's `kubernetes` backend keeps it.
    public StateReading state(RawObject workspace) {
        var query = new ListQuery("", StateSecrets.selector(workspace), "", PAGE, "");
        return switch (api.list(ResourceType.SECRET, query)) {
            case ListAnswer.Page(var items, _, _) ->
                    StateSecrets.of(items.stream().map(RawObject::of).toList());
            case ListAnswer.NotServed() -> new StateReading.None();
            case ListAnswer.Expired(var message) -> new StateReading.Unreadable(message);
            case ListAnswer.Failed(var message) -> new StateReading.Unreadable(message);
        };
    }
}
