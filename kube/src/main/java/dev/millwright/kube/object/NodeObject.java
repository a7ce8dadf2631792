package dev.millwright.kube.object;

import dev.millwright.core.cluster.Node;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A Node. `taintValues` are its taints as they were written, so that a patch keeps what we do not
/// read. `phase` is empty where no kubelet sets it, which is nearly everywhere. `bootId` changes
/// with every start of the machine; empty where nobody tells.
public record NodeObject(
        Meta meta,
        Node node,
        List<Value.Mapping> taintValues,
        String phase,
        String bootId,
        List<Condition> conditions)
        implements KubeObject {

    public NodeObject {
        taintValues = List.copyOf(taintValues);
        conditions = List.copyOf(conditions);
    }

    public String providerId() {
        return node.providerId();
    }

    public @Nullable Condition condition(String type) {
        for (var condition : conditions) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }

    public boolean isReady() {
        var ready = condition("Ready");
        return ready != null && ready.isTrue();
    }

    public boolean isRegistered() {
        return "true".equals(meta.label(LabelKeys.REGISTERED));
    }

    public boolean isInitialized() {
        return "true".equals(meta.label(LabelKeys.INITIALIZED));
    }

    public boolean isDeleting() {
        return meta.isDeleting();
    }
}
