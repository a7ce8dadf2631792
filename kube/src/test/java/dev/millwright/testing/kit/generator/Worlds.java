package dev.millwright.testing.kit.generator;

import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Random worlds. The same seed and size give the same world, everywhere and for ever within a
/// version.
public final class Worlds {

    /// Pods of a small world, which a person can still read once it is shrunk.
    public static final int SMALL = 40;

    private Worlds() {}

    /// A problem with at most `size` waiting pods, besides those that leave their nodes.
    public static SchedulingProblem random(long seed, int size) {
        return Snapshots.problem(document(seed, size));
    }

    public static Document document(long seed, int size) {
        var dice = new Dice(seed);
        var features = Feature.drawn(dice);
        return document(dice, features, size);
    }

    /// A world of exactly these features.
    public static Document document(long seed, int size, Set<Feature> features) {
        return document(new Dice(seed), features, size);
    }

    private static Document document(Dice dice, Set<Feature> features, int size) {
        var types = new CatalogueSource(dice, features).types();
        var words = new PoolSource(dice, features, types);
        var pools = words.pools();
        var storage = new StorageSource(dice);
        var pods = new PodSource(dice, features, storage);
        var daemonSets = pods.daemonSets(words);
        var workloads =
                new WorkloadSource(dice, features, words)
                        .workloads(dice.between(1, Math.clamp(size / 3, 1, 8)));
        var items = new ArrayList<Object>();
        items.add(namespace("default"));
        items.add(namespace("other"));
        items.addAll(pools);
        items.addAll(daemonSets);
        items.addAll(
                new NodeSource(dice, features, words, pods, storage)
                        .objects(pools, types, workloads, daemonSets));
        var waiting = dice.between(1, size);
        for (var index = 0; index < waiting; index++) {
            items.add(pods.waiting(dice.pick(workloads)));
        }
        if (features.contains(Feature.DELETING_NODES) && dice.chance(20)) {
            items.add(budget(dice));
        }
        if (features.contains(Feature.VOLUMES)) {
            items.addAll(storage.objects());
        }
        return new Document(
                Tree.map(
                        "apiVersion",
                        "v1",
                        "kind",
                        "List",
                        "items",
                        items,
                        "instanceTypes",
                        types,
                        "options",
                        options(features)));
    }

    private static Map<String, Object> namespace(String name) {
        return Tree.map(
                "apiVersion", "v1",
                "kind", "Namespace",
                "metadata",
                        Tree.map(
                                "name",
                                name,
                                "labels",
                                Tree.map("kubernetes.io/metadata.name", name)));
    }

    private static Map<String, Object> budget(Dice dice) {
        return Tree.map(
                "apiVersion",
                "policy/v1",
                "kind",
                "PodDisruptionBudget",
                "metadata",
                Tree.map("name", "budget", "namespace", "default"),
                "spec",
                Tree.map(
                        "maxUnavailable", dice.pick(0, 1),
                        "selector",
                                Tree.map(
                                        "matchLabels",
                                        Tree.map("tier", dice.pick("front", "back")))));
    }

    private static Map<String, Object> options(Set<Feature> features) {
        return Tree.map(
                "preferencePolicy",
                features.contains(Feature.IGNORED_PREFERENCES) ? "Ignore" : "Respect",
                "minValuesPolicy",
                features.contains(Feature.BEST_EFFORT_MIN_VALUES) ? "BestEffort" : "Strict",
                "reservedCapacity",
                true,
                "reservationIdLabel",
                CatalogueSource.RESERVATION_ID,
                "wellKnownLabels",
                List.copyOf(CatalogueSource.WELL_KNOWN));
    }
}
