package dev.millwright.controllers.status;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Objects as they were when last looked at. A restart forgets them: what changed meanwhile was
/// seen by nobody.
final class Sightings {

    /// Objects remembered at once; beyond that the ones seen first are forgotten first.
    private static final int OBJECTS_MAX = 100_000;

    /// `extras` are the values of the labels that the kind's metrics show.
    record Sighting(
            KubeEvent.Subject subject,
            List<Condition> conditions,
            List<String> finalizers,
            List<String> extras,
            @Nullable Instant deletedAt) {

        @Nullable Condition find(String type) {
            for (var condition : conditions) {
                if (condition.type().equals(type)) {
                    return condition;
                }
            }
            return null;
        }
    }

    private final Map<ObjectName, Sighting> byName =
            Collections.synchronizedMap(
                    new LinkedHashMap<>() {
                        @Override
                        protected boolean removeEldestEntry(
                                Map.Entry<ObjectName, Sighting> eldest) {
                            return size() > OBJECTS_MAX;
                        }
                    });

    @Nullable Sighting find(ObjectName name) {
        return byName.get(name);
    }

    void put(ObjectName name, Sighting sighting) {
        byName.put(name, sighting);
    }

    void forget(ObjectName name) {
        byName.remove(name);
    }
}
