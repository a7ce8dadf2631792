package dev.millwright.capi.machine.object;

import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;

import java.time.Instant;
import java.util.List;

/// Says that an object is left alone, by the condition that Cluster API's users look for.
public final class Pausing {

    public static final String CONDITION = "Paused";

    private Pausing() {}

    public static List<Effect> paused(Kind<RawObject> kind, RawObject object, Instant now) {
        var conditions =
                object.conditions()
                        .with(
                                CONDITION,
                                Status.TRUE,
                                "Paused",
                                "the Cluster or the annotation cluster.x-k8s.io/paused says so",
                                object.meta().generation(),
                                now);
        return ObjectPatches.statusIfChanged(
                kind, object, Tree.of().put("conditions", conditions.value()));
    }

    /// The conditions of an object that is looked after again.
    public static ConditionList running(RawObject object) {
        return object.conditions().without(CONDITION);
    }
}
