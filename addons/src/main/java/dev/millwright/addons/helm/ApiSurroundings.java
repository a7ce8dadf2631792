package dev.millwright.addons.helm;

import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.object.WorkloadCluster.Reference;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// Reads what Clusters refer to from the management cluster. Many references to one kind are one
/// list: a proxy of a thousand clusters asks twice, not two thousand times.
public final class ApiSurroundings implements Surroundings {

    private static final ResourceType DEFINITION =
            new ResourceType(
                    "apiextensions.k8s.io",
                    "v1",
                    "customresourcedefinitions",
                    "CustomResourceDefinition",
                    false);
    private static final ResourceType WORKSPACE =
            new ResourceType("tf.upbound.io", "v1beta1", "workspaces", "Workspace", false);

    private static final String CLUSTER_API = ".cluster.x-k8s.io";

    /// On a Workspace: namespace and name of the apply that made it.
    private static final String APPLY = "millwright.dev/apply";

    /// CAPT's own kinds, the only ones with outputs.
    private static final String CAPT_CONTROL_PLANE = "CAPTControlPlane";

    private static final String CAPT_CLUSTER = "CAPTCluster";

    /// References to one kind from which on they are listed.
    private static final int LIST_FROM = 8;

    private static final int PAGE_SIZE = 500;

    private final KubeApi api;
    private final ReferencePolicy references;

    /// By group and kind. There are as many as providers have kinds.
    private final Map<String, ResourceType> types = new ConcurrentHashMap<>();

    /// @param references whether outputs may lie in another namespace than their Cluster
    public ApiSurroundings(KubeApi api, ReferencePolicy references) {
        this.api = api;
        this.references = references;
    }

    @Override
    public List<Answer> read(List<WorkloadCluster> clusters) {
        var objects = new Objects(clusters);
        return clusters.stream().map(each -> answer(each, objects)).toList();
    }

    private Answer answer(WorkloadCluster cluster, Objects objects) {
        try {
            var own = cluster.name().namespace();
            check("spec.controlPlaneRef", own, cluster.controlPlane());
            check("spec.infrastructureRef", own, cluster.infrastructure());
            var controlPlane = objects.find(cluster.controlPlane());
            var infrastructure = objects.find(cluster.infrastructure());
            var outputs = new Outputs();
            if (infrastructure != null && isKind(infrastructure, CAPT_CLUSTER)) {
                vpc(infrastructure, outputs);
            }
            if (controlPlane != null && isKind(controlPlane, CAPT_CONTROL_PLANE)) {
                controlPlane(controlPlane, outputs);
            }
            return outputs.answer(controlPlane, infrastructure);
        } catch (IOException failure) {
            return new Answer.Failed(String.valueOf(failure.getMessage()));
        }
    }

    /// Cluster API has both in the Cluster's namespace and in a group of its own; anything else
    /// would be read for somebody who may not read it.
    private static void check(String field, String own, @Nullable Reference reference)
            throws IOException {
        if (reference == null) {
            return;
        }
        var slash = reference.apiVersion().indexOf('/');
        var group =
                reference.group().isEmpty()
                        ? reference.apiVersion().substring(0, Math.max(0, slash))
                        : reference.group();
        if (!reference.name().namespace().equals(own) || !group.endsWith(CLUSTER_API)) {
            throw new IOException(
                    "%s names %s %s of group \"%s\"; wanted an object in namespace %s and a group that ends with %s"
                            .formatted(
                                    field,
                                    reference.kind(),
                                    reference.name(),
                                    group,
                                    own,
                                    CLUSTER_API));
        }
    }

    private static boolean isKind(Value.Mapping object, String kind) {
        return kind.equals(object.text("kind"));
    }

    /// The status holds what is not sensitive; the connection Secret holds everything.
    private void controlPlane(Value.Mapping object, Outputs outputs) throws IOException {
        var raw = RawObject.of(object);
        var plain = raw.status().at("workspaceStatus").at("atProvider").at("outputs").value();
        outputs.add(
                plain,
                secret(
                        new ObjectName(
                                raw.name().namespace(), raw.name().name() + "-eks-connection")));
    }

