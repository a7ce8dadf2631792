package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PodClass.Wish;
import dev.millwright.core.scheduling.WaitReason.PoolRefusal;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Finds out, slowly and in full, why no pool can give a pod a new node. It asks the same questions
/// in the same order as [Pass#open], on the state the pass ended in, for the pod without any wishes
/// left.
final class RefusalFinder {

    private final Pass pass;
    private final Map<Integer, List<PoolRefusal>> byClass = new HashMap<>();

    RefusalFinder(Pass pass) {
        this.pass = pass;
    }

    List<PoolRefusal> refusals(PodClass podClass) {
        return byClass.computeIfAbsent(podClass.number(), _ -> find(podClass));
    }

    private List<PoolRefusal> find(PodClass podClass) {
        var wish = podClass.wishes().getLast();
        var refusals = new ArrayList<PoolRefusal>();
        for (var index = 0; index < pass.templates().size(); index++) {
            var template = pass.templates().get(index);
            refusals.add(
                    new PoolRefusal(template.name(), refusal(index, template, podClass, wish)));
        }
        pass.problem()
                .poolsWithoutTypes()
                .forEach(name -> refusals.add(new PoolRefusal(name, new Refusal.NoTypesLeft())));
        return List.copyOf(refusals);
    }

    private Refusal refusal(int index, PoolTemplate template, PodClass podClass, Wish wish) {
        var limit = pass.limits().exhausted(index);
        if (limit != null) {
            return limit;
        }
        var taint =
                Taint.firstUntolerated(
                        template.pool().template().taints(), wish.placement().tolerations());
        if (taint != null) {
            return new Refusal.Untolerated(taint);
        }
        var space = pass.problem().space();
        var promises = space.at(template.requirements());
        var mismatch =
                promises.mismatch(wish.wanted().without(LabelKeys.HOSTNAME), space.wellKnown());
        if (mismatch != null) {
            return new Refusal.Requirement(mismatch);
        }
        if (!wish.isPossible()) {
            return new Refusal.Requirement(contradiction(wish));
        }
        if (!wish.isClaimable()) {
            return new Refusal.Requirement(new Mismatch.Undefined(LabelKeys.HOSTNAME, null));
        }
        var narrowed = promises.and(wish.wanted().without(LabelKeys.HOSTNAME));
        var volume = volume(narrowed, podClass);
        if (volume != null) {
            return volume;
        }
        var topology = topology(narrowed, podClass, wish);
        return topology != null ? topology : noType(index, template, narrowed, podClass);
    }

    private @Nullable Refusal volume(Requirements narrowed, PodClass podClass) {
        var space = pass.problem().space();
        Mismatch last = null;
        for (var alternative : podClass.volumes().alternatives()) {
            last = narrowed.mismatch(space.at(alternative), space.wellKnown());
            last = last == null ? contradiction(narrowed, space.at(alternative)) : last;
            if (last == null) {
                return null;
            }
        }
        return last == null ? null : new Refusal.Volume(last);
    }

    private static Mismatch contradiction(Wish wish) {
        var emptied =
                wish.wanted().all().stream()
                        .filter(requirement -> requirement.operator() == Operator.DOES_NOT_EXIST)
                        .findFirst()
                        .orElseThrow();
        return new Mismatch.Contradiction(emptied.key());
    }

    /// A key on which the pod's volumes already contradict each other.
    private static @Nullable Mismatch contradiction(Requirements narrowed, Requirements volumes) {
        for (var requirement : volumes.all()) {
            if (requirement.operator() == Operator.DOES_NOT_EXIST) {
                return new Mismatch.Disjoint(
                        requirement.key(), requirement, narrowed.on(requirement.key()));
            }
        }
        return null;
    }

    private @Nullable Refusal topology(Requirements narrowed, PodClass podClass, Wish wish) {
        var set = pass.problem().space().number(narrowed);
        var owned = wish.owned();
        for (var index = 0; index < owned.size(); index++) {
            var group = owned.get(index);
            var isMet =
                    group.isHostname()
                            ? isHostMet(group, index, wish)
                            : isMet(
                                    group,
                                    group.open(wish.podDomains(index), wish.isSelected(index)),
                                    set);
            if (!isMet) {
                return refusal(group, narrowed, wish);
            }
        }
        for (var group : podClass.labelClass().keptAwayBy()) {
            if (!group.isHostname()
                    && !isMet(
                            group,
                            group.open(
                                    group.key().allowed(wish.strict().orNull(group.key().name())),
                                    false),
                            set)) {
                return refusal(group, narrowed, wish);
            }
        }
        return null;
    }

