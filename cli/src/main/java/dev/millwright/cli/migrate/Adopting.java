package dev.millwright.cli.migrate;

import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.conversion.Adoption;
import dev.millwright.kube.conversion.Migration;
import dev.millwright.kube.conversion.NodeMark;
import dev.millwright.kube.conversion.OldKeys;
import dev.millwright.kube.conversion.Turned;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Writes what came of a conversion to the cluster it was read from, and makes a NodeClaim for each
/// node that runs. Nothing is launched, drained or started anew. Doing it twice is the same as
/// once.
public final class Adopting {

    /// On a pool or class: the object it was made from. Only these are taken away by an undo.
    public static final String MIGRATED_FROM = "millwright.dev/migrated-from";

    private static final String FREEZE_REASON =
            "migrated; look at the nodes, then millwright unfreeze --nodepool ";

    private final LiveObjects objects;
    private final ClusterWrites writes;
    private final QuietCluster quiet;
    private final InstantSource clock;
    private final boolean isFreezing;
    private final List<Deed> deeds = new ArrayList<>();
    private final InstanceTags tags = new InstanceTags();

    public Adopting(KubeApi api, InstantSource clock, boolean isFreezing) {
        this.objects = new LiveObjects(api);
        this.writes = new ClusterWrites(api);
        this.quiet = new QuietCluster(objects, clock);
        this.clock = clock;
        this.isFreezing = isFreezing;
    }

    /// What was done, also when it ends early.
    public List<Deed> deeds() {
        return List.copyOf(deeds);
    }

    /// What is left to type: instances of EC2 are found by their tags, which old ones lack.
    public List<String> commands() {
        return tags.commands();
    }

    /// @throws IOException when something stands in the way; nothing is half done that a second run
    ///   would not finish
    public void adopt(Migration.Result result) throws IOException {
        refuse(result);
        var wanted = wanted(result);
        refuseForeign(wanted);
        quiet.require();
        var pools = new TreeMap<String, Value.Mapping>();
        for (var object : wanted) {
            var made = made(object);
            if (type(object).equals(ResourceType.NODE_POOL)) {
                pools.put(Trees.name(made), made);
            }
        }
        var machines = machines();
        for (var node : objects.list(ResourceType.NODE)) {
            if (!Trees.text(node, "metadata", "labels", OldKeys.PROVISIONER_NAME).isEmpty()) {
                node(node, machines, pools);
            }
        }
        for (var pod : objects.list(ResourceType.POD)) {
            spare(pod);
        }
    }

    private static void refuse(Migration.Result result) throws IOException {
        if (!result.faults().isEmpty()) {
            throw new IOException(
                    "%d objects cannot be converted; nothing was written"
                            .formatted(result.faults().size()));
        }
        for (var turned : result.turned()) {
            if (OldKeys.BETA.equals(turned.before().text("apiVersion"))
                    || OldKeys.AWS_BETA.equals(turned.before().text("apiVersion"))) {
                throw new IOException(
                        "%s is of v1beta1, whose objects become v1 where they are: install the definitions with the conversion webhook (docs/how-to/upgrade-old-apis.md)"
                                .formatted(turned.origin()));
            }
        }
    }

    /// Classes first: a pool without its class is not ready.
    private static List<Value.Mapping> wanted(Migration.Result result) throws IOException {
        var classes = new ArrayList<Value.Mapping>();
        var pools = new ArrayList<Value.Mapping>();
        for (var turned : result.turned()) {
            for (var object : turned.after()) {
                if ("EC2NodeClass".equals(object.text("kind"))) {
                    refusePlaceholder(object);
                    classes.add(marked(turned, object));
                } else if ("NodePool".equals(object.text("kind"))) {
                    pools.add(marked(turned, object));
                }
            }
        }
        classes.addAll(pools);
        return classes;
    }

    private static void refusePlaceholder(Value.Mapping nodeClass) throws IOException {
        if (Trees.text(nodeClass, "spec", "role").startsWith("$")) {
            throw new IOException(
                    "EC2NodeClass %s has no role and no profile; name the nodes' role by --node-role"
                            .formatted(Trees.name(nodeClass)));
        }
    }

    private static Value.Mapping marked(Turned turned, Value.Mapping object) {
        return annotated(
                object,
                MIGRATED_FROM,
                "%s %s".formatted(turned.before().text("apiVersion"), turned.origin()));
    }

    private static Value.Mapping annotated(Value.Mapping object, String key, String text) {
        var annotations = merged(object, "metadata", "annotations");
        annotations.put(key, Tree.text(text));
        var metadata = merged(object, "metadata");
        metadata.put("annotations", new Value.Mapping(object.position(), annotations));
        var fields = new LinkedHashMap<>(object.fields());
        fields.put("metadata", new Value.Mapping(object.position(), metadata));
        return new Value.Mapping(object.position(), fields);
    }

    private static SequencedMap<String, Value> merged(Value.Mapping object, String... path) {
        return Trees.find(object, path) instanceof Value.Mapping(_, var fields)
                ? new LinkedHashMap<>(fields)
                : new LinkedHashMap<>();
    }

