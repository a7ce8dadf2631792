package dev.millwright.controllers.nodepool;

import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Conditions;
import dev.millwright.kube.object.PoolObject;

/// Changes of a NodePool as they are written.
public final class PoolPatches {

    private PoolPatches() {}

    /// Conditions are a list: the patch fails when somebody else wrote since the pool was read.
    public static ApiWrite conditions(PoolObject pool, Conditions after) {
        return status(
                pool,
                Tree.of("metadata", pool.meta().locked())
                        .put("status", Tree.of().put("conditions", after.value())));
    }

    public static ApiWrite status(PoolObject pool, Tree body) {
        return patch(pool, ApiWrite.Subresource.STATUS, body);
    }

    public static ApiWrite patch(PoolObject pool, ApiWrite.Subresource subresource, Tree body) {
        return new ApiWrite.Patch(
                ResourceType.NODE_POOL,
                pool.name(),
                ApiWrite.PatchKind.MERGE,
                subresource,
                body.mapping());
    }
}
