package dev.millwright.testing.kit.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Workloads of a world: pods of one workload are alike, as those of a Deployment are, and
/// workloads know of each other.
final class WorkloadSource {

    private static final String HOSTNAME = "kubernetes.io/hostname";

    /// A workload: the spec and labels that its pods have, waiting or bound.
    record Workload(
            String name, String namespace, Map<String, Object> labels, Map<String, Object> spec) {}

    private final Dice dice;
    private final Set<Feature> features;
    private final PoolSource words;

    WorkloadSource(Dice dice, Set<Feature> features, PoolSource words) {
        this.dice = dice;
        this.features = features;
        this.words = words;
    }

    List<Workload> workloads(int count) {
        var workloads = new ArrayList<Workload>();
        for (var index = 0; index < count; index++) {
            workloads.add(workload("app-" + (char) ('a' + index), count));
        }
        return workloads;
    }

    private Workload workload(String name, int count) {
        var namespace =
                features.contains(Feature.NAMESPACES) && dice.chance(35) ? "other" : "default";
        var labels = Tree.map("app", name, "tier", dice.pick("front", "back"));
        var spec =
                Tree.map(
                        "containers",
                        List.of(container()),
                        "initContainers",
                        dice.chance(8) ? List.of(initContainer()) : null,
                        "nodeSelector",
                        features.contains(Feature.SELECTORS) && dice.chance(30)
                                ? nodeSelector()
                                : null,
                        "affinity",
                        Tree.unlessEmpty(affinity(name, count)),
                        "tolerations",
                        Tree.unlessEmpty(words.tolerations()),
                        "topologySpreadConstraints",
                        Tree.unlessEmpty(spread(name)));
        return new Workload(name, namespace, labels, spec);
    }

    private Map<String, Object> container() {
        var requests =
                Tree.map(
                        "cpu",
                        dice.chance(95)
                                ? dice.pick(
                                        "50m", "100m", "250m", "500m", "1", "1500m", "2", "3", "7")
                                : null,
                        "memory",
                        dice.chance(90)
                                ? dice.pick("64Mi", "256Mi", "512Mi", "1Gi", "2Gi", "5Gi", "12Gi")
                                : null,
                        CatalogueSource.GPU,
                        features.contains(Feature.EXTENDED_RESOURCES) && dice.chance(12)
                                ? "1"
                                : null);
        var hasPort = features.contains(Feature.HOST_PORTS) && dice.chance(20);
        var port = dice.pick(8080, 8080, 9090);
        return Tree.map(
                "name",
                "main",
                "resources",
                Tree.map("requests", Tree.unlessEmpty(requests)),
                "ports",
                hasPort
                        ? List.of(
                                Tree.map(
                                        "containerPort",
                                        port,
                                        "hostPort",
                                        port,
                                        "hostIP",
                                        dice.chance(30) ? "10.0.0." + dice.between(1, 2) : null,
                                        "protocol",
                                        dice.chance(80) ? "TCP" : "UDP"))
                        : null);
    }

    private Map<String, Object> initContainer() {
        return Tree.map(
                "name",
                "first",
                "restartPolicy",
                dice.chance(50) ? "Always" : null,
                "resources",
                Tree.map(
                        "requests",
                        Tree.map("cpu", dice.pick("100m", "1", "2"), "memory", "128Mi")));
    }

    private Map<String, Object> nodeSelector() {
        return switch (dice.between(0, 4)) {
            case 0 -> Tree.map(PoolSource.ZONE, dice.pick(CatalogueSource.ZONES));
            case 1 -> Tree.map(PoolSource.CAPACITY_TYPE, dice.pick(CatalogueSource.CAPACITY_TYPES));
            case 2 -> Tree.map(PoolSource.ARCH, dice.pick("amd64", "amd64", "arm64"));
            case 3 ->
                    features.contains(Feature.CUSTOM_LABELS)
                            ? Tree.map(PoolSource.TEAM, dice.pick(PoolSource.TEAMS))
                            : Tree.map(PoolSource.SIZE, dice.pick("small", "large"));
            default -> Tree.map(PoolSource.NODE_POOL, dice.pick("pool-a", "pool-b"));
        };
    }

    private Map<String, Object> affinity(String app, int count) {
        return Tree.map(
                "nodeAffinity", Tree.unlessEmpty(nodeAffinity()),
                "podAffinity", Tree.unlessEmpty(podAffinity(Feature.AFFINITY, app, count, 20)),
                "podAntiAffinity",
                        Tree.unlessEmpty(podAffinity(Feature.ANTI_AFFINITY, app, count, 25)));
    }

