package dev.millwright.kube.object;

import dev.millwright.kube.document.Value;

import java.util.List;

/// A NodeClass of any provider: whether it is ready, and its spec and status for who understands
/// them.
public record NodeClassObject(
        Meta meta, Value.Mapping spec, Value.Mapping status, List<Condition> conditions)
        implements KubeObject {

    public static final String READY = "Ready";

    public NodeClassObject {
        conditions = List.copyOf(conditions);
    }

    /// Of a class that says nothing of being ready it is not known.
    public Condition ready() {
        for (var condition : conditions) {
            if (condition.type().equals(READY)) {
                return condition;
            }
        }
        return new Condition(READY, Condition.Status.UNKNOWN, "", "", meta.createdAt(), 0);
    }
}