    /// A new host has no pods yet, so that only an affinity to pods elsewhere can refuse it.
    private static boolean isHostMet(TopologyGroup group, int index, Wish wish) {
        return group.kind() != TopologyGroup.Kind.AFFINITY
                || group.startsHosts(TopologyGroup.HostsAllowed.ALL, wish.isSelected(index));
    }

    private boolean isMet(TopologyGroup group, long[] open, int set) {
        var space = pass.problem().space();
        return group.options(open, group.key().allowedBySet(set)).stream()
                .map(option -> space.number(Requirements.of(group.key().requirement(option))))
                .anyMatch(domain -> space.narrow(set, domain) != RequirementSpace.IMPOSSIBLE);
    }

    private static Refusal refusal(TopologyGroup group, Requirements narrowed, Wish wish) {
        var key = group.key().name();
        return group.refusal(wish.strict().orNull(key), narrowed.orNull(key));
    }

    private Refusal noType(
            int index, PoolTemplate template, Requirements narrowed, PodClass podClass) {
        var shapes = template.shapes();
        var offered = template.offered(narrowed);
        var isRequirementMet = false;
        var isResourceMet = false;
        var all = new ArrayList<InstanceType>();
        var fitting = Bits.ofSize(shapes.size());
        for (var shape = 0; shape < shapes.size(); shape++) {
            var isMeeting = shapes.get(shape).type().requirements().intersects(narrowed);
            var isFitting =
                    Bits.has(template.usable(), shape)
                            && missing(template, shape, podClass).isEmpty();
            isRequirementMet |= isMeeting;
            isResourceMet |= isFitting;
            if (isMeeting && isFitting && Bits.has(offered, shape)) {
                all.add(shapes.get(shape).type());
                Bits.with(fitting, shape);
            }
        }
        if (!all.isEmpty()) {
            return lateRefusal(index, template, narrowed, podClass, all);
        }
        return new Refusal.NoInstanceType(
                isRequirementMet,
                isResourceMet,
                !Bits.isEmpty(offered),
                narrowed,
                podClass.sample().requests(),
                daemons(template),
                nearest(template, offered, narrowed, podClass));
    }

    /// Types would do, so that something after them refused: ports, minValues, or limits that leave
    /// only other types.
    private Refusal lateRefusal(
            int index,
            PoolTemplate template,
            Requirements narrowed,
            PodClass podClass,
            List<InstanceType> types) {
        var minValues = PoolTypes.unmetMinValues(types, narrowed);
        if (minValues != null) {
            return minValues;
        }
        if (!podClass.hostPorts().isEmpty()
                && template.daemonGroups().stream()
                        .allMatch(
                                group ->
                                        OpenClaim.clash(group.hostPorts(), podClass.hostPorts()))) {
            return new Refusal.HostPorts(
                    podClass.hostPorts().stream().map(HostPort::toString).toList());
        }
        var limit = pass.limits().tooTight(index);
        if (limit != null) {
            return limit;
        }
        return new Refusal.NoInstanceType(
                true,
                true,
                true,
                narrowed,
                podClass.sample().requests(),
                daemons(template),
                Resources.NONE);
    }

    private static Resources daemons(PoolTemplate template) {
        var most = Resources.NONE;
        for (var group : template.daemonGroups()) {
            most = most.max(group.overhead());
        }
        return most;
    }

    private Map<String, Quantity> missing(PoolTemplate template, int shape, PodClass podClass) {
        var resources = pass.problem().resources();
        var missing = new TreeMap<String, Quantity>();
        for (var resource = 0; resource < resources.size(); resource++) {
            var lack = podClass.requests()[resource] - template.room(shape, resource);
            if (podClass.requests()[resource] > 0 && lack > 0) {
                missing.put(resources.name(resource), resources.quantity(resource, lack));
            }
        }
        return missing;
    }

    /// What the type that comes nearest lacks; types that can be bought for the requirements go
    /// before others.
    private Resources nearest(
            PoolTemplate template, long[] offered, Requirements narrowed, PodClass podClass) {
        Map<String, Quantity> nearest = null;
        var least = Double.POSITIVE_INFINITY;
        for (var shape = 0; shape < template.shapes().size(); shape++) {
            if (!Bits.has(offered, shape)
                    || !template.shape(shape).type().requirements().intersects(narrowed)) {
                continue;
            }
            var missing = missing(template, shape, podClass);
            var weight = 0.0;
            for (var entry : missing.entrySet()) {
                var asked = podClass.sample().requests().amount(entry.getKey()).toDouble();
                weight += entry.getValue().toDouble() / asked;
            }
            if (weight < least) {
                least = weight;
                nearest = missing;
            }
        }
        return nearest == null ? Resources.NONE : new Resources(new TreeMap<>(nearest));
    }
}
