package dev.millwright.cli.market;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.snapshot.PoolCatalogues.Cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Machines that run and that no catalogue describes. A list of prices may tell what they cost;
/// none more of them is ever bought.
final class Strangers {

    private Strangers() {}

    static List<InstanceType> added(
            Cluster cluster, NodePool pool, List<InstanceType> types, PriceList list) {
        var names = new HashSet<String>();
        types.forEach(type -> names.add(type.name()));
        var all = new ArrayList<>(types);
        for (var node : cluster.snapshot().nodes()) {
            var type = node.labels().get(LabelKeys.INSTANCE_TYPE);
            if (type != null
                    && pool.name().equals(node.labels().get(LabelKeys.NODE_POOL))
                    && names.add(type)) {
                all.add(stranger(node, type, list));
            }
        }
        return all;
    }

    private static InstanceType stranger(StateNode node, String name, PriceList list) {
        var zone = node.labels().getOrDefault(LabelKeys.ZONE, "");
        var capacityType =
                node.labels()
                        .getOrDefault(LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_ON_DEMAND);
        var price = list.price(name, zone, capacityType);
        return new InstanceType(
                name,
                Requirements.ofLabels(node.labels()),
                List.of(Offering.of(zone, capacityType, price == null ? 0 : price).unavailable()),
                node.capacity(),
                Overhead.NONE);
    }
}
