package dev.millwright.cli.migrate;

import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.conversion.NodeMark;
import dev.millwright.kube.conversion.OldKeys;
import dev.millwright.kube.document.Value;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Takes a migration back: nodes get their labels again, claims, pools and classes that came of it
/// go, and no machine is ended. Doing it twice is the same as once.
public final class Undoing {

    private final LiveObjects objects;
    private final ClusterWrites writes;
    private final QuietCluster quiet;
    private final List<Deed> deeds = new ArrayList<>();

    public Undoing(KubeApi api, InstantSource clock) {
        this.objects = new LiveObjects(api);
        this.writes = new ClusterWrites(api);
        this.quiet = new QuietCluster(objects, clock);
    }

    public List<Deed> deeds() {
        return List.copyOf(deeds);
    }

    /// @throws IOException when something stands in the way; a second run goes on from there
    public void undo() throws IOException {
        quiet.require();
        var pools = ofMigration(ResourceType.NODE_POOL);
        var names = new TreeSet<String>();
        pools.forEach(pool -> names.add(Trees.name(pool)));
        var claims =
                objects.list(ResourceType.NODE_CLAIM).stream()
                        .filter(claim -> names.contains(pool(claim)))
                        .toList();
        refuseLeaving(claims);
        var provisioners = new TreeSet<String>();
        objects.list(LiveObjects.PROVISIONER).forEach(each -> provisioners.add(Trees.name(each)));
        refuseOrphans(names, provisioners);
        for (var node : objects.list(ResourceType.NODE)) {
            if (NodeMark.isOn(node) || names.contains(pool(node))) {
                restore(node, provisioners);
            }
        }
        // Owners go after nobody names them any more: the cluster would take their nodes along.
        forget(ResourceType.NODE_CLAIM, claims);
        forget(ResourceType.NODE_POOL, pools);
        forget(LiveObjects.EC2_NODE_CLASS, ofMigration(LiveObjects.EC2_NODE_CLASS));
    }

    private List<Value.Mapping> ofMigration(ResourceType type) throws IOException {
        return objects.list(type).stream()
                .filter(
                        object ->
                                !Trees.text(
                                                object,
                                                "metadata",
                                                "annotations",
                                                Adopting.MIGRATED_FROM)
                                        .isEmpty())
                .toList();
    }

    private static String pool(Value.Mapping object) {
        return Trees.text(object, "metadata", "labels", OldKeys.NODE_POOL);
    }

    /// The machine of such a claim is to be ended, which only a controller does.
    private static void refuseLeaving(List<Value.Mapping> claims) throws IOException {
        for (var claim : claims) {
            if (!Trees.text(claim, "metadata", "deletionTimestamp").isEmpty()) {
                throw new IOException(
                        "NodeClaim %s is being removed; start the controller, wait until it is gone, stop it, and run this again"
                                .formatted(Trees.name(claim)));
            }
        }
    }

    private static void refuseOrphans(Set<String> pools, Set<String> provisioners)
            throws IOException {
        for (var pool : pools) {
            if (!provisioners.contains(pool)) {
                throw new IOException(
                        "Provisioner %s is no longer there, so nobody would look after its nodes; create it again first"
                                .formatted(pool));
            }
        }
    }

    private void restore(Value.Mapping node, Set<String> provisioners) throws IOException {
        var isOld = NodeMark.isOn(node);
        var hasProvisioner = provisioners.contains(pool(node));
        writes.change(ResourceType.NODE, node, found -> NodeMark.restored(found, hasProvisioner));
        deeds.add(
                new Deed(
                        "restored",
                        "Node " + Trees.name(node),
                        isOld
                                ? ""
                                : "it came after the migration; Karpenter before 0.28 knows it by its label, a later one does not: drain and delete it there"));
    }

    private void forget(ResourceType type, List<Value.Mapping> all) throws IOException {
        for (var object : all) {
            writes.forget(type, object);
            deeds.add(new Deed("removed", "%s %s".formatted(type.kind(), Trees.name(object)), ""));
        }
    }
}
