package dev.millwright.providers.aws.nodeclass;

import dev.millwright.core.quantity.Quantity;

import org.jspecify.annotations.Nullable;

/// A disk of the instances. What is null is left to EC2.
public record BlockDeviceMapping(@Nullable String deviceName, @Nullable Ebs ebs, boolean isRoot) {

    /// A volume of Elastic Block Store.
    public record Ebs(
            @Nullable Boolean isDeletedOnTermination,
            @Nullable Boolean isEncrypted,
            @Nullable Long iops,
            @Nullable String kmsKeyId,
            @Nullable String snapshotId,
            @Nullable Long throughput,
            @Nullable Integer volumeInitializationRate,
            @Nullable Quantity volumeSize,
            @Nullable String volumeType) {

        static Ebs encrypted(Quantity size, String type) {
            return new Ebs(null, true, null, null, null, null, null, size, type);
        }
    }
}
