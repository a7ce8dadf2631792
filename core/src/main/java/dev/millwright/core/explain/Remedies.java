package dev.millwright.core.explain;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.explain.PodChange.Neighbours;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Slips;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What might be done about a reason to wait. Nothing here is proven: each is a change that answers
/// what refused the pod first, and planning again tells whether it was enough.
final class Remedies {

    /// Values of a label that are tried, nearest to what the pod asks for first.
    private static final int VALUES_MAX = 2;

    /// So many more of the least machine a limit may be raised by: pods that come before this one
    /// take from it first, and which machines they get is known only by planning.
    private static final int[] MORE_MACHINES = {1, 2, 3, 5, 7, 11, 15, 23, 31, 47, 63};

    private static final int DOUBLINGS_MAX = 6;

    private final SchedulingProblem problem;
    private final Pod pod;
    private final KnownValues known;
    private final SequencedSet<Change> found = new LinkedHashSet<>();

    private Remedies(SchedulingProblem problem, Pod pod) {
        this.problem = problem;
        this.pod = pod;
        this.known = new KnownValues(problem);
    }

    /// @param problem the one the reason was found in
    static List<Change> of(SchedulingProblem problem, Pod pod, WaitReason reason) {
        var remedies = new Remedies(problem, pod);
        remedies.answer(reason);
        return List.copyOf(remedies.found);
    }

    private void answer(WaitReason reason) {
        switch (reason) {
            case WaitReason.NodePoolsWithoutTypes(var names) ->
                    names.forEach(name -> withoutTypes(pool(name)));
            case WaitReason.Refused(var refusals) -> {
                mends();
                refusals.forEach(each -> answer(pool(each.nodePool()), each.refusal()));
            }
            case WaitReason.OptedOut() -> found.add(new PodChange.DropDemand(LabelKeys.NODE_POOL));
            case WaitReason.MinValuesLost(var name, _) -> lowerMinValues(pool(name));
            case WaitReason.Invalid(_) -> {
                mends();
                faulty();
            }
            case WaitReason.NoNodePools(),
                    WaitReason.ReservationPending(_),
                    WaitReason.ResourceClaimsUnsupported() -> {}
        }
    }

    /// What the pod asks of labels and looks mistyped: a key that nobody has, a value that is known
    /// nowhere.
    private void mends() {
        var vocabulary = problem.policy().vocabulary();
        var keys = known.ownKeys();
        for (var demand : demanded()) {
            var key = vocabulary.normalize(demand.key());
            if (!vocabulary.wellKnown().contains(key) && !keys.contains(key)) {
                var meant = PoolVocabulary.meant(vocabulary, key);
                var own = Slips.nearest(key, keys);
                if (own != null) {
                    found.add(new PodChange.RenameLabel(demand.key(), own));
                }
                if (meant != null) {
                    found.add(new PodChange.RenameLabel(demand.key(), meant));
                }
            } else {
                mendValues(key, demand);
            }
        }
    }

    private void mendValues(String key, Requirement demand) {
        var values = known.of(key);
        for (var value : demand.values()) {
            var meant = values.contains(value) ? null : Slips.nearest(value, values);
            if (meant != null) {
                found.add(new PodChange.UseValue(demand.key(), meant, true));
            }
        }
    }

    /// What the pod may not ask for.
    private void faulty() {
        var vocabulary = problem.policy().vocabulary();
        for (var demand : demanded()) {
            if (vocabulary.problem(demand) != null) {
                found.add(new PodChange.DropDemand(demand.key()));
            }
        }
    }

    /// What the pod requires of labels by naming values or presence.
    private List<Requirement> demanded() {
        var demanded = new ArrayList<Requirement>();
        pod.placement()
                .nodeSelector()
                .forEach((key, value) -> demanded.add(Requirement.in(key, value)));
        for (var term : pod.placement().nodeAffinity().required()) {
            term.expressions().stream()
                    .filter(each -> !each.operator().allowsAbsence())
                    .forEach(demanded::add);
        }
        return demanded;
    }

    private void withoutTypes(@Nullable NodePool pool) {
        if (pool == null) {
            return;
        }
        found.addAll(new PoolVocabulary(problem, pool).mends());
        found.addAll(new PoolRequirements(problem, pool).remedies());
    }

