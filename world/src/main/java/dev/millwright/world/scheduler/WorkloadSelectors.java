package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.Reading;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Which pods belong together though they do not say so: those of one owner, and those behind one
/// service.
final class WorkloadSelectors {

    private final Map<String, Selector> byOwner = new HashMap<>();
    private final TreeMap<ObjectName, Selector> services = new TreeMap<>();

    WorkloadSelectors(Ledger ledger) {
        ledger.watch(ResourceType.REPLICA_SET, (_, before, after) -> learn(before, after));
        ledger.watch(ResourceType.STATEFUL_SET, (_, before, after) -> learn(before, after));
        ledger.watch(ResourceType.SERVICE, (name, _, after) -> learnService(name, after));
    }

    private void learn(Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (before != null) {
            if (after != null && Reading.isUntouched(before, after, "spec", "selector")) {
                return;
            }
            byOwner.remove(Reading.text(before, "metadata", "uid"));
        }
        var selector = Reading.selector(after, "spec", "selector");
        if (selector != null) {
            byOwner.put(Reading.text(after, "metadata", "uid"), selector);
        }
    }

    private void learnService(ObjectName name, Value.@Nullable Mapping service) {
        var labels = Reading.texts(service, "spec", "selector");
        if (labels.isEmpty()) {
            services.remove(name);
        } else {
            services.put(name, Selector.ofLabels(labels));
        }
    }

    /// Null where the pod belongs to nothing.
    @Nullable Selector of(PodWish pod) {
        var found = byOwner.get(pod.controllerUid());
        for (var entry : services.entrySet()) {
            if (entry.getKey().namespace().equals(pod.namespace())
                    && entry.getValue().matches(pod.labels())) {
                found = PodWishReader.both(found, entry.getValue());
            }
        }
        return found == null || found.isEmpty() ? null : found;
    }
}
