package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CloudTraits;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Brings a claim from launch over registration to initialisation, gives up one that takes too
/// long, and cleans up behind one that is deleted.
///
/// One step does as much as can be done now, in that order, and writes the claim once.
public final class LifecycleController implements Controller {

    public static final String NAME = "nodeclaim.lifecycle";

    private static final int AT_ONCE_MIN = 1_000;
    private static final int AT_ONCE_MAX = 5_000;
    private static final int RATE_MIN = 10;
    private static final Duration BACKOFF_MIN = Duration.ofSeconds(1);
    private static final Duration BACKOFF_MAX = Duration.ofMinutes(1);

    private final Launch launch;
    private final Registration registration;
    private final Initialization initialization;
    private final Liveness liveness;
    private final Finalization finalization;
    private final Pace pace;

    public LifecycleController(
            CloudTraits traits, LaunchMemory memory, PoolHealth health, double cores) {
        var registrationHealth = new RegistrationHealth(health);
        launch = new Launch(memory);
        registration = new Registration(registrationHealth);
        initialization = new Initialization();
        liveness = new Liveness(traits.launchTimeout(), registrationHealth);
        finalization = new Finalization(memory);
        var atOnce = Concurrency.scale(AT_ONCE_MIN, AT_ONCE_MAX, cores);
        var rate = Concurrency.rate(RATE_MIN, AT_ONCE_MIN, atOnce);
        pace =
                Pace.of(atOnce)
                        .withBackoff(BACKOFF_MIN, BACKOFF_MAX)
                        .withBucket(rate.perSecond(), rate.burst());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(Kind.NODE_CLAIM, LifecycleController::ofClaim),
                new Watch<>(Kind.NODE, LifecycleController::ofNode));
    }

    /// What others write into a claim's status changes nothing here, and what we write ourselves
    /// must not call us at once when a cloud words the same failure differently each time. A new
    /// provider id does: its node may have come while nobody knew whose it was.
    private static List<ObjectName> ofClaim(View view, Change<ClaimObject> change) {
        var before = change.before();
        var after = change.after();
        if (after == null) {
            return List.of();
        }
        var isNews =
                before == null
                        || !before.meta().uid().equals(after.meta().uid())
                        || before.meta().generation() != after.meta().generation()
                        || before.isDeleting() != after.isDeleting()
                        || !before.providerId().equals(after.providerId())
                        || isRebooted(before, after)
                        || !after.meta().hasFinalizer(LabelKeys.TERMINATION_FINALIZER);
        return isNews ? List.of(change.name()) : List.of();
    }

    /// Whether a node that was rebooted is to come up once more.
    private static boolean isRebooted(ClaimObject before, ClaimObject after) {
        return before.conditions().isTrue(ClaimObject.REBOOTING)
                && !after.conditions().isTrue(ClaimObject.REBOOTING);
    }

    /// A node concerns claims that still wait for something of it.
    private static List<ObjectName> ofNode(View view, Change<NodeObject> change) {
        return Stream.of(change.before(), change.after())
                .mapMulti(
                        (NodeObject node, java.util.function.Consumer<String> ids) -> {
                            if (node != null) {
                                ids.accept(node.providerId());
                            }
                        })
                .distinct()
                .flatMap(providerId -> view.claimsOf(providerId).stream())
                .filter(LifecycleController::isWaiting)
                .map(ClaimObject::name)
                .toList();
    }

    private static boolean isWaiting(ClaimObject claim) {
        return claim.isDeleting() || !claim.conditions().isTrue(ClaimObject.INITIALIZED);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var claim = view.claim(key.name());
        if (claim == null || !view.isManaged(claim.spec().nodeClassRef())) {
            return Step.DONE;
        }
        if (claim.isDeleting()) {
            return finalization.finalized(view, claim, now);
        }
        return claim.meta().hasFinalizer(LabelKeys.TERMINATION_FINALIZER)
                ? live(view, claim, now)
                : Step.of(finalizer(view, claim, now));
    }

    /// Nothing is launched before the finalizer is there: a claim without it could be deleted while
    /// its machine starts, and nobody would end the machine.
    private Effect finalizer(View view, ClaimObject claim, Instant now) {
        var finalizers = new ArrayList<>(claim.meta().finalizers());
        finalizers.add(LabelKeys.TERMINATION_FINALIZER);
        var metadata = claim.meta().locked().putTextList("finalizers", finalizers);
        return new Effect.Write(
                new ApiWrite.Patch(
                        ResourceType.NODE_CLAIM,
                        claim.name(),
                        PatchKind.MERGE,
                        Subresource.NONE,
                        Tree.of("metadata", metadata).mapping()),
                answer ->
                        answer instanceof ApiAnswer.Done(var object)
                                ? live(view, view.cache(Kind.NODE_CLAIM).read(object), now)
                                : Answers.usual(answer));
    }

    private Step live(View view, ClaimObject claim, Instant now) {
        return launch.launched(
                Progress.of(view, now, claim),
                launched ->
                        registration.registered(
                                launched,
                                registered ->
                                        initialization.initialized(
                                                registered,
                                                initialized ->
                                                        liveness.judged(initialized).finished())));
    }
}
