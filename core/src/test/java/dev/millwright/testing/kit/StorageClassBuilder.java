package dev.millwright.testing.kit;

import dev.millwright.core.cluster.Storage;
import dev.millwright.core.cluster.Storage.StorageClass;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;

import java.time.Instant;
import java.util.List;

/// A StorageClass in the making: of the CSI driver `fake.csi.provider`, waiting for the first
/// consumer, in every zone.
public record StorageClassBuilder(StorageClass storageClass) implements ClusterPart {

    static StorageClassBuilder named(String name) {
        return new StorageClassBuilder(
                new StorageClass(name, Given.CSI_DRIVER, false, false, Given.NOON, List.of()));
    }

    public StorageClassBuilder zones(String... zones) {
        return term(Requirement.in(LabelKeys.ZONE, zones));
    }

    /// One allowed topology; every further call adds an alternative.
    public StorageClassBuilder term(Requirement... expressions) {
        return new StorageClassBuilder(
                new StorageClass(
                        storageClass.name(),
                        storageClass.driver(),
                        storageClass.isImmediate(),
                        storageClass.isDefault(),
                        storageClass.createdAt(),
                        PodBuilder.plus(storageClass.allowedTopologies(), List.of(expressions))));
    }

    /// The provisioner's name, in-tree ones translated.
    public StorageClassBuilder provisioner(String provisioner) {
        return new StorageClassBuilder(
                new StorageClass(
                        storageClass.name(),
                        Storage.csiDriver(provisioner),
                        storageClass.isImmediate(),
                        storageClass.isDefault(),
                        storageClass.createdAt(),
                        storageClass.allowedTopologies()));
    }

    public StorageClassBuilder immediate() {
        return new StorageClassBuilder(
                new StorageClass(
                        storageClass.name(),
                        storageClass.driver(),
                        true,
                        storageClass.isDefault(),
                        storageClass.createdAt(),
                        storageClass.allowedTopologies()));
    }

    public StorageClassBuilder isDefaultSince(Instant instant) {
        return new StorageClassBuilder(
                new StorageClass(
                        storageClass.name(),
                        storageClass.driver(),
                        storageClass.isImmediate(),
                        true,
                        instant,
                        storageClass.allowedTopologies()));
    }
}