    private void vpc(Value.Mapping object, Outputs outputs) throws IOException {
        var status = RawObject.of(object).status();
        var named = status.at("vpcWorkspaceName").text("");
        var name =
                named.isEmpty()
                        ? status.at("workspaceTemplateStatus").at("workspaceName").text("")
                        : named;
        if (name.isEmpty()) {
            return;
        }
        var answer = api.read(WORKSPACE, new ObjectName("", name));
        if (!(answer instanceof ApiAnswer.Done(var workspace))) {
            if (answer.isNotFound()) {
                return; // An existing VPC has no workspace of ours.
            }
            throw new IOException("Workspace %s: %s".formatted(name, answer.explain()));
        }
        var raw = RawObject.of(workspace);
        var own = RawObject.of(object).name().namespace();
        checkOwner(own, raw);
        var reference = raw.spec().at("writeConnectionSecretToRef");
        var secret = reference.at("name").text("");
        if (!secret.isEmpty()) {
            var where = new ObjectName(reference.at("namespace").text(""), secret);
            var refusal =
                    references.refusal(
                            from(own),
                            new ReferencePolicy.To(
                                    "spec.writeConnectionSecretToRef", "", "Secret", where));
            if (refusal != null) {
                throw new IOException("Workspace %s: %s".formatted(name, refusal));
            }
        }
        outputs.add(
                raw.status().at("atProvider").at("outputs").value(),
                secret.isEmpty()
                        ? null
                        : secret(new ObjectName(reference.at("namespace").text(""), secret)));
    }

    /// The status that names the Workspace is its tenant's to write, the mark on the Workspace is
    /// not. CAPT marks nothing.
    private void checkOwner(String own, RawObject workspace) throws IOException {
        var name = workspace.name();
        var apply = workspace.meta().annotation(APPLY);
        if (apply != null && !apply.startsWith(own + "/")) {
            throw new IOException(
                    "Workspace %s belongs to WorkspaceTemplateApply %s of another namespace"
                            .formatted(name.name(), apply));
        }
        var isAllowed =
                apply != null
                        || references.refusal(
                                        from(own),
                                        new ReferencePolicy.To(
                                                "status.vpcWorkspaceName",
                                                WORKSPACE.group(),
                                                WORKSPACE.kind(),
                                                name))
                                == null;
        if (!isAllowed) {
            throw new IOException(
                    "Workspace %s does not tell whose it is; have an administrator annotate it with %s=%s/APPLY if it is this namespace's"
                            .formatted(name.name(), APPLY, own));
        }
    }

    private static ReferencePolicy.From from(String namespace) {
        return new ReferencePolicy.From("cluster.x-k8s.io", "Cluster", namespace);
    }

    private @Nullable RawObject secret(ObjectName name) throws IOException {
        var answer = api.read(ResourceType.SECRET, name);
        if (answer instanceof ApiAnswer.Done(var object)) {
            return RawObject.of(object);
        }
        if (answer.isNotFound()) {
            return null;
        }
        throw new IOException("Secret %s: %s".formatted(name, answer.explain()));
    }

    /// Outputs of several workspaces, later ones over earlier ones.
    private static final class Outputs {

        private final TreeMap<String, Value> values = new TreeMap<>();
        private final TreeSet<String> sensitive = new TreeSet<>();
        private final StringBuilder version = new StringBuilder();

        void add(@Nullable Value plain, @Nullable RawObject secret) {
            var open =
                    plain instanceof Value.Mapping(_, var fields)
                            ? fields
                            : Map.<String, Value>of();
            open.forEach(
                    (name, value) -> {
                        values.put(name, value);
                        sensitive.remove(name);
                    });
            if (secret == null) {
                return;
            }
            version.append(secret.meta().uid()).append(secret.meta().resourceVersion());
            secret.root()
                    .at("data")
                    .entries()
                    .forEach(
                            (name, field) -> {
                                if (!open.containsKey(name)) {
                                    values.put(name, value(field.text("")));
                                    sensitive.add(name);
                                }
                            });
        }

        /// Texts stand as they are; lists and objects as JSON.
        private static Value value(String base64) {
            var text = new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8);
            if (!text.startsWith("{") && !text.startsWith("[")) {
                return Tree.text(text);
            }
            try {
                var documents = DocumentReader.readAll(Source.text("output", text));
                return documents.isEmpty() ? Tree.text(text) : documents.getFirst();
            } catch (DocumentException plainText) {
                return Tree.text(text);
            }
        }

