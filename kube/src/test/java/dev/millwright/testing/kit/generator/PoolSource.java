package dev.millwright.testing.kit.generator;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// NodePools of a world, and the requirements, taints and tolerations that pools and pods draw from
/// the same few words.
final class PoolSource {

    static final String ZONE = "topology.kubernetes.io/zone";
    static final String CAPACITY_TYPE = "karpenter.sh/capacity-type";
    static final String ARCH = "kubernetes.io/arch";
    static final String CORES = "example.com/cores";
    static final String SIZE = "example.com/size";
    static final String TYPE = "node.kubernetes.io/instance-type";
    static final String NODE_POOL = "karpenter.sh/nodepool";
    static final String TEAM = "example.org/team";
    static final List<String> TEAMS = List.of("red", "blue");

    private final Dice dice;
    private final Set<Feature> features;
    private final List<String> typeNames;

    PoolSource(Dice dice, Set<Feature> features, List<Object> types) {
        this.dice = dice;
        this.features = features;
        this.typeNames = types.stream().map(type -> Tree.text(type, "name")).toList();
    }

    List<Object> pools() {
        var count = dice.pick(1, 1, 2, 2, 3);
        var pools = new ArrayList<Object>();
        for (var index = 0; index < count; index++) {
            pools.add(pool("pool-" + (char) ('a' + index)));
        }
        return pools;
    }

    private Map<String, Object> pool(String name) {
        var isUnready = dice.chance(2);
        return Tree.map(
                "apiVersion",
                "karpenter.sh/v1",
                "kind",
                "NodePool",
                "metadata",
                Tree.map("name", name, "uid", "uid-" + name),
                "spec",
                Tree.map(
                        "weight", weight(),
                        "limits", limits(),
                        "template",
                                Tree.map(
                                        "metadata", Tree.map("labels", Tree.unlessEmpty(labels())),
                                        "spec", templateSpec())),
                "status",
                isUnready
                        ? Tree.map(
                                "conditions", List.of(Tree.map("type", "Ready", "status", "False")))
                        : null);
    }

    private @Nullable Integer weight() {
        return features.contains(Feature.WEIGHTS) && dice.chance(70)
                ? dice.pick(1, 10, 10, 50)
                : null;
    }

    private @Nullable Object limits() {
        if (!features.contains(Feature.LIMITS) || dice.chance(40)) {
            return null;
        }
        return Tree.map(
                "cpu", dice.chance(70) ? Integer.toString(dice.pick(4, 16, 40, 100)) : null,
                "memory", dice.chance(30) ? dice.pick("32Gi", "100Gi", "400Gi") : null,
                "nodes", dice.chance(20) ? Integer.toString(dice.pick(1, 3)) : null);
    }

    private Map<String, Object> labels() {
        return features.contains(Feature.CUSTOM_LABELS) && dice.chance(40)
                ? Tree.map(TEAM, dice.pick(TEAMS))
                : Tree.map();
    }

    private Map<String, Object> templateSpec() {
        var taints = new ArrayList<Object>();
        if (features.contains(Feature.TAINTS) && dice.chance(25)) {
            taints.add(taint("NoSchedule"));
        }
        if (features.contains(Feature.PREFER_NO_SCHEDULE) && dice.chance(40)) {
            taints.add(Tree.map("key", "quiet", "value", "yes", "effect", "PreferNoSchedule"));
        }
        var startupTaints = new ArrayList<Object>();
        if (features.contains(Feature.TAINTS) && dice.chance(15)) {
            startupTaints.add(Tree.map("key", "starting", "effect", "NoSchedule"));
        }
        return Tree.map(
                "nodeClassRef",
                nodeClassRef(),
                "requirements",
                requirements(),
                "taints",
                Tree.unlessEmpty(taints),
                "startupTaints",
                Tree.unlessEmpty(startupTaints));
    }

    static Map<String, Object> nodeClassRef() {
        return Tree.map("group", "karpenter.test.sh", "kind", "TestNodeClass", "name", "default");
    }

