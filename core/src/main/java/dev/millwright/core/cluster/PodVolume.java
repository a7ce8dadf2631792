package dev.millwright.core.cluster;

import org.jspecify.annotations.Nullable;

/// A volume of a pod that may bind it to a zone or count against a node's attachments. Other kinds
/// are not listed.
public sealed interface PodVolume {

    /// A volume of a claim that exists on its own.
    record Claim(String claimName) implements PodVolume {}

    /// A volume whose claim is made with the pod and bears the pod's and the volume's name.
    record Ephemeral(String volumeName, @Nullable String storageClassName) implements PodVolume {}

    /// The claim's name in the pod's namespace.
    default ObjectName claim(ObjectName pod) {
        return switch (this) {
            case Claim(var claimName) -> new ObjectName(pod.namespace(), claimName);
            case Ephemeral(var volumeName, _) ->
                    new ObjectName(pod.namespace(), pod.name() + "-" + volumeName);
        };
    }
}
