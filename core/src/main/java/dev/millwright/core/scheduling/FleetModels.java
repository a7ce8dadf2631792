package dev.millwright.core.scheduling;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.scheduling.FleetModel.ExistingNode;
import dev.millwright.core.scheduling.FleetModel.HostRule;
import dev.millwright.core.scheduling.FleetModel.Kind;
import dev.millwright.core.scheduling.FleetModel.ZoneRelation;
import dev.millwright.core.scheduling.FleetModel.ZoneRule;
import dev.millwright.core.scheduling.PodClass.Wish;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;

/// Reads models of a fleet out of a problem: either by what pods must have, for a bound that holds
/// for every plan, or by what they were given, to look for a fleet that can be carried out.
final class FleetModels {

    private final CompiledProblem problem;
    private final Pass pass;
    private final RequirementSpace space;

    /// What one class asks of pools and nodes.
    private record Asked(PodClass podClass, Wish wish, int[] sets, boolean[] takes) {}

    FleetModels(CompiledProblem problem) {
        this.problem = problem;
        this.pass = new Pass(problem, new ClaimOrder.LeastRise(), 0);
        this.space = problem.space();
    }

    /// What must hold for these pods, and nothing that they merely wish: any pool, whatever its
    /// weight.
    FleetModel ofMusts(List<Integer> pods) {
        var byClass = new LinkedHashMap<Integer, Asked>();
        for (var pod : pods) {
            byClass.computeIfAbsent(problem.classOf(pod), _ -> must(pass.podClass(pod)));
        }
        return model(pods, pod -> byClass.get(problem.classOf(pod)), FleetModels::isInEveryWish);
    }

    /// What these pods were given by a pass: so many wishes, and pools no lighter than the one they
    /// got. First fit puts a pod on a machine of a light pool that has room, though a heavier pool
    /// would take it.
    FleetModel ofGiven(List<Integer> pods, CheapestSearch.Solution settled) {
        return ofGiven(pods, settled, true);
    }

    /// The same of new nodes alone.
    FleetModel ofNew(List<Integer> pods, CheapestSearch.Solution settled) {
        return ofGiven(pods, settled, false);
    }

    private FleetModel ofGiven(
            List<Integer> pods, CheapestSearch.Solution settled, boolean takesNodes) {
        var weights = new HashMap<Integer, Integer>();
        for (var claim : settled.pass().claims()) {
            for (var pod : claim.pods()) {
                weights.put(pod, claim.template().pool().weight());
            }
        }
        var known = new HashMap<List<Object>, Asked>();
        return model(
                pods,
                pod ->
                        known.computeIfAbsent(
                                Arrays.asList(
                                        problem.classOf(pod),
                                        settled.outcomes().given(pod),
                                        weights.get(pod)),
                                _ -> given(pod, settled, weights.get(pod), takesNodes)),
                (_, _) -> true);
    }

    /// What a pod gives up may change its rule: one that tolerates more counts other nodes, and
    /// pods that give up later are not counted with those that did not. Such a rule binds no plan.
    private static boolean isInEveryWish(Asked asked, TopologyGroup group) {
        return asked.podClass().wishes().stream().allMatch(wish -> wish.owned().contains(group));
    }

    /// @param binds whether a rule that a pod owns must be met by every fleet of the model
    private FleetModel model(
            List<Integer> pods,
            Function<Integer, @Nullable Asked> asked,
            BiPredicate<Asked, TopologyGroup> binds) {
        var distinct = new ArrayList<Asked>();
        var numberOf = new HashMap<Asked, Integer>();
        var askedOf = new int[pods.size()];
        for (var index = 0; index < askedOf.length; index++) {
            var one = asked.apply(pods.get(index));
            if (one != null) {
                askedOf[index] =
                        numberOf.computeIfAbsent(
                                one,
                                each -> {
                                    distinct.add(each);
                                    return distinct.size() - 1;
                                });
            }
        }
        var relations = new Relations(distinct, zones(), binds);
        var byKey = new LinkedHashMap<List<Object>, List<Integer>>();
        var asking = new ArrayList<Integer>();
        for (var index = 0; index < askedOf.length; index++) {
            var number = askedOf[index];
            byKey.computeIfAbsent(
                            relations.key(number),
                            _ -> {
                                asking.add(number);
                                return new ArrayList<>();
                            })
                    .add(pods.get(index));
        }
        return relations.model(asking, List.copyOf(byKey.values()));
    }

