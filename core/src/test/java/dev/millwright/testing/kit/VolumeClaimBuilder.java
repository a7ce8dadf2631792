package dev.millwright.testing.kit;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Storage.VolumeClaim;

/// A PersistentVolumeClaim in the making: unbound and without a word about its class.
public record VolumeClaimBuilder(VolumeClaim claim) implements ClusterPart {

    static VolumeClaimBuilder named(String name) {
        return new VolumeClaimBuilder(
                new VolumeClaim(new ObjectName("default", name), null, null, false, false, false));
    }

    /// Bound for good to the volume of this name.
    public VolumeClaimBuilder boundTo(String volume) {
        return volume(volume, true);
    }

    /// Names the volume, yet nobody has completed the binding.
    public VolumeClaimBuilder naming(String volume) {
        return volume(volume, false);
    }

    private VolumeClaimBuilder volume(String volume, boolean isBindCompleted) {
        return new VolumeClaimBuilder(
                new VolumeClaim(
                        claim.name(),
                        volume,
                        claim.storageClassName(),
                        claim.isLost(),
                        claim.isTerminating(),
                        isBindCompleted));
    }

    public VolumeClaimBuilder storageClass(String storageClass) {
        return new VolumeClaimBuilder(
                new VolumeClaim(
                        claim.name(),
                        claim.volumeName(),
                        storageClass,
                        claim.isLost(),
                        claim.isTerminating(),
                        claim.isBindCompleted()));
    }

    public VolumeClaimBuilder lost() {
        return new VolumeClaimBuilder(
                new VolumeClaim(
                        claim.name(),
                        claim.volumeName(),
                        claim.storageClassName(),
                        true,
                        claim.isTerminating(),
                        claim.isBindCompleted()));
    }

    public VolumeClaimBuilder terminating() {
        return new VolumeClaimBuilder(
                new VolumeClaim(
                        claim.name(),
                        claim.volumeName(),
                        claim.storageClassName(),
                        claim.isLost(),
                        true,
                        claim.isBindCompleted()));
    }
}
