package dev.millwright.providers.aws.controllers.nodeclass.hash;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassHash;
import dev.millwright.providers.aws.nodeclass.NodeClassKeys;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Writes the hash of a class and the version of its recipe on the class.
///
/// When the recipe has changed, the numbers of old claims mean nothing: those are written anew
/// first, so that no node is replaced for a new recipe's sake. A claim that has drifted already
/// keeps its number and so stays drifted.
public final class ClassHashController implements Controller {

    /// Classes looked at at once.
    private static final int AT_ONCE = 10;

    /// Claims that are written at the same time.
    private static final int WRITES_AT_ONCE = 20;

    private final Kind<NodeClassObject> kind;
    private final String caBundle;

    /// @param caBundle what nodes trust the API server by, in base64
    public ClassHashController(Kind<NodeClassObject> kind, String caBundle) {
        this.kind = kind;
        this.caBundle = caBundle;
    }

    @Override
    public String name() {
        return "nodeclass.hash";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(kind));
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var object = view.cache(kind).find(key);
        if (object == null) {
            return Step.DONE;
        }
        var meta = object.meta();
        var hash = NodeClassHash.of(Ec2NodeClass.of(object), caBundle);
        var effects = new ArrayList<Effect>();
        if (!isCurrent(meta)) {
            effects.add(new Effect.Together(restamps(view, key.name(), hash), WRITES_AT_ONCE));
        }
        if (!isCurrent(meta) || !hash.equals(meta.annotation(NodeClassKeys.HASH))) {
            effects.add(new Effect.Write(patch(Ec2NodeClass.TYPE, meta, annotations(hash))));
        }
        return Step.of(effects);
    }

    private static List<Step> restamps(View view, String nodeClass, String hash) {
        return view.claims().stream()
                .filter(claim -> isOf(claim, nodeClass) && !isCurrent(claim.meta()))
                .map(claim -> restamp(claim, hash))
                .toList();
    }

    private static boolean isOf(ClaimObject claim, String nodeClass) {
        var reference = claim.spec().nodeClassRef();
        return Ec2NodeClass.KIND.describes(reference) && reference.name().equals(nodeClass);
    }

    private static Step restamp(ClaimObject claim, String hash) {
        var isDrifted = claim.conditions().find(ClaimObject.DRIFTED) != null;
        var annotations = isDrifted ? version() : annotations(hash);
        return Step.of(
                new Effect.Write(
                        patch(ResourceType.NODE_CLAIM, claim.meta(), annotations),
                        Answers::deleted));
    }

    private static ApiWrite patch(ResourceType type, Meta meta, Tree annotations) {
        return new ApiWrite.Patch(
                type,
                meta.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", Tree.of("annotations", annotations)).mapping());
    }

    private static Tree annotations(String hash) {
        return version().put(NodeClassKeys.HASH, hash);
    }

    private static Tree version() {
        return Tree.of(NodeClassKeys.HASH_VERSION, NodeClassHash.VERSION);
    }

    private static boolean isCurrent(Meta meta) {
        return NodeClassHash.VERSION.equals(meta.annotation(NodeClassKeys.HASH_VERSION));
    }
}
