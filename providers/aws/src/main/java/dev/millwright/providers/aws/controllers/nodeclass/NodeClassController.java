package dev.millwright.providers.aws.controllers.nodeclass;

import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.INSTANCE_PROFILE_READY;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassKeys;
import dev.millwright.providers.aws.profile.InstanceProfiles;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Keeps the status of each EC2NodeClass true, and cleans up after one that is deleted.
public final class NodeClassController implements Controller {

    /// Classes looked at at once.
    private static final int AT_ONCE = 10;

    /// AWS is asked anew at each try.
    private static final Duration BACKOFF_MIN = Duration.ofMillis(200);

    private static final Duration BACKOFF_MAX = Duration.ofMinutes(1);

    private static final Duration WAITING_AGAIN = Duration.ofMinutes(10);

    /// Claims an event names before it says how many others there are.
    private static final int CLAIMS_NAMED_MAX = 5;

    private final Kind<NodeClassObject> kind;
    private final Selection selection;
    private final InstanceProfiles profiles;
    private final Validation validation;
    private final Finalization finalization;
    private final Consumer<String> forgetting;

    /// @param forgetting told the name of a class that goes, to drop what is kept by it elsewhere
    public NodeClassController(
            Kind<NodeClassObject> kind,
            Selection selection,
            InstanceProfiles profiles,
            Validation validation,
            Finalization finalization,
            Consumer<String> forgetting) {
        this.kind = kind;
        this.selection = selection;
        this.profiles = profiles;
        this.validation = validation;
        this.finalization = finalization;
        this.forgetting = forgetting;
    }

    @Override
    public String name() {
        return "nodeclass";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                Watch.own(kind),
                new Watch<>(Kind.NODE_CLAIM, (_, change) -> classOfRemoved(change)));
    }

    /// A class that is being deleted waits for its claims.
    private static List<ObjectName> classOfRemoved(Change<ClaimObject> change) {
        var reference = change.latest().spec().nodeClassRef();
        return change.isRemoval() && Ec2NodeClass.KIND.describes(reference)
                ? List.of(new ObjectName("", reference.name()))
                : List.of();
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE).withBackoff(BACKOFF_MIN, BACKOFF_MAX);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var object = view.cache(kind).find(key);
        if (object == null) {
            return Step.DONE;
        }
        var nodeClass = Ec2NodeClass.of(object);
        if (nodeClass.meta().isDeleting()) {
            return nodeClass.meta().hasFinalizer(NodeClassKeys.FINALIZER)
                    ? finalized(view, object, nodeClass)
                    : Step.DONE;
        }
        if (!nodeClass.meta().hasFinalizer(NodeClassKeys.FINALIZER)) {
            // The class that comes back has the finalizer, and is looked at again for the change.
            var finalizers = new ArrayList<>(nodeClass.meta().finalizers());
            finalizers.add(NodeClassKeys.FINALIZER);
            return Step.of(new Effect.Write(finalizers(nodeClass.meta(), finalizers)));
        }
        var first =
                Look.at(nodeClass, ClassConditions.family(selection.isReservedCapacityOn()), now);
        var pools = pools(view, nodeClass.name());
        return Step.of(
                new Effect.Ask<>(
                        "what the selectors of EC2NodeClass %s lead to".formatted(nodeClass.name()),
                        Touch.READS,
                        () -> selection.look(first),
                        selected -> Step.of(settle(selected, pools))));
    }

    private Effect settle(Look selected, List<NodePool> pools) {
        return new Effect.Ask<>(
                "the instance profile of EC2NodeClass %s, and a trial of it"
                        .formatted(selected.nodeClass().name()),
                Touch.CHANGES,
                () -> validation.look(profile(selected), pools),
                Look::step);
    }

    private Look profile(Look look) {
        try {
            var name = profiles.of(look.nodeClass());
            return look.with(look.status().withInstanceProfile(name)).ready(INSTANCE_PROFILE_READY);
        } catch (AwsFault fault) {
            return look.failed("instance profile: " + fault.text());
        }
    }

    private static List<NodePool> pools(View view, String className) {
        return view.pools().stream()
                .map(PoolObject::pool)
                .filter(pool -> isOf(pool.template().nodeClassRef(), className))
                .sorted(NodePool.ORDER)
                .toList();
    }

    private static boolean isOf(NodeClassRef reference, String className) {
        return Ec2NodeClass.KIND.describes(reference) && reference.name().equals(className);
    }

    private Step finalized(View view, NodeClassObject object, Ec2NodeClass nodeClass) {
        var claims =
                view.claims().stream()
                        .filter(claim -> isOf(claim.spec().nodeClassRef(), nodeClass.name()))
                        .map(claim -> claim.name().name())
                        .sorted()
                        .toList();
        if (!claims.isEmpty()) {
            return Step.of(new Effect.Publish(waiting(object, claims))).thenAgain(WAITING_AGAIN);
        }
        return Step.of(
                new Effect.Ask<>(
                        "to take away what was made for EC2NodeClass %s"
                                .formatted(nodeClass.name()),
                        Touch.CHANGES,
                        () -> finalization.failures(nodeClass),
                        failures -> cleaned(nodeClass, failures)));
    }

    private static KubeEvent waiting(NodeClassObject object, List<String> claims) {
        var named = String.join(", ", claims.subList(0, Math.min(claims.size(), CLAIMS_NAMED_MAX)));
        var others = claims.size() - CLAIMS_NAMED_MAX;
        return KubeEvent.normal(
                KubeEvent.Subject.of(Ec2NodeClass.TYPE, object),
                "WaitingOnNodeClaimTermination",
                "EC2NodeClass %s is deleted when its NodeClaims are gone: %s%s"
                        .formatted(
                                object.name().name(),
                                named,
                                others > 0 ? " and %d other(s)".formatted(others) : ""));
    }

    private Step cleaned(Ec2NodeClass nodeClass, List<String> failures) {
        var name = nodeClass.name();
        var forget =
                new Effect.Remember(
                        "that EC2NodeClass %s goes".formatted(name), () -> forgetting.accept(name));
        if (!failures.isEmpty()) {
            return Step.of(forget)
                    .thenFailed("EC2NodeClass %s: %s".formatted(name, String.join("; ", failures)));
        }
        var rest = new ArrayList<>(nodeClass.meta().finalizers());
        rest.remove(NodeClassKeys.FINALIZER);
        return Step.of(
                forget,
                new Effect.Remember(
                        "what EC2NodeClass %s was tried by".formatted(name),
                        () -> validation.forget(name)),
                new Effect.Write(finalizers(nodeClass.meta(), rest)));
    }

    private static ApiWrite finalizers(Meta meta, List<String> finalizers) {
        return new ApiWrite.Patch(
                Ec2NodeClass.TYPE,
                meta.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", meta.locked().putTextList("finalizers", finalizers)).mapping());
    }
}