    /// A toleration of the pod's that was perhaps meant for the taint.
    private @Nullable Toleration mistyped(Taint taint) {
        return pod.placement().tolerations().stream()
                .filter(
                        each ->
                                (each.key().equals(taint.key())
                                                || Slips.isLikely(each.key(), taint.key()))
                                        && (each.match() == Toleration.Match.EXISTS
                                                || each.value().equals(taint.value())
                                                || Slips.isLikely(each.value(), taint.value())))
                .findFirst()
                .orElse(null);
    }

    private void answer(@Nullable NodePool pool, Refusal refusal) {
        if (pool == null) {
            return;
        }
        switch (refusal) {
            case Refusal.Untolerated(var taint) -> {
                found.add(new PodChange.Tolerate(taint, mistyped(taint)));
                found.add(new PoolChange.DropTaint(pool.name(), taint));
            }
            case Refusal.Requirement(var mismatch) -> label(pool, mismatch);
            case Refusal.Volume(var mismatch) -> volume(pool, mismatch);
            case Refusal.Topology topology -> topology(pool, topology.key());
            case Refusal.NoInstanceType type -> types(pool, type);
            case Refusal.HostPorts(_) -> found.add(PodChange.DropHostPorts.of(pod));
            case Refusal.VolumeLimit(_, _, _) -> dropRequirements(pool);
            case Refusal.Limit(var remaining) -> limit(pool, remaining);
            case Refusal.NodeLimit() -> nodeLimit(pool);
            case Refusal.MinValues(var key, _, var left) -> {
                found.add(new PoolChange.LowerMinValues(pool.name(), key, left));
                lowerMinValues(pool);
                elsewhere();
            }
            case Refusal.NoTypesLeft() -> withoutTypes(pool);
        }
    }

