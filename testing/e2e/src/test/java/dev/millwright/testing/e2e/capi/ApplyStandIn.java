package dev.millwright.testing.e2e.capi;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Plays Terraform: an apply is ready a while after it was made, and gone a while after it was
/// deleted.
final class ApplyStandIn implements Controller {

    private static final String FINALIZER = "infrastructure.cluster.x-k8s.io/finalizer";

    private final Duration takes;
    private final Map<String, Instant> begun = new ConcurrentHashMap<>();

    ApplyStandIn(Duration takes) {
        this.takes = takes;
    }

    @Override
    public String name() {
        return "apply.standin";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(CaptTypes.APPLY));
    }

    @Override
    public Pace pace() {
        return Pace.of(20);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var apply = view.cache(CaptTypes.APPLY).find(key);
        if (apply == null) {
            return Step.DONE;
        }
        var meta = apply.meta();
        if (!meta.isDeleting() && !meta.hasFinalizer(FINALIZER)) {
            return finalizers(apply, List.of(FINALIZER));
        }
        if (!meta.isDeleting() && apply.conditions().isTrue("Ready")) {
            return Step.DONE;
        }
        var since = begun.computeIfAbsent(meta.uid() + meta.isDeleting(), _ -> now);
        var left = Duration.between(now, since.plus(takes));
        if (left.isPositive()) {
            return Step.again(left);
        }
        return meta.isDeleting() ? finalizers(apply, List.of()) : ready(apply, now);
    }

    private static Step finalizers(RawObject apply, List<String> all) {
        return patch(
                apply,
                Subresource.NONE,
                Tree.of("metadata", Tree.of().putTextList("finalizers", all)));
    }

    private static Step ready(RawObject apply, Instant now) {
        var conditions =
                apply.conditions()
                        .with("Ready", Condition.Status.TRUE, "Available", "", 0, now)
                        .value();
        return patch(
                apply,
                Subresource.STATUS,
                Tree.of(
                        "status",
                        Tree.of()
                                .put("applied", true)
                                .put("workspaceName", apply.name().name())
                                .put("conditions", conditions)));
    }

    private static Step patch(RawObject apply, Subresource subresource, Tree body) {
        return Step.of(
                new Effect.Write(
                        new ApiWrite.Patch(
                                CaptTypes.APPLY.type(),
                                apply.name(),
                                ApiWrite.PatchKind.MERGE,
                                subresource,
                                body.mapping())));
    }
}
