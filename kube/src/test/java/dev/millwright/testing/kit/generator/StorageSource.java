package dev.millwright.testing.kit.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Volumes of a world: classes with and without zones, and claims that are bound to a zone or wait
/// for their first pod.
final class StorageSource {

    private static final String DRIVER = "disk.example.com";

    private final Dice dice;
    private final List<Object> objects = new ArrayList<>();

    StorageSource(Dice dice) {
        this.dice = dice;
        objects.add(storageClass("anywhere", List.of()));
        objects.add(storageClass("zonal", dice.some(CatalogueSource.ZONES)));
    }

    List<Object> objects() {
        return objects;
    }

    private static Map<String, Object> storageClass(String name, List<String> zones) {
        return Tree.map(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "StorageClass",
                "metadata",
                Tree.map("name", name),
                "provisioner",
                DRIVER,
                "volumeBindingMode",
                "WaitForFirstConsumer",
                "allowedTopologies",
                zones.isEmpty()
                        ? null
                        : List.of(
                                Tree.map(
                                        "matchLabelExpressions",
                                        List.of(
                                                Tree.map(
                                                        "key",
                                                        PoolSource.ZONE,
                                                        "values",
                                                        zones)))));
    }

    /// A volume entry of the pod; its claim and perhaps its volume become objects of the world.
    Map<String, Object> volume(String namespace, String pod) {
        var claim = "claim-" + pod;
        var isBound = dice.chance(50);
        objects.add(
                Tree.map(
                        "apiVersion", "v1",
                        "kind", "PersistentVolumeClaim",
                        "metadata",
                                Tree.map(
                                        "name", claim,
                                        "namespace", namespace,
                                        "annotations",
                                                isBound
                                                        ? Tree.map(
                                                                "pv.kubernetes.io/bind-completed",
                                                                "yes")
                                                        : null),
                        "spec",
                                Tree.map(
                                        "storageClassName",
                                        dice.pick("anywhere", "zonal"),
                                        "volumeName",
                                        isBound ? "volume-" + pod : null),
                        "status", Tree.map("phase", isBound ? "Bound" : "Pending")));
        if (isBound) {
            objects.add(
                    Tree.map(
                            "apiVersion",
                            "v1",
                            "kind",
                            "PersistentVolume",
                            "metadata",
                            Tree.map("name", "volume-" + pod),
                            "spec",
                            Tree.map(
                                    "csi",
                                    Tree.map("driver", DRIVER, "volumeHandle", pod),
                                    "nodeAffinity",
                                    Tree.map(
                                            "required",
                                            Tree.map(
                                                    "nodeSelectorTerms",
                                                    List.of(
                                                            Tree.map(
                                                                    "matchExpressions",
                                                                    List.of(
                                                                            PoolSource.in(
                                                                                    PoolSource.ZONE,
                                                                                    List.of(
                                                                                            dice
                                                                                                    .pick(
                                                                                                            CatalogueSource
                                                                                                                    .ZONES)))))))))));
        }
        return Tree.map("name", "data", "persistentVolumeClaim", Tree.map("claimName", claim));
    }

    Map<String, Object> csiNode(String node) {
        return Tree.map(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "CSINode",
                "metadata",
                Tree.map("name", node),
                "spec",
                Tree.map(
                        "drivers",
                        List.of(
                                Tree.map(
                                        "name",
                                        DRIVER,
                                        "nodeID",
                                        node,
                                        "topologyKeys",
                                        List.of(PoolSource.ZONE),
                                        "allocatable",
                                        Tree.map("count", dice.between(1, 3))))));
    }
}