    private List<String> zones() {
        var zones = new TreeSet<>(problem.ground().domains(LabelKeys.ZONE).keySet());
        for (var node : pass.nodes()) {
            var zone = node.room().node().labels().get(LabelKeys.ZONE);
            if (zone != null) {
                zones.add(zone);
            }
        }
        return List.copyOf(zones);
    }

    private Asked must(PodClass podClass) {
        var given = 0;
        for (var next = pass.wish(podClass, 0); next != null; next = pass.wish(podClass, given)) {
            given++;
        }
        var last = podClass.wishes().getLast();
        var placement = podClass.sample().placement();
        var must = mustSet(podClass);
        var sets = new int[problem.templates().size()];
        for (var template = 0; template < sets.length; template++) {
            var taints = problem.templates().get(template).pool().template().taints();
            sets[template] =
                    isTolerated(taints, placement.tolerations())
                            ? alone(problem.templates().get(template), must, podClass)
                            : RequirementSpace.IMPOSSIBLE;
        }
        var takes = new boolean[pass.nodes().size()];
        for (var place = 0; place < takes.length; place++) {
            var node = pass.nodes().get(place);
            takes[place] =
                    problem.places().get(place).isUsable()
                            && (podClass.isFreeToMove()
                                    || !node.room().node().isInsideConsolidateAfter())
                            && isTolerated(node.taints(), placement.tolerations())
                            && node.labels().isCompatible(space.at(must), Set.of());
        }
        return new Asked(podClass, last, sets, takes);
    }

    /// What a machine of the pool with one of the pods must be, if there is one.
    private int alone(PoolTemplate pool, int asked, PodClass podClass) {
        var set = space.narrow(pool.requirements(), asked);
        return set != RequirementSpace.IMPOSSIBLE
                        && pool.pricing().price(set, podClass.requests()) < Double.POSITIVE_INFINITY
                ? set
                : RequirementSpace.IMPOSSIBLE;
    }

    /// A taint that merely prefers to be left alone can be given up.
    private static boolean isTolerated(List<Taint> taints, List<Toleration> tolerations) {
        var hard =
                taints.stream()
                        .filter(taint -> taint.effect() != Effect.PREFER_NO_SCHEDULE)
                        .toList();
        return hard.isEmpty() || Taint.firstUntolerated(hard, tolerations) == null;
    }

    /// What every pod of the class must have of a node. Alternatives are not looked at.
    private int mustSet(PodClass podClass) {
        var placement = podClass.sample().placement();
        var vocabulary = problem.problem().policy().vocabulary();
        var strict =
                placement.nodeAffinity().required().size() > 1
                        ? vocabulary.labels(placement.nodeSelector())
                        : PodRequirements.strict(placement, vocabulary);
        var must = space.number(strict.without(LabelKeys.HOSTNAME));
        return withVolumes(must, podClass);
    }

    private int withVolumes(int set, PodClass podClass) {
        var alternatives = podClass.volumes().alternatives();
        return alternatives.length == 1 ? space.and(set, alternatives[0]) : set;
    }

    private Asked given(
            int pod,
            CheapestSearch.Solution settled,
            @Nullable Integer weight,
            boolean takesNodes) {
        var podClass = pass.podClass(pod);
        var wish = pass.wish(podClass, settled.outcomes().given(pod));
        if (wish == null) {
            throw new IllegalStateException("pod %d was given more than it wishes".formatted(pod));
        }
        var asked = wish.isClaimable() ? withVolumes(wish.claimSet(), podClass) : 0;
        var sets = new int[problem.templates().size()];
        Arrays.fill(sets, RequirementSpace.IMPOSSIBLE);
        @Nullable Integer allowed = weight;
        for (var template = 0; template < sets.length && wish.isClaimable(); template++) {
            var pool = problem.templates().get(template);
            var own = pool.pool().weight();
            if ((allowed == null || own >= allowed)
                    && Taint.firstUntolerated(
                                    pool.pool().template().taints(), wish.placement().tolerations())
                            == null) {
                sets[template] = alone(pool, asked, podClass);
                if (allowed == null && sets[template] != RequirementSpace.IMPOSSIBLE) {
                    allowed = own;
                }
            }
        }
        var takes = new boolean[pass.nodes().size()];
        for (var place = 0; place < takes.length; place++) {
            takes[place] = takesNodes && pass.nodes().get(place).isOpenTo(podClass, wish);
        }
        return new Asked(podClass, wish, sets, takes);
    }

