package dev.millwright.controllers.capacitybuffer;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.policy.CapacityBuffer.Resolution;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.ScalableObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Looks up what a buffer refers to, writes what came of it, and has the next pass provide for it.
public final class BufferController implements Controller {

    private static final int AT_ONCE = 10;
    private static final Duration RECHECK = Duration.ofSeconds(30);

    /// The controller whose pass provides for buffers.
    private static final String PROVISIONER = "provisioner";

    private final Trigger trigger;

    public BufferController(Trigger trigger) {
        this.trigger = trigger;
    }

    @Override
    public String name() {
        return "capacitybuffer";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.CAPACITY_BUFFER,
                        (_, change) -> isOther(change) ? List.of(change.name()) : List.of()),
                new Watch<>(
                        Kind.POD_TEMPLATE,
                        (view, change) -> Buffers.ofTemplate(view, change.name())),
                scalables(Kind.DEPLOYMENT),
                scalables(Kind.REPLICA_SET),
                scalables(Kind.STATEFUL_SET));
    }

    private static Watch<ScalableObject> scalables(Kind<ScalableObject> kind) {
        return new Watch<>(
                kind,
                (view, change) ->
                        isOther(change)
                                ? Buffers.ofScalable(view, kind, change.name())
                                : List.of());
    }

    /// What only reports how things are is no change of what is wanted.
    private static boolean isOther(Change<? extends KubeObject> change) {
        KubeObject before = change.before();
        KubeObject after = change.after();
        return before == null
                || after == null
                || before.meta().generation() != after.meta().generation();
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var buffer = view.cache(Kind.CAPACITY_BUFFER).find(key);
        if (buffer == null) {
            // The nodes that were kept for it may go: a pass finds out.
            return Step.of(triggered(key.toString(), now));
        }
        var resolved = Buffers.of(view, buffer);
        var effects = new ArrayList<Effect>();
        var status = status(view, buffer, resolved, now);
        if (status != null) {
            effects.add(new Effect.Write(BufferStatus.patch(buffer, status)));
        }
        if (status != null && !resolved.isReady()) {
            effects.add(new Effect.Publish(event(buffer, resolved)));
        }
        var isReferring = buffer.podTemplate() != null || buffer.scalable() != null;
        if (resolved.resolution() instanceof Resolution.Failed(var problem) && isReferring) {
            return Step.of(effects).thenFailed("CapacityBuffer %s: %s".formatted(key, problem));
        }
        effects.addAll(triggered(buffer.meta().uid(), now));
        return Step.of(effects).thenAgain(RECHECK);
    }

    private List<Effect> triggered(String uid, Instant now) {
        return List.of(
                new Effect.Remember("trigger by buffer " + uid, () -> trigger.trigger(uid, now)),
                new Effect.Enqueue(PROVISIONER, SINGLETON));
    }

    /// The status to write, or null when it is so already.
    private static @Nullable Tree status(
            View view, BufferObject buffer, CapacityBuffer resolved, Instant now) {
        var before = buffer.status();
        var isReady = resolved.isReady();
        var conditions =
                BufferStatus.with(
                        buffer,
                        BufferObject.READY_FOR_PROVISIONING,
                        isReady ? Status.TRUE : Status.FALSE,
                        resolved.resolution().reason(),
                        message(resolved),
                        now);
        var template = isReady ? buffer.podTemplate() : before.podTemplate();
        var generation = isReady ? generation(view, buffer) : before.podTemplateGeneration();
        var replicas = isReady ? Integer.valueOf(resolved.size()) : before.replicas();
        var after =
                new BufferObject.Status(
                        template, generation, replicas, buffer.provisioningStrategy(), conditions);
        return after.equals(before) ? null : patch(after);
    }

    private static @Nullable Long generation(View view, BufferObject buffer) {
        var template = buffer.podTemplate();
        if (template == null) {
            return null;
        }
        var found =
                view.cache(Kind.POD_TEMPLATE)
                        .find(new ObjectName(buffer.name().namespace(), template));
        return found == null ? null : found.meta().generation();
    }

    /// What is null is taken away.
    private static Tree patch(BufferObject.Status after) {
        var tree = BufferStatus.conditions(after.conditions());
        tree.put(
                "provisioningStrategy",
                Objects.requireNonNullElse(after.provisioningStrategy(), ""));
        var template = after.podTemplate();
        if (template == null) {
            tree.putNothing("podTemplateRef");
        } else {
            tree.put("podTemplateRef", Tree.of("name", template));
        }
        var generation = after.podTemplateGeneration();
        if (generation == null) {
            tree.putNothing("podTemplateGeneration");
        } else {
            tree.put("podTemplateGeneration", generation);
        }
        var replicas = after.replicas();
        if (replicas != null) {
            tree.put("replicas", replicas);
        }
        return tree;
    }

    private static KubeEvent event(BufferObject buffer, CapacityBuffer resolved) {
        var message = message(resolved);
        return KubeEvent.warning(
                        KubeEvent.Subject.of(ResourceType.CAPACITY_BUFFER, buffer),
                        resolved.resolution().reason(),
                        "CapacityBuffer %s: %s".formatted(buffer.name(), message))
                .dedupedBy(List.of(buffer.meta().uid(), message), KubeEvent.DEDUPE_DEFAULT);
    }

    private static String message(CapacityBuffer buffer) {
        return switch (buffer.resolution()) {
            case Resolution.Resolved(_, _) -> "stands for %d pods".formatted(buffer.size());
            case Resolution.PodTemplateNotFound(var name) ->
                    "PodTemplate %s is not in namespace %s; make it, or name another"
                            .formatted(name, buffer.name().namespace());
            case Resolution.ScalableNotFound(var kind, var name) ->
                    "%s %s is not in namespace %s; make it, or name another"
                            .formatted(kind, name, buffer.name().namespace());
            case Resolution.Failed(var problem) -> problem;
        };
    }
}