    /// Before anything is written: what somebody else made under that name is not ours to change.
    private void refuseForeign(List<Value.Mapping> wanted) throws IOException {
        for (var object : wanted) {
            var type = type(object);
            if (!objects.isServed(type)) {
                throw new IOException(
                        "nobody serves %s of %s; install the chart millwright-crd first"
                                .formatted(type, type.apiVersion()));
            }
            var there = writes.find(type, Trees.name(object));
            if (there != null
                    && Trees.text(there, "metadata", "annotations", MIGRATED_FROM).isEmpty()) {
                throw new IOException(
                        "%s %s is there already and did not come of a migration; rename or delete it"
                                .formatted(type.kind(), Trees.name(object)));
            }
        }
    }

    private static ResourceType type(Value.Mapping object) {
        return "NodePool".equals(object.text("kind"))
                ? ResourceType.NODE_POOL
                : LiveObjects.EC2_NODE_CLASS;
    }

    private Value.Mapping made(Value.Mapping object) throws IOException {
        var type = type(object);
        var name = Trees.name(object);
        var isPool = type.equals(ResourceType.NODE_POOL);
        var body =
                isPool && isFreezing
                        ? annotated(object, ControlKeys.FREEZE, FREEZE_REASON + name)
                        : object;
        var made = writes.create(type, body);
        if (made != null) {
            var words = isPool && isFreezing ? "frozen until millwright unfreeze" : "";
            deeds.add(new Deed("created", "%s %s".formatted(type.kind(), name), words));
            return made;
        }
        var there = writes.find(type, name);
        if (there == null) {
            throw new IOException(
                    "%s %s came and went while it was made; run this again"
                            .formatted(type.kind(), name));
        }
        return there;
    }

    private SequencedMap<String, Value.Mapping> machines() throws IOException {
        var byProvider = new TreeMap<String, Value.Mapping>();
        for (var machine : objects.list(LiveObjects.MACHINE)) {
            byProvider.put(Trees.text(machine, "status", "providerID"), machine);
        }
        return byProvider;
    }

    private void node(
            Value.Mapping node,
            SequencedMap<String, Value.Mapping> machines,
            SequencedMap<String, Value.Mapping> pools)
            throws IOException {
        var name = Trees.name(node);
        var provisioner = Trees.text(node, "metadata", "labels", OldKeys.PROVISIONER_NAME);
        var pool = pools.get(provisioner);
        var providerId = Trees.text(node, "spec", "providerID");
        var why = whyNot(node, provisioner, pool, providerId);
        if (pool == null || why != null) {
            deeds.add(new Deed("left", "Node " + name, why == null ? "" : why));
            return;
        }
        var adoption = Adoption.of(node, machines.get(providerId), pool, clock.instant());
        var claim = claim(adoption);
        tags.add(
                providerId,
                provisioner,
                Trees.text(pool, "spec", "template", "spec", "nodeClassRef", "name"));
        var uid = Trees.text(claim, "metadata", "uid");
        var isChanged =
                writes.change(
                        ResourceType.NODE, node, found -> NodeMark.adopted(found, adoption, uid));
        if (isChanged) {
            var unmet = adoption.unmet(pool);
            deeds.add(
                    new Deed(
                            "adopted",
                            "Node " + name,
                            unmet.isEmpty()
                                    ? "NodeClaim " + adoption.name()
                                    : "NodeClaim %s, which does not meet %s of its pool and so counts as drifted"
                                            .formatted(adoption.name(), String.join(", ", unmet))));
        }
    }

    private static @Nullable String whyNot(
            Value.Mapping node,
            String provisioner,
            Value.@Nullable Mapping pool,
            String providerId) {
        if (pool == null) {
            return "its Provisioner %s is not there".formatted(provisioner);
        }
        if (providerId.isEmpty()) {
            return "it has no spec.providerID";
        }
        return Trees.text(node, "metadata", "deletionTimestamp").isEmpty()
                ? null
                : "it is being deleted";
    }

    /// One that was made before, and perhaps never got its status.
    private Value.Mapping claim(Adoption adoption) throws IOException {
        var created = writes.create(ResourceType.NODE_CLAIM, adoption.claim());
        var claim =
                created != null ? created : writes.find(ResourceType.NODE_CLAIM, adoption.name());
        if (claim == null
                || !Trees.text(claim, "metadata", "annotations", Adoption.ADOPTED)
                        .equals(adoption.node())) {
            throw new IOException(
                    "NodeClaim %s is there already and is not of Node %s; delete or rename it"
                            .formatted(adoption.name(), adoption.node()));
        }
        if (Trees.text(claim, "status", "providerID").isEmpty()) {
            writes.patch(
                    ResourceType.NODE_CLAIM,
                    adoption.name(),
                    Subresource.STATUS,
                    adoption.status());
        }
        return claim;
    }

    /// Pods that asked to be left alone by the old word ask by the new one, too. Their templates
    /// are their owners' matter: changing those would start them anew.
    private void spare(Value.Mapping pod) throws IOException {
        if (!Trees.text(pod, "metadata", "annotations", OldKeys.DO_NOT_EVICT).equals("true")
                || !Trees.text(pod, "metadata", "annotations", OldKeys.DO_NOT_DISRUPT).isEmpty()) {
            return;
        }
        var namespace = Trees.text(pod, "metadata", "namespace");
        writes.patchPod(
                namespace,
                Trees.name(pod),
                Tree.of("metadata", Tree.of("annotations", Tree.of(OldKeys.DO_NOT_DISRUPT, "true")))
                        .mapping());
        deeds.add(
                new Deed(
                        "spared",
                        "Pod %s/%s".formatted(namespace, Trees.name(pod)),
                        "its template still says karpenter.sh/do-not-evict; write karpenter.sh/do-not-disrupt there"));
    }
}