    /// The rules between pods, as far as a model knows them.
    private final class Relations {
        private final List<Asked> asked;
        private final List<String> zones;
        private final BiPredicate<Asked, TopologyGroup> binds;
        private final List<TopologyGroup> hosts = new ArrayList<>();
        private final List<TopologyGroup> inZones = new ArrayList<>();

        Relations(List<Asked> asked, List<String> zones, BiPredicate<Asked, TopologyGroup> binds) {
            this.asked = asked;
            this.zones = zones;
            this.binds = binds;
            for (var one : asked) {
                for (var group : one.wish().owned()) {
                    var into = group.isHostname() ? hosts : inZones;
                    if (!into.contains(group) && isKnown(group)) {
                        into.add(group);
                    }
                }
            }
        }

        private boolean isKnown(TopologyGroup group) {
            var isBinding =
                    asked.stream()
                            .filter(one -> one.wish().owned().contains(group))
                            .allMatch(one -> binds.test(one, group));
            if (!isBinding) {
                return false;
            }
            if (group.isHostname()) {
                return group.kind() != TopologyGroup.Kind.AFFINITY;
            }
            return group.key().name().equals(LabelKeys.ZONE) && isAboutItself(group);
        }

        /// Only where every pod that counts also states the rule, and all may be in the same zones,
        /// do the final counts have to meet it.
        private boolean isAboutItself(TopologyGroup group) {
            Requirement allowed = null;
            var isFirst = true;
            for (var one : asked) {
                var isOwner = one.wish().owned().contains(group);
                if (isOwner != one.podClass().labelClass().isSelectedBy(group)) {
                    return false;
                }
                if (isOwner) {
                    var own = one.wish().strict().orNull(LabelKeys.ZONE);
                    if (!isFirst && !Objects.equals(own, allowed)) {
                        return false;
                    }
                    allowed = own;
                    isFirst = false;
                }
            }
            return group.kind() == TopologyGroup.Kind.SPREAD
                    || zones.stream().allMatch(zone -> group.countIn(zone) <= 0);
        }

        /// What tells pods apart in a model.
        List<Object> key(int number) {
            var one = asked.get(number);
            var owned = new ArrayList<Boolean>();
            for (var groups : List.of(hosts, inZones)) {
                for (var group : groups) {
                    owned.add(one.wish().owned().contains(group));
                    owned.add(one.podClass().labelClass().isSelectedBy(group));
                }
            }
            return List.of(
                    Arrays.stream(one.podClass().requests()).boxed().toList(),
                    Arrays.stream(one.sets()).boxed().toList(),
                    Arrays.toString(one.takes()),
                    owned,
                    one.podClass().hostPorts());
        }

        /// @param kinds for each kind the number of one that asks so
        FleetModel model(List<Integer> kinds, List<List<Integer>> pods) {
            var made = new ArrayList<Kind>();
            for (var kind = 0; kind < kinds.size(); kind++) {
                var one = asked.get(kinds.get(kind));
                made.add(new Kind(pods.get(kind), one.podClass().requests(), one.sets()));
            }
            var zoneRules = inZones.stream().map(group -> zoneRule(group, kinds)).toList();
            var hostRules =
                    new ArrayList<>(hosts.stream().map(group -> hostRule(group, kinds)).toList());
            hostRules.addAll(portRules(kinds));
            return new FleetModel(
                    made,
                    problem.templates(),
                    nodes(kinds, zoneRules.isEmpty()),
                    hostRules,
                    zoneRules,
                    zoneRules.isEmpty()
                            ? List.of(RequirementSpace.none())
                            : zones.stream().map(FleetModels.this::zoneSet).toList(),
                    limits(),
                    space,
                    problem.resources().size());
        }

