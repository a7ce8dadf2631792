package dev.millwright.capi.machine.set;

import dev.millwright.capi.machine.object.MachineFacts;
import dev.millwright.capi.machine.object.Pausing;
import dev.millwright.capi.machine.object.Refusal;
import dev.millwright.capi.machine.object.SelectorText;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;

import java.time.Instant;
import java.util.List;

/// What a set says of itself.
final class SetStatus {

    private static final String READY = "Ready";

    private SetStatus() {}

    static List<Effect> of(RawObject set, SetSpec spec, List<MachineFacts> live, Instant now) {
        var ready = live.stream().filter(MachineFacts::isReady).count();
        var available =
                live.stream().filter(each -> each.isAvailable(spec.minReady(), now)).count();
        var labels = spec.template().labels().entrySet();
        var labelled =
                live.stream()
                        .filter(
                                each ->
                                        each.object()
                                                .meta()
                                                .labels()
                                                .entrySet()
                                                .containsAll(labels))
                        .count();
        var isComplete = live.size() == spec.replicas() && ready == spec.replicas();
        var conditions =
                Pausing.running(set)
                        .with(
                                READY,
                                isComplete ? Status.TRUE : Status.FALSE,
                                isComplete ? "MachinesReady" : "MachinesNotReady",
                                "%d of %d machines are ready".formatted(ready, spec.replicas()),
                                set.meta().generation(),
                                now);
        return ObjectPatches.statusIfChanged(
                CaptTypes.MACHINE_SET,
                set,
                Tree.of()
                        .put("replicas", live.size())
                        .put("fullyLabeledReplicas", labelled)
                        .put("readyReplicas", ready)
                        .put("availableReplicas", available)
                        .put("observedGeneration", set.meta().generation())
                        .put("selector", SelectorText.of(spec.template().selector()))
                        .put("conditions", conditions.value())
                        .putNothing("failureReason")
                        .putNothing("failureMessage"));
    }

    /// Not observed: nothing was done about it.
    static List<Effect> refused(RawObject set, String fault, Instant now) {
        return broken(set, Refusal.REASON, fault, now);
    }

    static List<Effect> failed(RawObject set, String message, Instant now) {
        return broken(set, "FailedCreate", message, now);
    }

    private static List<Effect> broken(RawObject set, String reason, String message, Instant now) {
        var conditions =
                Pausing.running(set)
                        .with(READY, Status.FALSE, reason, message, set.meta().generation(), now);
        return ObjectPatches.statusIfChanged(
                CaptTypes.MACHINE_SET,
                set,
                Tree.of()
                        .put("conditions", conditions.value())
                        .put("failureReason", reason)
                        .put("failureMessage", message));
    }
}
