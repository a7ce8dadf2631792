package dev.millwright.kube.object;

import dev.millwright.core.cluster.ObjectName;

/// Anything the API server holds.
public interface KubeObject {

    Meta meta();

    default ObjectName name() {
        return meta().name();
    }
}
