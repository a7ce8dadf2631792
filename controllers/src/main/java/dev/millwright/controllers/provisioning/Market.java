package dev.millwright.controllers.provisioning;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.cache.View;
import dev.millwright.spi.CatalogAnswer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The pools of our provider that buy for pods now, and what each can buy. One whose types cannot
/// be told is not among them.
public record Market(List<NodePool> pools, SequencedMap<String, List<InstanceType>> types) {

    public Market {
        pools = List.copyOf(pools);
        types = Collections.unmodifiableSequencedMap(new TreeMap<>(types));
    }

    public static Market open(View view, Catalogs catalogs) {
        var pools = new ArrayList<NodePool>();
        var types = new TreeMap<String, List<InstanceType>>();
        for (var object : view.pools()) {
            var pool = object.pool();
            if (view.isManaged(pool.template().nodeClassRef())
                    && pool.isOpenForPods()
                    && catalogs.of(pool) instanceof CatalogAnswer.Types(var found)) {
                pools.add(pool);
                types.put(pool.name(), found);
            }
        }
        return new Market(pools, types);
    }

    public SchedulingProblem problem(Snapshot snapshot, SchedulingPolicy policy) {
        return new SchedulingProblem(snapshot, pools, types, policy);
    }
}
