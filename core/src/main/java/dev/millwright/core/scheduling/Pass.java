package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.core.scheduling.OpenClaim.Acceptance;
import dev.millwright.core.scheduling.PodClass.FreshClaim;
import dev.millwright.core.scheduling.PodClass.Wish;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// One attempt to place all pods: which nodes are in the making, what is left of those there are,
/// what topology counts.
///
/// It knows the rules and not the strategy: a strategy asks whether a pod may go somewhere and puts
/// it there.
final class Pass {

    /// What came of asking a pool for a new node.
    enum Opening {
        OPENED,
        REFUSED,
        RESERVATION_PENDING
    }

    private final CompiledProblem problem;
    private final RequirementSpace space;
    private final List<PoolTemplate> templates;
    private final Topology topology;
    private final PodClass[] classes;
    private final List<OpenNode> nodes = new ArrayList<>();
    private final NodeFilling nodeFilling;
    private final List<OpenClaim> claims = new ArrayList<>();
    private final ClaimOrder order;
    private final int turn;
    private final PoolLimits limits;
    private final ReservationDesk reservations;
    private final Map<NodeFilter, Integer> filterNumbers = new HashMap<>();
    private final PairMemo filterMemo = new PairMemo();
    private List<TopologyKey> sharedKeys;
    private @Nullable Scatter scatter;

    /// @param turn 0 takes the cheapest of equally good domains; every other number takes them in
    ///   an order of its own
    Pass(CompiledProblem problem, ClaimOrder order, int turn) {
        this.problem = problem;
        this.turn = turn;
        this.order = order;
        this.space = problem.space();
        this.templates = problem.templates();
        var batch = new HashSet<String>();
        for (var index = 0; index < problem.podCount(); index++) {
            batch.add(problem.pod(index).uid());
        }
        var destinations = problem.places().stream().map(place -> place.room().node()).toList();
        this.topology =
                new Topology(problem.problem(), space, problem.ground(), destinations, batch);
        problem.places().forEach(place -> nodes.add(new OpenNode(place)));
        this.nodeFilling = new NodeFilling(space, topology, nodes);
        this.classes = new PodClass[problem.classes().size()];
        makeClasses();
        this.sharedKeys = topology.sharedKeys();
        this.limits = new PoolLimits(problem);
        this.reservations = new ReservationDesk(problem);
    }

    private void makeClasses() {
        var sizes = new int[classes.length];
        for (var index = 0; index < problem.podCount(); index++) {
            sizes[problem.classOf(index)]++;
        }
        var labelClasses = new HashMap<List<Object>, LabelClass>();
        for (var number = 0; number < classes.length; number++) {
            var seed = problem.classes().get(number);
            var sample = seed.sample();
            var namespace = sample.name().namespace();
            var labelClass =
                    labelClasses.computeIfAbsent(
                            List.of(namespace, seed.labels()),
                            _ -> new LabelClass(namespace, seed.labels(), topology));
            classes[number] =
                    new PodClass(
                            number,
                            seed,
                            labelClass,
                            sizes[number],
                            topology.inverse(sample, sample.placement()));
            classes[number].wishes().add(wish(classes[number], sample.placement()));
        }
    }

    private Wish wish(PodClass podClass, PodPlacement placement) {
        var vocabulary = problem.problem().policy().vocabulary();
        var strict = PodRequirements.strict(placement, vocabulary);
        var isRespecting = problem.problem().policy().preferences() == Preferences.RESPECT;
        var wanted = isRespecting ? PodRequirements.wished(placement, vocabulary) : strict;
        var owned = topology.owned(podClass.sample(), placement);
        var isPossible = !PodRequirements.isContradictory(placement, wanted);
        return new Wish(podClass, placement, wanted, strict, owned, isPossible, this);
    }

    /// The class's wishes after so many were given up, or null when nothing is left to give up.
    @Nullable Wish wish(PodClass podClass, int given) {
        var wishes = podClass.wishes();
        while (wishes.size() <= given) {
            var next =
                    Relaxation.next(wishes.getLast().placement(), problem.canToleratePreference());
            if (next == null) {
                return null;
            }
            wishes.add(wish(podClass, next));
            sharedKeys = topology.sharedKeys();
        }
        return wishes.get(given);
    }

    CompiledProblem problem() {
        return problem;
    }

