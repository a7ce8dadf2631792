package dev.millwright.testing.kit;

import dev.millwright.core.cluster.Storage.Volume;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A PersistentVolume in the making: of the CSI driver `fake.csi.provider`, reachable from
/// everywhere.
public record VolumeBuilder(Volume volume) implements ClusterPart {

    static VolumeBuilder named(String name) {
        return new VolumeBuilder(new Volume(name, Given.CSI_DRIVER, false, false, List.of()));
    }

    /// Reachable from any of these zones.
    public VolumeBuilder zones(String... zones) {
        return term(Requirement.in(LabelKeys.ZONE, zones));
    }

    /// One term of node affinity; every further call adds an alternative.
    public VolumeBuilder term(Requirement... expressions) {
        return new VolumeBuilder(
                new Volume(
                        volume.name(),
                        volume.driver(),
                        volume.isLocal(),
                        volume.isTerminating(),
                        PodBuilder.plus(volume.nodeAffinity(), List.of(expressions))));
    }

    /// A CSI driver's name, or null for a volume of another kind such as NFS.
    public VolumeBuilder driver(@Nullable String driver) {
        return new VolumeBuilder(
                new Volume(
                        volume.name(),
                        driver,
                        volume.isLocal(),
                        volume.isTerminating(),
                        volume.nodeAffinity()));
    }

    /// A disk or path of one host.
    public VolumeBuilder local() {
        return new VolumeBuilder(
                new Volume(
                        volume.name(), null, true, volume.isTerminating(), volume.nodeAffinity()));
    }

    public VolumeBuilder terminating() {
        return new VolumeBuilder(
                new Volume(
                        volume.name(),
                        volume.driver(),
                        volume.isLocal(),
                        true,
                        volume.nodeAffinity()));
    }
}
