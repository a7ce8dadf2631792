package dev.millwright.providers.aws.nodeclass;

/// What becomes of the disks that are built into an instance.
public enum InstanceStorePolicy {
    /// All of them become one that holds the pods' files.
    RAID0
}
