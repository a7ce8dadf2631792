package dev.millwright.controllers.nodepool.hash;

import dev.millwright.controllers.nodepool.PoolPatches;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.policy.NodePoolHash;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Writes the hash of a pool's template and the version of its recipe on the pool.
///
/// When the recipe has changed, the numbers of old claims mean nothing: those are written anew
/// first, so that no node is replaced for a new recipe's sake. A claim that has drifted already
/// keeps its number and so stays drifted.
public final class HashController implements Controller {

    /// Claims that are written at the same time.
    private static final int WRITES_AT_ONCE = 20;

    private final double cores;

    public HashController(double cores) {
        this.cores = cores;
    }

    @Override
    public String name() {
        return "nodepool.hash";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(Kind.NODE_POOL));
    }

    @Override
    public Pace pace() {
        return Pace.of(Concurrency.scale(10, 1000, cores));
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pool = view.pool(key.name());
        if (pool == null || !view.isManaged(pool.pool().template().nodeClassRef())) {
            return Step.DONE;
        }
        var hash = pool.hash();
        var effects = new ArrayList<Effect>();
        if (!isCurrent(pool.meta())) {
            effects.add(new Effect.Together(restamps(view, pool, hash), WRITES_AT_ONCE));
        }
        if (!isCurrent(pool.meta()) || !hash.equals(hash(pool.meta()))) {
            var body = Tree.of("metadata", Tree.of("annotations", annotations(hash)));
            effects.add(new Effect.Write(PoolPatches.patch(pool, ApiWrite.Subresource.NONE, body)));
        }
        return Step.of(effects);
    }

    private static List<Step> restamps(View view, PoolObject pool, String hash) {
        var name = pool.meta().name().name();
        return view.claims().stream()
                .filter(claim -> claim.nodePool().equals(name) && !isCurrent(claim.meta()))
                .map(claim -> restamp(claim, hash))
                .toList();
    }

    private static Step restamp(ClaimObject claim, String hash) {
        var isDrifted = claim.conditions().find(ClaimObject.DRIFTED) != null;
        var annotations = isDrifted ? version() : annotations(hash);
        return Step.of(
                new Effect.Write(
                        new ApiWrite.Patch(
                                ResourceType.NODE_CLAIM,
                                claim.name(),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                Tree.of("metadata", Tree.of("annotations", annotations)).mapping()),
                        Answers::deleted));
    }

    private static Tree annotations(String hash) {
        return version().put(AnnotationKeys.NODE_POOL_HASH, hash);
    }

    private static Tree version() {
        return Tree.of(AnnotationKeys.NODE_POOL_HASH_VERSION, NodePoolHash.VERSION);
    }

    private static boolean isCurrent(Meta meta) {
        return NodePoolHash.VERSION.equals(meta.annotation(AnnotationKeys.NODE_POOL_HASH_VERSION));
    }

    private static String hash(Meta meta) {
        return meta.annotations().getOrDefault(AnnotationKeys.NODE_POOL_HASH, "");
    }
}