    private List<Object> requirements() {
        var requirements = new ArrayList<Object>();
        if (dice.chance(30)) {
            requirements.add(in(ZONE, dice.some(CatalogueSource.ZONES)));
        }
        if (dice.chance(30)) {
            var all = new ArrayList<>(CatalogueSource.CAPACITY_TYPES);
            if (features.contains(Feature.RESERVATIONS)) {
                all.add("reserved");
            }
            requirements.add(in(CAPACITY_TYPE, dice.some(all)));
        }
        if (dice.chance(20)) {
            requirements.add(in(ARCH, dice.some(List.of("amd64", "arm64"))));
        }
        if (dice.chance(15)) {
            requirements.add(
                    requirement(
                            CORES, dice.pick("Gt", "Lt", "Gte", "Lte"), dice.pick("1", "4", "8")));
        }
        if (dice.chance(10)) {
            requirements.add(requirement(TYPE, "NotIn", dice.pick(typeNames)));
        }
        if (features.contains(Feature.CUSTOM_LABELS) && dice.chance(40)) {
            requirements.add(
                    dice.chance(70)
                            ? in(TEAM, dice.some(TEAMS))
                            : requirement(TEAM, dice.pick("Exists", "NotIn"), "red"));
        }
        if (features.contains(Feature.MIN_VALUES) && dice.chance(50)) {
            requirements.add(
                    Tree.map(
                            "key", dice.pick(TYPE, TYPE, CORES, ZONE),
                            "operator", "Exists",
                            "minValues", dice.between(1, 4)));
        }
        return requirements;
    }

    static Map<String, Object> in(String key, List<String> values) {
        return Tree.map("key", key, "operator", "In", "values", values);
    }

    /// An expression of any operator; those without values leave the value out.
    static Map<String, Object> requirement(String key, String operator, String value) {
        var hasValue = !operator.equals("Exists") && !operator.equals("DoesNotExist");
        return Tree.map(
                "key", key, "operator", operator, "values", hasValue ? List.of(value) : null);
    }

    /// What a pod may ask of a node by label.
    Map<String, Object> podExpression() {
        return switch (dice.between(0, 9)) {
            case 0, 1 -> in(ZONE, dice.some(CatalogueSource.ZONES));
            case 2 -> requirement(ZONE, "NotIn", dice.pick(CatalogueSource.ZONES));
            case 3 -> in(CAPACITY_TYPE, dice.some(CatalogueSource.CAPACITY_TYPES));
            case 4 -> in(ARCH, dice.some(List.of("amd64", "arm64")));
            case 5 ->
                    requirement(
                            CORES, dice.pick("Gt", "Lt", "Gte", "Lte"), dice.pick("1", "2", "4"));
            case 6 ->
                    requirement(SIZE, dice.pick("In", "NotIn", "Exists", "DoesNotExist"), "small");
            case 7 ->
                    features.contains(Feature.CUSTOM_LABELS)
                            ? requirement(
                                    TEAM,
                                    dice.pick("In", "In", "NotIn", "Exists", "DoesNotExist"),
                                    dice.pick(TEAMS))
                            : in(TYPE, dice.some(typeNames));
            case 8 ->
                    requirement(
                            "example.org/unknown",
                            dice.pick("NotIn", "DoesNotExist", "NotIn", "In", "Exists"),
                            "x");
            default ->
                    requirement(NODE_POOL, dice.pick("In", "NotIn"), dice.pick("pool-a", "pool-b"));
        };
    }

    Map<String, Object> taint(String effect) {
        return Tree.map("key", "dedicated", "value", dice.pick("gold", "silver"), "effect", effect);
    }

    /// Tolerations of a workload; most tolerate nothing.
    List<Object> tolerations() {
        var tolerations = new ArrayList<Object>();
        if (features.contains(Feature.TAINTS) && dice.chance(50)) {
            tolerations.add(
                    dice.chance(50)
                            ? Tree.map("key", "dedicated", "operator", "Exists")
                            : Tree.map(
                                    "key",
                                    "dedicated",
                                    "operator",
                                    "Equal",
                                    "value",
                                    dice.pick("gold", "silver"),
                                    "effect",
                                    dice.chance(50) ? "NoSchedule" : null));
        }
        if (dice.chance(4)) {
            tolerations.add(Tree.map("operator", "Exists"));
        }
        return tolerations;
    }
}
