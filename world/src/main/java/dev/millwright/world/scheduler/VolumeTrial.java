package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.PodVolumes;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.store.ApiStore;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Where a pod's volumes let it go.
///
/// Left out of the real one: volumes made beforehand for claims that wait, and claims that only one
/// pod may use.
final class VolumeTrial {

    static final VolumeTrial NONE = new VolumeTrial(null, List.of());

    private static final List<String> ZONE_KEYS =
            List.of(
                    LabelKeys.ZONE,
                    LabelKeys.REGION,
                    "failure-domain.beta.kubernetes.io/zone",
                    "failure-domain.beta.kubernetes.io/region");
    private static final String ZONE_SEPARATOR = "__";

    /// What a claim, as it stands, demands of a node. `volume` names what is attached: the volume,
    /// or the claim until there is one.
    private record Demand(
            String volume,
            @Nullable String driver,
            @Nullable List<NodeTerm> reach,
            Map<String, String> zones,
            @Nullable List<Map<String, List<String>>> topologies,
            boolean isUnbound) {}

    private final @Nullable ApiStore store;
    private final List<ObjectName> claims;
    private final List<Demand> demands = new ArrayList<>();
    private @Nullable String fault;

    private VolumeTrial(@Nullable ApiStore store, List<ObjectName> claims) {
        this.store = store;
        this.claims = claims;
    }

    static VolumeTrial of(ApiStore store, List<ObjectName> claims) {
        if (claims.isEmpty()) {
            return NONE;
        }
        var trial = new VolumeTrial(store, claims);
        for (var claim : claims) {
            var demand = trial.demand(store, claim);
            if (demand != null) {
                trial.demands.add(demand);
            }
        }
        return trial;
    }

    /// What is wrong with the claims themselves, whatever the node; null if nothing.
    @Nullable String fault() {
        return fault;
    }

    /// Claims for which a volume is to be made where the pod goes.
    List<ObjectName> unbound() {
        var found = new ArrayList<ObjectName>();
        for (var i = 0; i < demands.size(); i++) {
            if (demands.get(i).isUnbound()) {
                found.add(claims.get(i));
            }
        }
        return found;
    }

    private @Nullable Demand demand(ApiStore from, ObjectName name) {
        var claim = from.find(ResourceType.PERSISTENT_VOLUME_CLAIM, name);
        if (claim == null || Reading.at(claim, "metadata", "deletionTimestamp") != null) {
            fault = "persistentvolumeclaim \"%s\" not found".formatted(name.name());
            return null;
        }
        return PodVolumes.isBound(claim) ? bound(from, claim) : waiting(from, name, claim);
    }

    private @Nullable Demand bound(ApiStore from, Value.Mapping claim) {
        var name = Reading.text(claim, "spec", "volumeName");
        var volume = from.find(ResourceType.PERSISTENT_VOLUME, new ObjectName("", name));
        if (volume == null) {
            fault = "persistentvolume \"%s\" not found".formatted(name);
            return null;
        }
        var affinity = Reading.at(volume, "spec", "nodeAffinity", "required");
        var labels = Reading.texts(volume, "metadata", "labels");
        var zones = new HashMap<String, String>();
        ZONE_KEYS.stream()
                .filter(labels::containsKey)
                .forEach(key -> zones.put(key, labels.getOrDefault(key, "")));
        return new Demand(
                name,
                PodVolumes.driver(volume),
                affinity instanceof Value.Mapping selector ? NodeTerm.list(selector) : null,
                zones,
                null,
                false);
    }

    private @Nullable Demand waiting(ApiStore from, ObjectName name, Value.Mapping claim) {
        var className = Reading.text(claim, "spec", "storageClassName");
        var storageClass = from.find(ResourceType.STORAGE_CLASS, new ObjectName("", className));
        if (storageClass == null
                || !Reading.text(storageClass, "volumeBindingMode")
                        .equals("WaitForFirstConsumer")) {
            fault = "pod has unbound immediate persistentvolumeclaims";
            return null;
        }
        var topologies = new ArrayList<Map<String, List<String>>>();
        for (var term : Reading.list(storageClass, "allowedTopologies")) {
            var demanded = new HashMap<String, List<String>>();
            for (var expression : Reading.list(term, "matchLabelExpressions")) {
                demanded.put(
                        Reading.text(expression, "key"), Reading.textList(expression, "values"));
            }
            topologies.add(demanded);
        }
        return new Demand(
                name.toString(),
                Storage.csiDriver(Reading.text(storageClass, "provisioner")),
                null,
                Map.of(),
                topologies.isEmpty() ? null : topologies,
                true);
    }

    @Nullable Reason obstacle(NodeSlot slot) {
        if (demands.isEmpty()) {
            return null;
        }
        if (isOverLimit(slot)) {
            return Reason.VOLUME_LIMIT;
        }
        for (var demand : demands) {
            var reach = demand.reach();
            if (reach != null && !NodeTerm.anyMatches(reach, slot.name(), slot.labels())) {
                return Reason.VOLUME_AFFINITY;
            }
            if (!allows(demand.topologies(), slot)) {
                return Reason.VOLUME_CLASS;
            }
            if (!isInZone(demand.zones(), slot)) {
                return Reason.VOLUME_AFFINITY;
            }
        }
        return null;
    }

    private static boolean allows(
            @Nullable List<Map<String, List<String>>> topologies, NodeSlot slot) {
        return topologies == null
                || topologies.stream()
                        .anyMatch(
                                demanded ->
                                        demanded.entrySet().stream()
                                                .allMatch(
                                                        entry ->
                                                                entry.getValue()
                                                                        .contains(
                                                                                slot.labels()
                                                                                        .getOrDefault(
                                                                                                entry
                                                                                                        .getKey(),
                                                                                                ""))));
    }

    private static boolean isInZone(Map<String, String> zones, NodeSlot slot) {
        return zones.entrySet().stream()
                .allMatch(
                        entry -> {
                            var found = slot.labels().get(entry.getKey());
                            return found != null
                                    && List.of(entry.getValue().split(ZONE_SEPARATOR, -1))
                                            .contains(found);
                        });
    }

    /// Volumes are counted once, however many pods of the node use them.
    private boolean isOverLimit(NodeSlot slot) {
        if (slot.volumeLimits().isEmpty() || store == null) {
            return false;
        }
        var attached = new HashMap<String, Set<String>>();
        for (var pod : slot.podsWithClaims()) {
            for (var demand : of(store, pod.kind().wish().claims()).demands) {
                count(attached, demand);
            }
        }
        var before = new HashMap<String, Integer>();
        attached.forEach((driver, volumes) -> before.put(driver, volumes.size()));
        demands.forEach(demand -> count(attached, demand));
        for (var entry : attached.entrySet()) {
            var limit = slot.volumeLimits().get(entry.getKey());
            var count = entry.getValue().size();
            if (limit != null && count > limit && count > before.getOrDefault(entry.getKey(), 0)) {
                return true;
            }
        }
        return false;
    }

    private static void count(Map<String, Set<String>> attached, Demand demand) {
        var driver = demand.driver();
        if (driver != null) {
            attached.computeIfAbsent(driver, _ -> new HashSet<>()).add(demand.volume());
        }
    }
}