    private @Nullable NodePool pool(String name) {
        return problem.nodePools().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private void label(NodePool pool, Mismatch mismatch) {
        switch (mismatch) {
            case Mismatch.Undefined(var key, var hint) -> {
                if (hint != null) {
                    found.add(new PodChange.RenameLabel(key, hint));
                }
                found.add(new PodChange.DropDemand(key));
                addLabel(pool, key);
            }
            case Mismatch.Contradiction(var key) -> found.add(new PodChange.DropDemand(key));
            case Mismatch.Disjoint(var key, var wanted, var offered) -> {
                nearest(wanted, offered)
                        .forEach(value -> found.add(new PodChange.UseValue(key, value, false)));
                found.add(new PodChange.DropDemand(key));
                admit(pool, key, wanted);
            }
        }
    }

    /// Values that look like those asked for: another zone of the region, another size.
    private static List<String> nearest(Requirement wanted, Requirement offered) {
        if (offered.isComplement() || wanted.isComplement()) {
            return List.of();
        }
        var near = new TreeSet<String>();
        for (var value : offered.values()) {
            if (wanted.values().stream().anyMatch(each -> Slips.isLikely(each, value))) {
                near.add(value);
            }
        }
        return near.stream().limit(VALUES_MAX).toList();
    }

    private void admit(NodePool pool, String key, Requirement wanted) {
        var isRequired =
                pool.template().requirements().stream().anyMatch(each -> each.key().equals(key));
        if (isRequired) {
            if (!wanted.isComplement()) {
                wanted.values().stream()
                        .limit(VALUES_MAX)
                        .forEach(value -> found.add(new PoolChange.Admit(pool.name(), key, value)));
            }
            found.add(new PoolChange.DropRequirement(pool.name(), key));
        }
    }

    private void addLabel(NodePool pool, String key) {
        var value = pod.placement().nodeSelector().get(key);
        if (value != null
                && !problem.policy().vocabulary().isRestricted(key)
                && !isOfAnother(key, value)) {
            found.add(new PoolChange.AddLabel(pool.name(), key, value));
        }
    }

    /// Nodes of one pool do not pass for those of another, which somebody set apart by the label.
    private boolean isOfAnother(String key, String value) {
        return problem.nodePools().stream()
                .anyMatch(each -> value.equals(each.template().labels().get(key)));
    }

    /// A volume lies where it lies: only the pool can come to it.
    private void volume(NodePool pool, Mismatch mismatch) {
        switch (mismatch) {
            case Mismatch.Disjoint(var key, var wanted, _) -> {
                found.add(new PodChange.DropDemand(key));
                admit(pool, key, wanted);
            }
            case Mismatch.Undefined(var key, _) -> found.add(new PodChange.DropDemand(key));
            case Mismatch.Contradiction(var key) -> found.add(new PodChange.DropDemand(key));
        }
    }

    private void topology(NodePool pool, String key) {
        neighbours(key);
        demands().forEach(each -> found.add(new PodChange.DropDemand(each)));
        dropRequirements(pool);
    }

    /// What the pod asks about other pods over this label.
    private void neighbours(String key) {
        var placement = pod.placement();
        for (var constraint : placement.spread()) {
            if (constraint.isHard() && constraint.topologyKey().equals(key)) {
                found.add(new PodChange.LoosenSpread(key));
            }
        }
        near(placement.podAffinity(), Neighbours.NEAR, key);
        near(placement.podAntiAffinity(), Neighbours.FAR, key);
    }

    private void near(PodAffinity affinity, Neighbours neighbours, String key) {
        if (affinity.required().stream().anyMatch(term -> term.topologyKey().equals(key))) {
            found.add(new PodChange.DropNeighbours(neighbours, key));
        }
    }

    /// All labels over which the pod asks something about other pods.
    private SequencedSet<String> topologyKeys() {
        var keys = new TreeSet<String>();
        var placement = pod.placement();
        placement.spread().forEach(each -> keys.add(each.topologyKey()));
        placement.podAffinity().required().forEach(term -> keys.add(term.topologyKey()));
        placement.podAntiAffinity().required().forEach(term -> keys.add(term.topologyKey()));
        return keys;
    }

    private void types(NodePool pool, Refusal.NoInstanceType refusal) {
        var missing = refusal.missing();
        if (!missing.isEmpty()) {
            found.add(less(missing));
        }
        topologyKeys().forEach(this::neighbours);
        demands().forEach(key -> found.add(new PodChange.DropDemand(key)));
        lowerMinValues(pool);
        dropRequirements(pool);
        elsewhere();
    }

    /// What might let the pod onto a node that is there.
    private void elsewhere() {
        if (!pod.hostPorts().isEmpty()) {
            found.add(PodChange.DropHostPorts.of(pod));
        }
        Rooms.missing(problem.snapshot(), pod).forEach(missing -> found.add(less(missing)));
    }

    private PodChange less(Resources missing) {
        var requests = new TreeMap<String, Quantity>();
        missing.amounts()
                .forEach(
                        (name, lack) ->
                                requests.put(name, pod.requests().amount(name).minus(lack)));
        return new PodChange.AskForLess(new Resources(requests), share(missing));
    }

    /// The labels the pod asks something of.
    private SequencedSet<String> demands() {
        var keys = new TreeSet<>(pod.placement().nodeSelector().keySet());
        for (var term : pod.placement().nodeAffinity().required()) {
            term.expressions().forEach(expression -> keys.add(expression.key()));
        }
        return keys;
    }

    private void dropRequirements(NodePool pool) {
        var keys = new TreeSet<String>();
        pool.template().requirements().forEach(each -> keys.add(each.key()));
        keys.forEach(key -> found.add(new PoolChange.DropRequirement(pool.name(), key)));
    }

    private void lowerMinValues(@Nullable NodePool pool) {
        if (pool == null) {
            return;
        }
        for (var requirement : pool.template().requirements()) {
            var wanted = requirement.minValues();
            if (wanted != null) {
                found.add(
                        new PoolChange.LowerMinValues(pool.name(), requirement.key(), wanted - 1));
                found.add(new PoolChange.LowerMinValues(pool.name(), requirement.key(), 0));
            }
        }
    }

    private void nodeLimit(NodePool pool) {
        var limit = pool.limits().amount(Resources.NODES);
        found.add(
                new PoolChange.RaiseLimits(
                        pool.name(), Resources.of(Resources.NODES, limit.plus(Quantity.ONE))));
        liftLimits(pool);
        elsewhere();
    }

    /// The least raise by which some type that is large enough fits under the limits.
    private void limit(NodePool pool, Resources remaining) {
        Resources least = null;
        InstanceType leastType = null;
        var leastShare = Double.POSITIVE_INFINITY;
        for (var type : largeEnough(pool)) {
            var raise = new TreeMap<String, Quantity>();
            var share = 0.0;
            for (var entry : pool.limits().amounts().entrySet()) {
                var brought = brought(type, entry.getKey());
                var lack = brought.minus(remaining.amount(entry.getKey()));
                if (lack.compareTo(Quantity.ZERO) > 0) {
                    raise.put(entry.getKey(), entry.getValue().plus(lack));
                    share += lack.toDouble() / Math.max(1e-9, brought.toDouble());
                }
            }
            if (!raise.isEmpty() && share < leastShare) {
                leastShare = share;
                least = new Resources(raise);
                leastType = type;
            }
        }
        if (least != null && leastType != null) {
            found.add(new PoolChange.RaiseLimits(pool.name(), least));
            for (var machines : MORE_MACHINES) {
                found.add(
                        new PoolChange.RaiseLimits(pool.name(), more(least, leastType, machines)));
            }
        }
        liftLimits(pool);
        lessWithin(pool, remaining);
        lowerMinValues(pool);
        elsewhere();
    }

    private static Resources more(Resources limits, InstanceType type, int machines) {
        var raised = new TreeMap<String, Quantity>();
        limits.amounts()
                .forEach(
                        (name, amount) -> {
                            var sum = amount;
                            for (var machine = 0; machine < machines; machine++) {
                                sum = sum.plus(brought(type, name));
                            }
                            raised.put(name, sum);
                        });
        return new Resources(raised);
    }

    /// Ask for so little that a type fits which the limits still allow.
    private void lessWithin(NodePool pool, Resources remaining) {
        Resources least = null;
        var leastShare = Double.POSITIVE_INFINITY;
        for (var type : problem.catalogs().getOrDefault(pool.name(), List.of())) {
            var isAllowed =
                    pool.limits().names().stream()
                            .allMatch(
                                    name ->
                                            brought(type, name).compareTo(remaining.amount(name))
                                                    <= 0);
            var missing = isAllowed ? missing(type) : Resources.NONE;
            var share = share(missing);
            if (!missing.isEmpty() && share < leastShare) {
                leastShare = share;
                least = missing;
            }
        }
        if (least != null) {
            found.add(less(least));
        }
    }

    private Resources missing(InstanceType type) {
        var missing = new TreeMap<String, Quantity>();
        for (var entry : pod.requests().amounts().entrySet()) {
            var lack = entry.getValue().minus(type.allocatable().amount(entry.getKey()));
            if (lack.compareTo(Quantity.ZERO) > 0) {
                missing.put(entry.getKey(), lack);
            }
        }
        return new Resources(missing);
    }

    private double share(Resources missing) {
        var share = 0.0;
        for (var entry : missing.amounts().entrySet()) {
            var asked = pod.requests().amount(entry.getKey());
            share += asked.isZero() ? 0 : entry.getValue().toDouble() / asked.toDouble();
        }
        return share;
    }

    private List<InstanceType> largeEnough(NodePool pool) {
        return problem.catalogs().getOrDefault(pool.name(), List.of()).stream()
                .filter(type -> pod.requests().fitsIn(type.allocatable()))
                .toList();
    }

    private static Quantity brought(InstanceType type, String resource) {
        return resource.equals(Resources.NODES) ? Quantity.ONE : type.capacity().amount(resource);
    }

    /// By one, eight and sixty-four of the largest machines: pods that come before this one take
    /// from a limit first, and which machines they get is known only by planning.
    private void liftLimits(NodePool pool) {
        var step = new TreeMap<String, Quantity>();
        for (var resource : pool.limits().names()) {
            var largest = Quantity.ZERO;
            for (var type : largeEnough(pool)) {
                largest = largest.max(brought(type, resource));
            }
            step.put(resource, largest);
        }
        var raise = new Resources(step);
        for (var doubling = 0; doubling <= DOUBLINGS_MAX; doubling++) {
            if (doubling % 3 == 0) {
                found.add(new PoolChange.RaiseLimits(pool.name(), pool.limits().plus(raise)));
            }
            raise = raise.plus(raise);
        }
    }
}
