package dev.millwright.world.cluster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Storage;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.world.store.ApiStore;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Which claims and volumes a pod uses, as the store has them now.
public record PodVolumes(ApiStore store) {

    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /// A volume that a CSI driver attaches to a node.
    public record Attachable(String volume, String driver) {

        /// One name for one volume on one node.
        public String attachmentName(String node) {
            var bytes = (volume + "/" + driver + "/" + node).getBytes(StandardCharsets.UTF_8);
            return "csi-" + UUID.nameUUIDFromBytes(bytes);
        }
    }

    /// The claims of a pod's volumes; those made with the pod are named after it.
    public static List<ObjectName> claims(ObjectName pod, Value.Mapping spec) {
        var volumes = Reading.list(spec, "volumes");
        if (volumes.isEmpty()) {
            return List.of();
        }
        var claims = new ArrayList<ObjectName>();
        for (var volume : volumes) {
            var claim = Reading.text(volume, "persistentVolumeClaim", "claimName");
            if (!claim.isEmpty()) {
                claims.add(new ObjectName(pod.namespace(), claim));
            } else if (Reading.at(volume, "ephemeral") != null) {
                claims.add(
                        new ObjectName(
                                pod.namespace(), pod.name() + "-" + Reading.text(volume, "name")));
            }
        }
        return claims;
    }

    public static boolean isBound(Value.Mapping claim) {
        return !Reading.text(claim, "spec", "volumeName").isEmpty()
                && Reading.at(claim, "metadata", "annotations", BIND_COMPLETED) != null;
    }

    /// The CSI driver of a volume; null for a volume nobody attaches.
    public static @Nullable String driver(Value.Mapping volume) {
        var driver = Reading.text(volume, "spec", "csi", "driver");
        if (!driver.isEmpty()) {
            return driver;
        }
        return Reading.at(volume, "spec", "awsElasticBlockStore") == null
                ? null
                : Storage.csiDriver("kubernetes.io/aws-ebs");
    }

    /// Of the claims that are bound.
    public List<Attachable> attachable(ObjectName pod, Value.Mapping spec) {
        var claims = claims(pod, spec);
        if (claims.isEmpty()) {
            return List.of();
        }
        var found = new ArrayList<Attachable>();
        for (var name : claims) {
            var claim = store.find(ResourceType.PERSISTENT_VOLUME_CLAIM, name);
            var volumeName = Reading.text(claim, "spec", "volumeName");
            var volume =
                    volumeName.isEmpty()
                            ? null
                            : store.find(
                                    ResourceType.PERSISTENT_VOLUME, new ObjectName("", volumeName));
            var driver = volume == null ? null : driver(volume);
            if (driver != null) {
                found.add(new Attachable(volumeName, driver));
            }
        }
        return found;
    }

    /// Whether every claim is bound and what must be attached to the node is.
    public boolean areAttached(ObjectName pod, Value.Mapping spec, String node) {
        for (var name : claims(pod, spec)) {
            var claim = store.find(ResourceType.PERSISTENT_VOLUME_CLAIM, name);
            if (claim == null || !isBound(claim)) {
                return false;
            }
        }
        return attachable(pod, spec).stream()
                .map(volume -> new ObjectName("", volume.attachmentName(node)))
                .map(name -> store.find(ResourceType.VOLUME_ATTACHMENT, name))
                .allMatch(found -> Reading.isTrue(found, "status", "attached"));
    }
}
