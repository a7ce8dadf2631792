package dev.millwright.kube.snapshot;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.Change;
import dev.millwright.core.explain.PodChange;
import dev.millwright.core.explain.PoolChange;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Every change there is for a pod, whatever the reasons say: each demand given up, each taint
/// tolerated, each bound of each pool lifted. Generous on purpose: where one of these is enough, an
/// answer of two is too much.
final class AllChanges {

    private static final Quantity PLENTY = Quantity.ofUnits(1_000_000_000_000L);

    private AllChanges() {}

    static List<Change> of(SchedulingProblem problem, Pod pod) {
        var all = new LinkedHashSet<Change>();
        ofPod(problem, pod, all);
        problem.nodePools()
                .forEach(
                        pool -> {
                            pool.template()
                                    .taints()
                                    .forEach(
                                            taint ->
                                                    all.add(
                                                            new PoolChange.DropTaint(
                                                                    pool.name(), taint)));
                            for (var requirement : pool.template().requirements()) {
                                all.add(
                                        new PoolChange.DropRequirement(
                                                pool.name(), requirement.key()));
                                all.add(
                                        new PoolChange.LowerMinValues(
                                                pool.name(), requirement.key(), 0));
                            }
                            pod.placement()
                                    .nodeSelector()
                                    .forEach(
                                            (key, value) ->
                                                    all.add(
                                                            new PoolChange.AddLabel(
                                                                    pool.name(), key, value)));
                            if (!pool.limits().isEmpty()) {
                                var most = new TreeMap<String, Quantity>();
                                pool.limits().names().forEach(name -> most.put(name, PLENTY));
                                all.add(
                                        new PoolChange.RaiseLimits(
                                                pool.name(), new Resources(most)));
                            }
                        });
        return List.copyOf(all);
    }

    private static void ofPod(SchedulingProblem problem, Pod pod, Set<Change> all) {
        var placement = pod.placement();
        placement.nodeSelector().keySet().forEach(key -> all.add(new PodChange.DropDemand(key)));
        placement
                .nodeAffinity()
                .required()
                .forEach(
                        term ->
                                term.expressions()
                                        .forEach(
                                                expression ->
                                                        all.add(
                                                                new PodChange.DropDemand(
                                                                        expression.key()))));
        problem.nodePools()
                .forEach(
                        pool ->
                                pool.template()
                                        .taints()
                                        .forEach(taint -> all.add(new PodChange.Tolerate(taint))));
        placement.spread().forEach(each -> all.add(new PodChange.LoosenSpread(each.topologyKey())));
        placement
                .podAffinity()
                .required()
                .forEach(
                        term ->
                                all.add(
                                        new PodChange.DropNeighbours(
                                                PodChange.Neighbours.NEAR, term.topologyKey())));
        placement
                .podAntiAffinity()
                .required()
                .forEach(
                        term ->
                                all.add(
                                        new PodChange.DropNeighbours(
                                                PodChange.Neighbours.FAR, term.topologyKey())));
        if (!pod.hostPorts().isEmpty()) {
            all.add(PodChange.DropHostPorts.of(pod));
        }
        var least = new TreeMap<String, Quantity>();
        pod.requests().names().stream()
                .filter(name -> !name.equals(Resources.PODS))
                .forEach(name -> least.put(name, Quantity.ZERO));
        all.add(new PodChange.AskForLess(new Resources(least), 1));
    }
}
