package dev.millwright.world.http;

import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/// What single cells say that are more than a field.
final class Cells {

    private Cells() {}

    private static Value.@Nullable Mapping condition(Value.Mapping object, String type) {
        for (var each : Trees.list(object, "status", "conditions")) {
            if (each instanceof Value.Mapping condition && type.equals(condition.text("type"))) {
                return condition;
            }
        }
        return null;
    }

    static String podReady(Value.Mapping pod) {
        var all = Trees.list(pod, "spec", "containers").size();
        var statuses = Trees.list(pod, "status", "containerStatuses");
        if (statuses.isEmpty()) {
            var ready = condition(pod, "Ready");
            var isReady = ready != null && "True".equals(ready.text("status"));
            return (isReady ? all : 0) + "/" + all;
        }
        var ready =
                statuses.stream()
                        .filter(
                                each ->
                                        each instanceof Value.Mapping status
                                                && Trees.isTrue(status, "ready"))
                        .count();
        return ready + "/" + all;
    }

    static String podStatus(Value.Mapping pod) {
        if (!Trees.meta(pod, "deletionTimestamp").isEmpty()) {
            return "Terminating";
        }
        var reason = Trees.text(pod, "status", "reason");
        var phase = Trees.text(pod, "status", "phase");
        if (!reason.isEmpty()) {
            return reason;
        }
        return phase.equals("Succeeded") ? "Completed" : phase;
    }

    static String podRestarts(Value.Mapping pod) {
        var restarts = 0L;
        for (var each : Trees.list(pod, "status", "containerStatuses")) {
            if (each instanceof Value.Mapping status) {
                var count = Trees.number(status, "restartCount");
                restarts += count == null ? 0 : count;
            }
        }
        return Long.toString(restarts);
    }

    static String nodeStatus(Value.Mapping node) {
        var ready = condition(node, "Ready");
        var standing =
                ready == null
                        ? "Unknown"
                        : "True".equals(ready.text("status")) ? "Ready" : "NotReady";
        return Trees.isTrue(node, "spec", "unschedulable")
                ? standing + ",SchedulingDisabled"
                : standing;
    }

    static String readyOfWanted(Value.Mapping workload) {
        return count(workload, "status", "readyReplicas")
                + "/"
                + count(workload, "spec", "replicas");
    }

    static String completions(Value.Mapping job) {
        return count(job, "status", "succeeded") + "/" + count(job, "spec", "completions");
    }

    private static long count(Value.Mapping object, String... path) {
        var count = Trees.number(object, path);
        return count == null ? 0 : count;
    }

    static String subject(Value.Mapping event) {
        return "%s/%s"
                .formatted(
                        Trees.text(event, "involvedObject", "kind").toLowerCase(Locale.ROOT),
                        Trees.text(event, "involvedObject", "name"));
    }
}
