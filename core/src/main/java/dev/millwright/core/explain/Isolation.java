package dev.millwright.core.explain;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PoolTypes;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Which changes let a pod in where somebody has set nodes apart by a taint. Such a change is
/// advised only where no other helps, unless the pod asks for just those nodes.
public record Isolation(SchedulingProblem problem, Pod pod) {

    /// What a cluster keeps for its own add-ons; being named by a pod is no invitation.
    private static final Set<String> CRITICAL =
            Set.of(
                    "CriticalAddonsOnly",
                    "node-role.kubernetes.io/control-plane",
                    "node-role.kubernetes.io/master");

    /// Names of devices, by which their nodes are tainted as a rule.
    private static final Pattern DEVICE = Pattern.compile("/(gpu|neuron|gaudi|tpu|fpga|efa)");

    /// Resources of every node; a pod that asks for another asks for special nodes.
    private static final Set<String> ORDINARY =
            Set.of(Resources.CPU, Resources.MEMORY, Resources.PODS, Resources.EPHEMERAL_STORAGE);

    /// Whether the nodes are kept for add-ons, or for pods that ask for a device such as
    /// `nvidia.com/gpu`: of all taints these are tolerated last.
    static boolean isStrict(Taint taint) {
        return CRITICAL.contains(taint.key()) || DEVICE.matcher(taint.key()).find();
    }

    public boolean isOpenedBy(List<? extends Change> changes) {
        return changes.stream().anyMatch(this::isOpenedBy);
    }

    private boolean isOpenedBy(Change change) {
        return switch (change) {
            case PodChange.Tolerate(var taint, var mistyped) ->
                    mistyped == null && !isInvited(taint);
            case PoolChange.DropTaint _ -> true;
            case PodChange.RenameLabel _,
                    PodChange.UseValue _,
                    PodChange.AskForLess _,
                    PodChange.DropDemand _,
                    PodChange.LoosenSpread _,
                    PodChange.DropNeighbours _,
                    PodChange.DropHostPorts _,
                    PoolChange.RenameRequirement _,
                    PoolChange.ReplaceValue _,
                    PoolChange.Admit _,
                    PoolChange.RaiseLimits _,
                    PoolChange.LowerMinValues _,
                    PoolChange.AddLabel _,
                    PoolChange.DropRequirement _ ->
                    false;
        };
    }

    /// Whether the pool's taints keep the pod off and should: it does not ask for these nodes.
    boolean isKeptOff(NodePool pool) {
        var taint = Taint.firstUntolerated(pool.template().taints(), pod.placement().tolerations());
        return taint != null && !isInvited(taint);
    }

    /// The pod asks by a label of theirs, or by a special resource, for nodes that all have the
    /// taint.
    private boolean isInvited(Taint taint) {
        if (CRITICAL.contains(taint.key())) {
            return false;
        }
        var tainted = new ArrayList<NodePool>();
        var others = new ArrayList<NodePool>();
        for (var pool : problem.nodePools()) {
            (pool.template().taints().contains(taint) ? tainted : others).add(pool);
        }
        return isAskedFor(taint, tainted, others) || (isMeant(tainted) && !isMeant(others));
    }

    /// Nodes of a device are tainted by its name as a rule, so that Kubernetes itself can let in
    /// pods that ask for it (admission plug-in ExtendedResourceToleration). Where a pool without
    /// such a fence sells the device too, that one is meant.
    private boolean isAskedFor(Taint taint, List<NodePool> tainted, List<NodePool> others) {
        return pod.requests().names().contains(taint.key())
                && tainted.stream().anyMatch(this::sells)
                && others.stream().noneMatch(pool -> isOpen(pool) && sells(pool));
    }

    private boolean isOpen(NodePool pool) {
        return Taint.firstUntolerated(pool.template().taints(), pod.placement().tolerations())
                == null;
    }

    private boolean isMeant(List<NodePool> pools) {
        return pools.stream()
                .anyMatch(pool -> hasSelection() ? isSelected(pool) : isSpecial() && sells(pool));
    }

    private boolean hasSelection() {
        return demands().stream().anyMatch(this::isOwn);
    }

    /// A label that tells pools apart, as opposed to one that tells machines apart.
    private boolean isOwn(Requirement demand) {
        return demand.key().equals(LabelKeys.NODE_POOL)
                || problem.nodePools().stream()
                        .anyMatch(pool -> pool.template().labels().containsKey(demand.key()));
    }

    private boolean isSelected(NodePool pool) {
        return demands().stream()
                .filter(this::isOwn)
                .allMatch(
                        demand -> {
                            var value =
                                    demand.key().equals(LabelKeys.NODE_POOL)
                                            ? pool.name()
                                            : pool.template().labels().get(demand.key());
                            return value != null && demand.has(value);
                        });
    }

    private List<Requirement> demands() {
        var demands = new ArrayList<Requirement>();
        pod.placement()
                .nodeSelector()
                .forEach((key, value) -> demands.add(Requirement.in(key, value)));
        pod.placement()
                .nodeAffinity()
                .required()
                .forEach(
                        term ->
                                term.expressions().stream()
                                        .filter(each -> !each.isComplement())
                                        .forEach(demands::add));
        return demands;
    }

    private boolean isSpecial() {
        return pod.requests().names().stream().anyMatch(name -> !ORDINARY.contains(name));
    }

    /// Of one cloud all pools have the same catalogue; what a pool requires tells what it buys.
    private boolean sells(NodePool pool) {
        var vocabulary = problem.policy().vocabulary();
        var wanted = pool.nodeRequirements(vocabulary);
        return problem.catalogs().getOrDefault(pool.name(), List.of()).stream()
                .filter(this::isEquipped)
                .anyMatch(type -> PoolTypes.isUsable(type, wanted, vocabulary.wellKnown()));
    }

    private boolean isEquipped(InstanceType type) {
        return pod.requests().names().stream()
                .filter(name -> !ORDINARY.contains(name))
                .allMatch(name -> !type.capacity().amount(name).isZero());
    }
}
