package dev.millwright.providers.aws.removal;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Meta;
import dev.millwright.providers.aws.launch.Machines;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassKeys;
import dev.millwright.providers.aws.nodeclass.ResourceTags;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What is in a cluster for nodes of EC2: pools, claims, nodes and classes. Definitions that are
/// gone have no objects.
final class ClusterRemains {

    static final String LEASE = "karpenter-leader-election";

    private static final int PAGE = 500;

    /// An object that must go.
    ///
    /// @param instanceId empty where there is none, or none yet
    /// @param nodeName of a claim or of the node itself
    record Thing(ResourceType type, Meta meta, String instanceId, String nodeName) {

        String name() {
            return meta.name().name();
        }

        String title() {
            return "%s %s".formatted(type.kind(), name());
        }
    }

    record Found(List<Thing> pools, List<Thing> claims, List<Thing> nodes, List<Thing> classes) {

        static final Found NOTHING = new Found(List.of(), List.of(), List.of(), List.of());

        Found {
            pools = List.copyOf(pools);
            claims = List.copyOf(claims);
            nodes = List.copyOf(nodes);
            classes = List.copyOf(classes);
        }
    }

    private final KubeApi api;

    ClusterRemains(KubeApi api) {
        this.api = api;
    }

    /// @throws IOException when the server does not tell
    Found look() throws IOException {
        return new Found(
                things(
                        ResourceType.NODE_POOL,
                        pool -> isOurs(pool.at("spec").at("template").at("spec"))),
                things(ResourceType.NODE_CLAIM, claim -> isOurs(claim.at("spec"))),
                things(ResourceType.NODE, ClusterRemains::isOurNode),
                things(Ec2NodeClass.TYPE, _ -> true));
    }

    /// A cluster may have pools of another provider, which are not ours to delete.
    private static boolean isOurs(Field spec) {
        return spec.at("nodeClassRef").at("group").text("").equals(NodeClassKeys.GROUP);
    }

    private static boolean isOurNode(Field node) {
        var labels = node.at("metadata").at("labels");
        return labels.at(LabelKeys.NODE_POOL).isPresent()
                && labels.at(ResourceTags.NODE_CLASS).isPresent()
                && Machines.instanceId(node.at("spec").at("providerID").text("")) != null;
    }

    private List<Thing> things(ResourceType type, Predicate<Field> isWanted) throws IOException {
        var things = new ArrayList<Thing>();
        for (var object : Pages.all(api, type, ListQuery.all(PAGE))) {
            var field = Field.root("", object, new Faults());
            if (isWanted.test(field)) {
                things.add(thing(type, field));
            }
        }
        return things;
    }

    private static Thing thing(ResourceType type, Field object) {
        var meta = Meta.of(object);
        var isNode = type.equals(ResourceType.NODE);
        var providerId =
                isNode
                        ? object.at("spec").at("providerID").text("")
                        : object.at("status").at("providerID").text("");
        var id = Machines.instanceId(providerId);
        return new Thing(
                type,
                meta,
                id == null ? "" : id,
                isNode ? meta.name().name() : object.at("status").at("nodeName").text(""));
    }

    List<Value.Mapping> podsOn(String node) throws IOException {
        return Pages.all(
                api, ResourceType.POD, new ListQuery("", "", "spec.nodeName=" + node, PAGE, ""));
    }

    List<Value.Mapping> budgets() throws IOException {
        return Pages.all(api, ResourceType.POD_DISRUPTION_BUDGET, ListQuery.all(PAGE));
    }

    /// The versions of the leases that a controller renews all the time, by namespace.
    SequencedMap<String, String> leases() throws IOException {
        var versions = new TreeMap<String, String>();
        var query = new ListQuery("", "", "metadata.name=" + LEASE, PAGE, "");
        for (var object : Pages.all(api, ResourceType.LEASE, query)) {
            var meta = Meta.of(Field.root("", object, new Faults()));
            if (meta.name().name().equals(LEASE)) {
                versions.put(meta.name().namespace(), meta.resourceVersion());
            }
        }
        return versions;
    }

    /// Asks for the deletion of this very object, not of one that has its name by now.
    void delete(Thing thing) throws IOException {
        var answer =
                api.write(
                        new ApiWrite.Delete(
                                thing.type(), thing.meta().name(), thing.meta().uid(), null));
        if (!answer.isDone() && !answer.isNotFound() && !answer.isConflict()) {
            throw new IOException(
                    "%s cannot be deleted: %s".formatted(thing.title(), answer.explain()));
        }
    }

    /// Takes our finalizers off; those of others stay.
    ///
    /// @return whether there were any
    boolean release(Thing thing) throws IOException {
        var others =
                thing.meta().finalizers().stream().filter(each -> !isOurFinalizer(each)).toList();
        if (others.size() == thing.meta().finalizers().size()) {
            return false;
        }
        var patch = Tree.of("metadata", thing.meta().locked().putTextList("finalizers", others));
        var answer = patch(thing, patch);
        if (!answer.isDone() && !answer.isNotFound() && !answer.isConflict()) {
            throw new IOException(
                    "%s keeps its finalizers: %s".formatted(thing.title(), answer.explain()));
        }
        return answer.isDone();
    }

    static boolean isOurFinalizer(String finalizer) {
        return finalizer.equals(LabelKeys.TERMINATION_FINALIZER)
                || finalizer.equals(NodeClassKeys.FINALIZER);
    }

    private ApiAnswer patch(Thing thing, Tree patch) {
        return api.write(
                new ApiWrite.Patch(
                        thing.type(),
                        new ObjectName("", thing.name()),
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        patch.mapping()));
    }
}