    private Map<String, Object> nodeAffinity() {
        var terms = new ArrayList<Object>();
        if (features.contains(Feature.NODE_AFFINITY) && dice.chance(40)) {
            var count = dice.pick(1, 1, 1, 2, 3);
            for (var index = 0; index < count; index++) {
                terms.add(nodeTerm());
            }
        }
        var preferred = new ArrayList<Object>();
        if (features.contains(Feature.PREFERRED_NODE_AFFINITY) && dice.chance(50)) {
            var count = dice.pick(1, 1, 2);
            for (var index = 0; index < count; index++) {
                preferred.add(Tree.map("weight", dice.pick(1, 10, 100), "preference", nodeTerm()));
            }
        }
        return Tree.map(
                "requiredDuringSchedulingIgnoredDuringExecution",
                terms.isEmpty() ? null : Tree.map("nodeSelectorTerms", terms),
                "preferredDuringSchedulingIgnoredDuringExecution",
                Tree.unlessEmpty(preferred));
    }

    private Map<String, Object> nodeTerm() {
        var expressions = new ArrayList<Object>();
        expressions.add(words.podExpression());
        if (dice.chance(25)) {
            expressions.add(words.podExpression());
        }
        return Tree.map("matchExpressions", expressions);
    }

    private Map<String, Object> podAffinity(Feature feature, String app, int count, int percent) {
        var required = new ArrayList<Object>();
        if (features.contains(feature) && dice.chance(percent)) {
            required.add(podTerm(app, count));
        }
        var preferred = new ArrayList<Object>();
        if (features.contains(Feature.PREFERRED_POD_AFFINITY) && dice.chance(percent)) {
            preferred.add(
                    Tree.map(
                            "weight",
                            dice.pick(1, 50, 100),
                            "podAffinityTerm",
                            podTerm(app, count)));
        }
        return Tree.map(
                "requiredDuringSchedulingIgnoredDuringExecution",
                Tree.unlessEmpty(required),
                "preferredDuringSchedulingIgnoredDuringExecution",
                Tree.unlessEmpty(preferred));
    }

    private Map<String, Object> podTerm(String app, int count) {
        var target = dice.chance(60) ? app : "app-" + (char) ('a' + dice.between(0, count - 1));
        var isWide = features.contains(Feature.NAMESPACES) && dice.chance(40);
        return Tree.map(
                "topologyKey",
                dice.pick(
                        HOSTNAME,
                        HOSTNAME,
                        PoolSource.ZONE,
                        PoolSource.ZONE,
                        PoolSource.CAPACITY_TYPE),
                "labelSelector",
                selector(target),
                "namespaces",
                isWide && dice.chance(50) ? List.of("default", "other") : null,
                "namespaceSelector",
                isWide && dice.chance(50) ? Tree.map() : null);
    }

    private Map<String, Object> selector(String app) {
        return switch (dice.between(0, 5)) {
            case 0 ->
                    Tree.map(
                            "matchExpressions",
                            List.of(
                                    Tree.map(
                                            "key",
                                            "app",
                                            "operator",
                                            "In",
                                            "values",
                                            List.of(app))));
            case 1 ->
                    Tree.map(
                            "matchLabels",
                            Tree.map("app", app),
                            "matchExpressions",
                            List.of(Tree.map("key", "tier", "operator", "Exists")));
            case 2 -> Tree.map("matchLabels", Tree.map("tier", dice.pick("front", "back")));
            default -> Tree.map("matchLabels", Tree.map("app", app));
        };
    }

    private List<Object> spread(String app) {
        var constraints = new ArrayList<Object>();
        addSpread(constraints, Feature.ZONE_SPREAD, PoolSource.ZONE, app);
        addSpread(constraints, Feature.HOSTNAME_SPREAD, HOSTNAME, app);
        addSpread(constraints, Feature.CAPACITY_SPREAD, PoolSource.CAPACITY_TYPE, app);
        return constraints;
    }

    private void addSpread(List<Object> constraints, Feature feature, String key, String app) {
        if (!features.contains(feature) || !dice.chance(40)) {
            return;
        }
        var isSoft = features.contains(Feature.SOFT_SPREAD) && dice.chance(50);
        var isDetailed = features.contains(Feature.SPREAD_DETAILS);
        // The peer dies of matchLabelKeys beside an absent selector.
        var selector = dice.chance(95) ? selector(app) : null;
        constraints.add(
                Tree.map(
                        "topologyKey", key,
                        "maxSkew", dice.pick(1, 1, 2, 3),
                        "whenUnsatisfiable", isSoft ? "ScheduleAnyway" : "DoNotSchedule",
                        "labelSelector", selector,
                        "minDomains",
                                isDetailed && !isSoft && dice.chance(30)
                                        ? dice.between(1, 4)
                                        : null,
                        "nodeTaintsPolicy",
                                isDetailed && dice.chance(40) ? dice.pick("Honor", "Ignore") : null,
                        "nodeAffinityPolicy",
                                isDetailed && dice.chance(40) ? dice.pick("Honor", "Ignore") : null,
                        "matchLabelKeys",
                                isDetailed && selector != null && dice.chance(30)
                                        ? List.of("version")
                                        : null));
    }
}
