package dev.millwright.kube.object;

import dev.millwright.core.cluster.Pod;

import org.jspecify.annotations.Nullable;

/// A Deployment, ReplicaSet or StatefulSet: how many pods it wants, and what they look like. The
/// pod of a template that cannot be read is null.
public record ScalableObject(Meta meta, @Nullable Integer replicas, @Nullable Pod template)
        implements KubeObject {}