    RequirementSpace space() {
        return space;
    }

    PodClass podClass(int pod) {
        return classes[problem.classOf(pod)];
    }

    PodClass podClassAt(int number) {
        return classes[number];
    }

    List<OpenNode> nodes() {
        return nodes;
    }

    List<OpenClaim> claims() {
        return claims;
    }

    List<PoolTemplate> templates() {
        return templates;
    }

    PoolLimits limits() {
        return limits;
    }

    /// Puts the pod on the first node that is there and takes it; after [#scatter] on the one with
    /// most room.
    boolean placeOnNode(int pod, PodClass podClass, Wish wish) {
        return scatter == null
                ? nodeFilling.place(pod, podClass, wish)
                : scatter.place(pod, podClass, wish);
    }

    NodeFilling nodeFilling() {
        return nodeFilling;
    }

    /// From now on nodes are not filled one after another.
    void scatter() {
        scatter = new Scatter(nodeFilling, nodes, problem.resources());
    }

    /// Puts the pod on the first node in the making, by the pass's order, that takes it.
    boolean placeOnClaim(int pod, PodClass podClass, Wish wish) {
        if (claims.isEmpty() || !wish.isClaimable()) {
            return false;
        }
        var filter = new ClaimFilter(podClass, wish, nodeFilling.hosts(wish), nodes.size());
        if (filter.isEmpty()) {
            return false;
        }
        var offer =
                order.first(
                        filter,
                        wish,
                        claim -> {
                            var acceptance =
                                    accept(
                                            claims.get(claim),
                                            podClass,
                                            wish,
                                            RequirementSpace.none());
                            return acceptance == null
                                    ? null
                                    : new ClaimOrder.Offer(claims.get(claim), acceptance);
                        });
        if (offer != null) {
            commit(offer.claim(), pod, podClass, offer.acceptance());
        }
        return offer != null;
    }

    /// Puts the pod on this claim if the claim takes it.
    ///
    /// @param pin a requirement set that narrows the choice of domains, or none
    boolean placeOn(int number, int pod, PodClass podClass, Wish wish, int pin) {
        var claim = claims.get(number);
        var acceptance = accept(claim, podClass, wish, pin);
        if (acceptance != null) {
            commit(claim, pod, podClass, acceptance);
        }
        return acceptance != null;
    }

    private @Nullable Acceptance accept(OpenClaim claim, PodClass podClass, Wish wish, int pin) {
        if (claim.isTooSmallFor(podClass.requests())) {
            wish.refuseClaim(claim.number());
            return null;
        }
        var template = claim.template();
        var wanted = space.narrow(claim.set(), wish.claimSet());
        var narrowed = wanted == RequirementSpace.IMPOSSIBLE ? wanted : space.narrow(wanted, pin);
        if (narrowed == RequirementSpace.IMPOSSIBLE
                || !isTolerated(template, wish)
                || claim.clashesWith(podClass.hostPorts())) {
            wish.refuseClaim(claim.number());
            return null;
        }
        var shapes = Bits.and(claim.shapes(), template.meeting(narrowed));
        keepDaemonPorts(template, podClass, shapes);
        if (!template.keepFitting(shapes, ResourceSpace.sum(claim.total(), podClass.requests()))) {
            wish.refuseClaim(claim.number());
            return null;
        }
        if (!isHostMet(claim.number(), podClass, wish)
                || !keepAttaching(claim, podClass.volumes(), shapes)) {
            return null;
        }
        return acceptance(claim, podClass, wish, narrowed, shapes, false).accepted();
    }

    private static boolean isTolerated(PoolTemplate template, Wish wish) {
        var taints = template.pool().template().taints();
        return taints.isEmpty()
                || Taint.firstUntolerated(taints, wish.placement().tolerations()) == null;
    }