        private boolean[] owning(TopologyGroup group, List<Integer> kinds) {
            var owning = new boolean[kinds.size()];
            for (var kind = 0; kind < owning.length; kind++) {
                owning[kind] = asked.get(kinds.get(kind)).wish().owned().contains(group);
            }
            return owning;
        }

        private HostRule hostRule(TopologyGroup group, List<Integer> kinds) {
            var selected = new boolean[kinds.size()];
            for (var kind = 0; kind < selected.length; kind++) {
                selected[kind] =
                        asked.get(kinds.get(kind)).podClass().labelClass().isSelectedBy(group);
            }
            var most = group.kind() == TopologyGroup.Kind.SPREAD ? group.identity().maxSkew() : 0;
            return new HostRule(owning(group, kinds), selected, most);
        }

        /// Pods that want the same port of their host keep apart.
        private List<HostRule> portRules(List<Integer> kinds) {
            var rules = new ArrayList<HostRule>();
            for (var kind = 0; kind < kinds.size(); kind++) {
                var ports = asked.get(kinds.get(kind)).podClass().hostPorts();
                if (!ports.isEmpty()) {
                    var owner = new boolean[kinds.size()];
                    owner[kind] = true;
                    var clashing = new boolean[kinds.size()];
                    for (var other = 0; other < clashing.length; other++) {
                        clashing[other] =
                                OpenClaim.clash(
                                        ports, asked.get(kinds.get(other)).podClass().hostPorts());
                    }
                    rules.add(new HostRule(owner, clashing, 0));
                }
            }
            return rules;
        }

        private ZoneRule zoneRule(TopologyGroup group, List<Integer> kinds) {
            var members = owning(group, kinds);
            var before = new int[zones.size()];
            Requirement allowed = null;
            for (var kind = 0; kind < members.length; kind++) {
                if (members[kind]) {
                    allowed = asked.get(kinds.get(kind)).wish().strict().orNull(LabelKeys.ZONE);
                }
            }
            for (var zone = 0; zone < before.length; zone++) {
                var isAllowed = allowed == null || allowed.has(zones.get(zone));
                before[zone] = isAllowed ? group.countIn(zones.get(zone)) : -1;
            }
            var relation =
                    switch (group.kind()) {
                        case SPREAD -> ZoneRelation.SPREAD;
                        case AFFINITY -> ZoneRelation.TOGETHER;
                        case ANTI_AFFINITY -> ZoneRelation.APART;
                    };
            return new ZoneRule(relation, members, group.identity().maxSkew(), before);
        }

        private List<ExistingNode> nodes(List<Integer> kinds, boolean isOneZone) {
            var nodes = new ArrayList<ExistingNode>();
            for (var place = 0; place < pass.nodes().size(); place++) {
                var takes = new boolean[kinds.size()];
                var room = problem.places().get(place).supply();
                var isAny = false;
                for (var kind = 0; kind < takes.length; kind++) {
                    var one = asked.get(kinds.get(kind));
                    takes[kind] = one.takes()[place] && fits(one.podClass().requests(), room);
                    isAny |= takes[kind];
                }
                if (isAny) {
                    var zone = pass.nodes().get(place).room().node().labels().get(LabelKeys.ZONE);
                    var number = isOneZone ? 0 : zones.indexOf(zone == null ? "" : zone);
                    nodes.add(new ExistingNode(place, room, takes, number));
                }
            }
            return nodes;
        }

        private static boolean fits(long[] requests, long[] room) {
            for (var resource = 0; resource < room.length; resource++) {
                if (requests[resource] > room[resource]) {
                    return false;
                }
            }
            return true;
        }
    }

    private long[] @Nullable [] limits() {
        var limits = new PoolLimits(problem);
        long[] @Nullable [] left = new long[problem.templates().size()][];
        for (var template = 0; template < left.length; template++) {
            left[template] = limits.left(template);
        }
        return left;
    }

    private int zoneSet(String zone) {
        return space.number(Requirements.of(Requirement.in(LabelKeys.ZONE, zone)));
    }
}