        Answer answer(
                Value.@Nullable Mapping controlPlane, Value.@Nullable Mapping infrastructure) {
            return new Answer.Found(
                    controlPlane,
                    infrastructure,
                    new Value.Mapping(Position.NOWHERE, values),
                    List.copyOf(sensitive),
                    version.toString());
        }
    }

    /// The objects that one question is about, read once.
    private final class Objects {

        private record Group(ResourceType type, String namespace) {}

        private final Map<Reference, Integer> counts = new HashMap<>();
        private final Map<Group, Map<String, Value.Mapping>> lists = new HashMap<>();

        Objects(List<WorkloadCluster> clusters) {
            var all = new ArrayList<Reference>();
            for (var cluster : clusters) {
                add(all, cluster.controlPlane());
                add(all, cluster.infrastructure());
            }
            all.forEach(each -> counts.merge(kindOf(each), 1, Integer::sum));
        }

        private static void add(List<Reference> all, @Nullable Reference reference) {
            if (reference != null) {
                all.add(reference);
            }
        }

        private static Reference kindOf(Reference reference) {
            return new Reference(
                    reference.group(),
                    reference.apiVersion(),
                    reference.kind(),
                    new ObjectName(reference.name().namespace(), ""));
        }

        Value.@Nullable Mapping find(@Nullable Reference reference) throws IOException {
            if (reference == null) {
                return null;
            }
            var type = type(reference);
            if (counts.getOrDefault(kindOf(reference), 0) < LIST_FROM) {
                var answer = api.read(type, reference.name());
                if (answer instanceof ApiAnswer.Done(var object)) {
                    return object;
                }
                throw absent(reference, answer.explain());
            }
            var group = new Group(type, reference.name().namespace());
            var listed = lists.get(group);
            if (listed == null) {
                listed = new HashMap<>();
                for (var each :
                        Pages.all(
                                api,
                                type,
                                new ListQuery(group.namespace(), "", "", PAGE_SIZE, ""))) {
                    listed.put(RawObject.of(each).name().name(), each);
                }
                lists.put(group, listed);
            }
            var found = listed.get(reference.name().name());
            if (found == null) {
                throw absent(reference, "it is not there");
            }
            return found;
        }

        private static IOException absent(Reference reference, String why) {
            return new IOException(
                    "%s %s cannot be read: %s".formatted(reference.kind(), reference.name(), why));
        }
    }

    private ResourceType type(Reference reference) throws IOException {
        var slash = reference.apiVersion().indexOf('/');
        var group = slash > 0 ? reference.apiVersion().substring(0, slash) : reference.group();
        var key = "%s/%s/%s".formatted(reference.apiVersion(), group, reference.kind());
        var known = types.get(key);
        if (known != null) {
            return known;
        }
        var plural = plural(reference.kind());
        var version =
                slash > 0 ? reference.apiVersion().substring(slash + 1) : version(plural, group);
        var type = new ResourceType(group, version, plural, reference.kind(), true);
        types.put(key, type);
        return type;
    }

    /// The contract has a definition's name follow from its kind.
    private static String plural(String kind) {
        var lower = kind.toLowerCase(Locale.ROOT);
        if (lower.endsWith("y")
                && lower.length() > 1
                && "aeiou".indexOf(lower.charAt(lower.length() - 2)) < 0) {
            return lower.substring(0, lower.length() - 1) + "ies";
        }
        var isHissing =
                lower.endsWith("s")
                        || lower.endsWith("x")
                        || lower.endsWith("z")
                        || lower.endsWith("ch")
                        || lower.endsWith("sh");
        return lower + (isHissing ? "es" : "s");
    }

    /// The newest version that the definition offers for the newest contract.
    private String version(String plural, String group) throws IOException {
        var name = plural + "." + group;
        var answer = api.read(DEFINITION, new ObjectName("", name));
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            throw new IOException(
                    "CustomResourceDefinition %s: %s".formatted(name, answer.explain()));
        }
        var definition = RawObject.of(object);
        for (var contract : List.of("v1beta2", "v1beta1")) {
            var versions = definition.meta().label("cluster.x-k8s.io/" + contract);
            if (!versions.isEmpty()) {
                return versions.substring(versions.lastIndexOf('_') + 1);
            }
        }
        for (var each : definition.spec().at("versions").elements()) {
            if (each.at("storage").isTrue()) {
                return each.at("name").text("");
            }
        }
        throw new IOException("CustomResourceDefinition %s has no version".formatted(name));
    }
}