    private static void keepDaemonPorts(PoolTemplate template, PodClass podClass, long[] shapes) {
        if (podClass.hostPorts().isEmpty()) {
            return;
        }
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            if (OpenClaim.clash(
                    template.shape(shape).daemons().hostPorts(), podClass.hostPorts())) {
                Bits.clear(shapes, shape);
            }
        }
    }

    /// Leaves shapes that can attach the claim's volumes and the pod's.
    private static boolean keepAttaching(OpenClaim claim, PodVolumes volumes, long[] shapes) {
        for (var entry : volumes.attachments().entrySet()) {
            var attached =
                    new TreeSet<>(
                            claim.attachments().getOrDefault(entry.getKey(), new TreeSet<>()));
            attached.addAll(entry.getValue());
            for (var shape = Bits.next(shapes, 0);
                    shape >= 0;
                    shape = Bits.next(shapes, shape + 1)) {
                var most = claim.template().shape(shape).type().volumeAttachmentLimits();
                if (attached.size() > most.getOrDefault(entry.getKey(), Integer.MAX_VALUE)) {
                    Bits.clear(shapes, shape);
                }
            }
        }
        return !Bits.isEmpty(shapes);
    }

    private boolean isHostMet(int claim, PodClass podClass, Wish wish) {
        var place = nodes.size() + claim;
        var owned = wish.owned();
        for (var index = 0; index < owned.size(); index++) {
            var group = owned.get(index);
            if (group.isHostname()
                    && !group.allowsHost(place, nodeFilling.hosts(wish), wish.isSelected(index))) {
                if (group.refusesHostForGood()) {
                    wish.refuseClaim(claim);
                }
                return false;
            }
        }
        for (var group : podClass.labelClass().keptAwayBy()) {
            if (group.isHostname()
                    && !group.allowsHost(place, TopologyGroup.HostsAllowed.ALL, false)) {
                wish.refuseClaim(claim);
                return false;
            }
        }
        return true;
    }

    /// What a claim answers to a pod that fits it: accepted, refused, or refused because a
    /// reservation is pending.
    private record Answer(@Nullable Acceptance accepted, boolean isPending) {
        private static final Answer REFUSED = new Answer(null, false);
        private static final Answer PENDING = new Answer(null, true);
    }

    /// Tries the alternatives of the pod's volumes one after another; the last one's refusal
    /// counts.
    private Answer acceptance(
            OpenClaim claim,
            PodClass podClass,
            Wish wish,
            int narrowed,
            long[] shapes,
            boolean isNew) {
        var alternatives = podClass.volumes().alternatives();
        var answer = Answer.REFUSED;
        if (podClass.volumes().isContradictory()) {
            return answer;
        }
        for (var index = 0; index < Math.max(1, alternatives.length); index++) {
            var set =
                    alternatives.length == 0
                            ? narrowed
                            : space.narrow(narrowed, alternatives[index]);
            if (set == RequirementSpace.IMPOSSIBLE) {
                continue;
            }
            var kept =
                    alternatives.length == 0
                            ? shapes
                            : Bits.and(shapes, claim.template().meeting(set));
            var chosen =
                    new DomainChoice(space, claim.template(), set, kept, draw(claim))
                            .choose(podClass, wish);
            answer = chosen == null ? Answer.REFUSED : withChoice(claim, chosen, isNew);
            if (answer.accepted() != null) {
                return answer;
            }
        }
        return answer;
    }

    private int draw(OpenClaim claim) {
        return turn == 0 ? 0 : turn * 1_000_003 + claims.size() * 1_009 + claim.podCount() + 1;
    }

    /// Checks that look at all that is left to choose from: minValues and reservations. Only a new
    /// claim may lower minValues.
    private Answer withChoice(OpenClaim claim, DomainChoice.Chosen chosen, boolean isNew) {
        var set = chosen.set();
        var wanted = space.at(set);
        var isRelaxed = false;
        if (wanted.hasMinValues()) {
            var types = types(claim.template(), chosen.shapes());
            if (PoolTypes.unmetMinValues(types, wanted) != null) {
                if (!isNew || problem.problem().policy().minValues() == MinValues.STRICT) {
                    return Answer.REFUSED;
                }
                wanted = PoolTypes.withReachableMinValues(types, wanted);
                set = space.number(wanted);
                isRelaxed = true;
            }
        }
        var answer = reservations.ask(claim, wanted, chosen.shapes());
        if (answer.isPending()) {
            return Answer.PENDING;
        }
        return answer.isFull()
                ? Answer.REFUSED
                : new Answer(new Acceptance(set, chosen.shapes(), answer.ids(), isRelaxed), false);
    }

    static List<InstanceType> types(PoolTemplate template, long[] shapes) {
        var types = new ArrayList<InstanceType>();
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            var type = template.shape(shape).type();
            if (types.isEmpty() || !types.getLast().name().equals(type.name())) {
                types.add(type);
            }
        }
        return types;
    }

    private void commit(OpenClaim claim, int pod, PodClass podClass, Acceptance acceptance) {
        reservations.settle(claim, acceptance.reservations());
        var isMoved = acceptance.set() != claim.set() || claim.podCount() == 0;
        claim.add(pod, podClass, acceptance);
        order.added(claim);
        var place = nodes.size() + claim.number();
        for (var group : podClass.labelClass().selecting()) {
            if (counts(group.identity().filter(), claim)) {
                topology.recordClaim(group, place, claim.set());
            }
        }
        for (var group : podClass.inverseOwned()) {
            topology.recordClaim(group, place, claim.set());
        }
        if (isMoved) {
            for (var key : sharedKeys) {
                key.place(claim.number(), claim.set());
            }
        }
    }

    private boolean counts(NodeFilter filter, OpenClaim claim) {
        if (filter.isEveryNode()) {
            return true;
        }
        var number =
                filterNumbers.computeIfAbsent(filter, _ -> filterNumbers.size()) * templates.size()
                        + templates.indexOf(claim.template());
        var known = filterMemo.find(number, claim.set());
        if (known == PairMemo.UNKNOWN) {
            var isCounted =
                    filter.matches(
                            claim.template().pool().template().taints(), space.at(claim.set()));
            known = filterMemo.remember(number, claim.set(), isCounted ? 1 : 0);
        }
        return known == 1;
    }

    /// Opens a node of the pool for the pod.
    ///
    /// @param pin a requirement set that narrows the choice of domains, or none
    Opening open(int templateIndex, int pod, PodClass podClass, Wish wish, int pin) {
        return open(templateIndex, pod, podClass, wish, pin, null);
    }

    /// @param capacity the most the node may take of its pool's limits, or null for as much as they
    ///   leave
    Opening open(
            int templateIndex,
            int pod,
            PodClass podClass,
            Wish wish,
            int pin,
            long @Nullable [] capacity) {
        var fresh = fresh(templateIndex, podClass, wish);
        var pinned =
                fresh.isRefused() ? RequirementSpace.IMPOSSIBLE : space.narrow(fresh.set(), pin);
        if (pinned == RequirementSpace.IMPOSSIBLE) {
            return Opening.REFUSED;
        }
        var claim =
                new OpenClaim(
                        claims.size(), templates.get(templateIndex), problem.resources().size());
        var shapes = Arrays.copyOf(fresh.shapes(), fresh.shapes().length);
        if (pinned != fresh.set()) {
            Bits.andInto(shapes, claim.template().meeting(pinned));
        }
        if (capacity != null) {
            claim.template().keepWithin(capacity, shapes);
        }
        if (!limits.keep(templateIndex, shapes)
                || !isHostMet(claim.number(), podClass, wish)
                || !keepAttaching(claim, podClass.volumes(), shapes)) {
            return Opening.REFUSED;
        }
        var answer = acceptance(claim, podClass, wish, pinned, shapes, true);
        if (answer.accepted() == null) {
            return answer.isPending() ? Opening.RESERVATION_PENDING : Opening.REFUSED;
        }
        claims.add(claim);
        commit(claim, pod, podClass, answer.accepted());
        limits.charge(templateIndex, claim.shapes());
        return Opening.OPENED;
    }

    private FreshClaim fresh(int templateIndex, PodClass podClass, Wish wish) {
        var known = wish.fresh(templateIndex);
        if (known != null) {
            return known;
        }
        var template = templates.get(templateIndex);
        var set =
                wish.isClaimable() && isTolerated(template, wish)
                        ? space.narrow(template.requirements(), wish.claimSet())
                        : RequirementSpace.IMPOSSIBLE;
        var fresh = FreshClaim.REFUSED;
        if (set != RequirementSpace.IMPOSSIBLE) {
            var shapes = Bits.and(template.usable(), template.meeting(set));
            keepDaemonPorts(template, podClass, shapes);
            if (template.keepFitting(shapes, podClass.requests())) {
                fresh = new FreshClaim(set, shapes);
            }
        }
        wish.remember(templateIndex, fresh);
        return fresh;
    }
}
