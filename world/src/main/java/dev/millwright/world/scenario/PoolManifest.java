package dev.millwright.world.scenario;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.spi.ec2.Ec2Labels;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// A NodePool in the making. Without more said: machines of the common families with 2 to 16 CPUs,
/// bought either way, taken away soon after they are empty.
final class PoolManifest {

    private final String name;
    private final List<Value> requirements = new ArrayList<>();
    private final List<Value> taints = new ArrayList<>();
    private final TreeMap<String, String> labels = new TreeMap<>();
    private final Tree limits = Tree.of();
    private final List<Value> budgets = new ArrayList<>();
    private final Tree templateSpec = Tree.of();
    private String consolidateAfter = "30s";
    private String policy = "WhenEmptyOrUnderutilized";
    private int weight;
    private int cpuMin = 2;
    private int cpuMax = 16;
    private boolean isCommon = true;

    private PoolManifest(String name) {
        this.name = name;
    }

    static PoolManifest named(String name) {
        return new PoolManifest(name);
    }

    PoolManifest requiring(String key, String operator, String... values) {
        requirements.add(Manifests.requirement(key, operator, values));
        return this;
    }

    PoolManifest boughtAs(String... capacityTypes) {
        return requiring(LabelKeys.CAPACITY_TYPE, "In", capacityTypes);
    }

    PoolManifest in(String... zones) {
        return requiring(LabelKeys.ZONE, "In", zones);
    }

    PoolManifest cpus(int least, int most) {
        cpuMin = least;
        cpuMax = most;
        return this;
    }

    /// Of any family: the requirements say which.
    PoolManifest ofAnyFamily() {
        isCommon = false;
        return this;
    }

    PoolManifest label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    PoolManifest taint(String key, String value) {
        taints.add(Tree.of("key", key).put("value", value).put("effect", "NoSchedule").mapping());
        return this;
    }

    PoolManifest weight(int wanted) {
        weight = wanted;
        return this;
    }

    PoolManifest limit(String resource, String amount) {
        limits.put(resource, amount);
        return this;
    }

    PoolManifest budget(String nodes) {
        budgets.add(Tree.of("nodes", nodes).mapping());
        return this;
    }

    PoolManifest consolidateAfter(String after) {
        consolidateAfter = after;
        return this;
    }

    PoolManifest policy(String wanted) {
        policy = wanted;
        return this;
    }

    PoolManifest terminationGrace(String grace) {
        templateSpec.put("terminationGracePeriod", grace);
        return this;
    }

    PoolManifest expireAfter(String after) {
        templateSpec.put("expireAfter", after);
        return this;
    }

    Deed.Create create() {
        if (isCommon) {
            requiring(Ec2Labels.CATEGORY, "In", "c", "m", "r");
            requiring(Ec2Labels.GENERATION, "Gt", "5");
            requiring(LabelKeys.ARCH, "In", "amd64");
            requiring(Ec2Labels.CPU, "Gt", Integer.toString(cpuMin - 1));
            requiring(Ec2Labels.CPU, "Lt", Integer.toString(cpuMax + 1));
        }
        templateSpec
                .put(
                        "nodeClassRef",
                        Tree.of("group", KwokNodeClass.KIND.group())
                                .put("kind", KwokNodeClass.KIND.kind())
                                .put("name", Manifests.CLASS_NAME))
                .putList("requirements", requirements);
        if (!taints.isEmpty()) {
            templateSpec.putList("taints", taints);
        }
        var disruption =
                Tree.of("consolidationPolicy", policy).put("consolidateAfter", consolidateAfter);
        if (!budgets.isEmpty()) {
            disruption.putList("budgets", budgets);
        }
        var template =
                Tree.of("metadata", Tree.of("labels", Manifests.texts(labels)))
                        .put("spec", templateSpec);
        var spec = Tree.of("template", template).put("disruption", disruption);
        if (!limits.isEmpty()) {
            spec.put("limits", limits);
        }
        if (weight > 0) {
            spec.put("weight", weight);
        }
        return new Deed.Create(
                ResourceType.NODE_POOL,
                "",
                Manifests.object(ResourceType.NODE_POOL, name).put("spec", spec).mapping());
    }
}
