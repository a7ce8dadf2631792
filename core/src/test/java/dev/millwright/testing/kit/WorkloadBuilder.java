package dev.millwright.testing.kit;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Workload;
import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/// A workload in the making, e.g. `service("web").selects(Map.of("app", "web"))`. Until told it has
/// no selector at all.
public record WorkloadBuilder(Workload workload) implements ClusterPart {

    static WorkloadBuilder named(Workload.Kind kind, String name) {
        return new WorkloadBuilder(new Workload(kind, new ObjectName("default", name), null));
    }

    public WorkloadBuilder namespace(String namespace) {
        return new WorkloadBuilder(
                new Workload(
                        workload.kind(),
                        new ObjectName(namespace, workload.name().name()),
                        workload.selector()));
    }

    public WorkloadBuilder selects(Map<String, String> labels) {
        return selector(Selector.ofLabels(labels));
    }

    public WorkloadBuilder selector(@Nullable Selector selector) {
        return new WorkloadBuilder(new Workload(workload.kind(), workload.name(), selector));
    }
}
