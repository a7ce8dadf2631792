package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PodClass.Wish;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// One attempt to place all pods: which nodes are in the making, what is left of those there are,
/// what topology counts.
///
/// It knows the rules and not the strategy: a strategy asks whether a pod may go somewhere and puts
/// it there.
final class Pass {

    /// Why a new node was not made for a pod in this pool, as far as the strategy must know.
    enum Opening {
        OPENED,
        REFUSED,
        RESERVATION_PENDING
    }

    /// How many claims that would take a pod are compared when Karpenter leaves the choice between them to chance.
    private static final int EQUALS_COMPARED_MAX = 16;

    private final CompiledProblem problem;
    private final RequirementSpace space;
    private final List<PoolTemplate> templates;
    private final Topology topology;
    private final PodClass[] classes;
    private final List<OpenNode> nodes = new ArrayList<>();
    private final List<OpenClaim> claims = new ArrayList<>();
    private final ClaimOrder order = new ClaimOrder();
    private final long[][] remaining;
    private final int nodesIndex;
    private final ReservationLedger ledger = new ReservationLedger();
    private final Reservations reservations;
    private final Map<NodeFilter, Integer> filterNumbers = new HashMap<>();
    private final PairMemo filterMemo = new PairMemo();
    private List<TopologyKey> sharedKeys;

    /// A node that is there, as it fills up.
    static final class OpenNode {
        private final NodeRoom room;
        private final long[] available;
        private final boolean isUsable;
        private final List<HostPort> hostPorts;
        private final SequencedMap<String, SequencedSet<ObjectName>> attachments = new TreeMap<>();
        private final List<Integer> pods = new ArrayList<>();

        OpenNode(NodeRoom room, ResourceSpace resources) {
            this.room = room;
            this.available = resources.count(room.available());
            this.isUsable = !room.available().hasNegative();
            this.hostPorts = new ArrayList<>(room.hostPorts());
            room.attachments()
                    .forEach((driver, volumes) -> attachments.put(driver, new TreeSet<>(volumes)));
        }

        NodeRoom room() {
            return room;
        }

        List<Integer> pods() {
            return pods;
        }
    }

    Pass(CompiledProblem problem) {
        this.problem = problem;
        this.space = problem.space();
        this.templates = problem.templates();
        this.reservations = problem.problem().policy().reservations();
        var batch = new HashSet<String>();
        for (var index = 0; index < problem.podCount(); index++) {
            batch.add(problem.pod(index).uid());
        }
        var destinations = problem.rooms().stream().map(NodeRoom::node).toList();
        this.topology =
                new Topology(problem.problem(), space, problem.universe(), destinations, batch);
        problem.rooms().forEach(room -> nodes.add(new OpenNode(room, problem.resources())));
        this.classes = new PodClass[problem.classes().size()];
        makeClasses();
        this.sharedKeys = topology.sharedKeys();
        this.nodesIndex = problem.resources().indexOf(Resources.NODES);
        this.remaining = new long[templates.size()][];
        for (var index = 0; index < remaining.length; index++) {
            remaining[index] = remaining(templates.get(index));
        }
        offerReservations();
    }

    private void makeClasses() {
        var sizes = new int[classes.length];
        for (var index = 0; index < problem.podCount(); index++) {
            sizes[problem.classOf(index)]++;
        }
        var labelClasses = new HashMap<List<Object>, LabelClass>();
        for (var number = 0; number < classes.length; number++) {
            var seed = problem.classes().get(number);
            var namespace = seed.sample().name().namespace();
            var labelClass =
                    labelClasses.computeIfAbsent(
                            List.of(namespace, seed.labels()),
                            _ -> new LabelClass(namespace, seed.labels(), topology));
            var sample = seed.sample();
            classes[number] =
                    new PodClass(
                            number,
                            sample,
                            seed.requests(),
                            labelClass,
                            seed.volumes(),
                            seed.isFreeToMove(),
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
        return new Wish(
                placement,
                wanted,
                strict,
                space,
                topology.owned(podClass.sample(), placement),
                podClass,
                templates.size());
    }

    /// The class's wishes after so many were given up, or null when nothing is left to give up.
    @Nullable Wish wish(PodClass podClass, int given) {
        var wishes = podClass.wishes();
        if (given < wishes.size()) {
            return wishes.get(given);
        }
        var next = Relaxation.next(wishes.getLast().placement(), problem.canToleratePreference());
        if (next == null) {
            return null;
        }
        wishes.add(wish(podClass, next));
        sharedKeys = topology.sharedKeys();
        return wishes.getLast();
    }

    private long @Nullable [] remaining(PoolTemplate template) {
        var limits = template.pool().limits();
        if (limits.isEmpty()) {
            return null;
        }
        var left = limits;
        for (var room : problem.rooms()) {
            if (template.name()
                    .equals(
                            room.node()
                                    .labels()
                                    .get(dev.millwright.core.label.LabelKeys.NODE_POOL))) {
                left =
                        left.minus(
                                room.node()
                                        .capacity()
                                        .with(
                                                Resources.NODES,
                                                dev.millwright.core.quantity.Quantity.ONE));
            }
        }
        var counts = problem.resources().count(left);
        for (var index = 0; index < counts.length; index++) {
            if (!limits.has(problem.resources().name(index))) {
                counts[index] = Long.MAX_VALUE;
            }
        }
        return counts;
    }

    private void offerReservations() {
        var key = problem.problem().policy().vocabulary().reservationIdKey();
        for (var template : templates) {
            if (template.hasReservations()) {
                for (var shape : template.shapes()) {
                    for (var offering : shape.group().offerings()) {
                        if (offering.isReserved()) {
                            ledger.offer(
                                    offering.reservationId(key), offering.reservationCapacity());
                        }
                    }
                }
            }
        }
    }

    CompiledProblem problem() {
        return problem;
    }

    PodClass podClass(int pod) {
        return classes[problem.classOf(pod)];
    }

    PodClass[] classes() {
        return classes;
    }

    Topology topology() {
        return topology;
    }

    List<OpenNode> nodes() {
        return nodes;
    }

    List<OpenClaim> claims() {
        return claims;
    }

    ClaimOrder order() {
        return order;
    }

    List<PoolTemplate> templates() {
        return templates;
    }

    /// What the pool's limits leave, or null when it has none. Unlimited resources are at the
    /// greatest number.
    long @Nullable [] remaining(int template) {
        return remaining[template];
    }

    // ---- nodes that are there ----

    /// Puts the pod on the first node that takes it.
    boolean placeOnNode(int pod, PodClass podClass, Wish wish) {
        var words = (nodes.size() + 63) >>> 6;
        for (var word = 0; word < words; word++) {
            var live = ~wish.deadNodes(word);
            if (word == words - 1 && (nodes.size() & 63) != 0) {
                live &= (1L << (nodes.size() & 63)) - 1;
            }
            for (; live != 0; live &= live - 1) {
                var place = (word << 6) + Long.numberOfTrailingZeros(live);
                if (takes(place, podClass, wish)) {
                    commitNode(place, pod, podClass);
                    return true;
                }
            }
        }
        return false;
    }

    private boolean takes(int place, PodClass podClass, Wish wish) {
        var node = nodes.get(place);
        if (!isReachable(node, podClass, wish) || !fits(node, podClass)) {
            wish.refuseNode(place);
            return false;
        }
        return takesVolumes(node, podClass) && isTopologyMet(place, node, podClass, wish);
    }

    /// Checks whose refusal holds for the rest of the pass: taints, labels and ports never change
    /// for the better.
    private static boolean isReachable(OpenNode node, PodClass podClass, Wish wish) {
        if (node.room.node().isInsideConsolidateAfter() && !podClass.isFreeToMove()) {
            return false;
        }
        return node.isUsable
                && dev.millwright.core.label.Taint.firstUntolerated(
                                node.room.taints(), wish.placement().tolerations())
                        == null
                && !OpenClaim.clash(node.hostPorts, podClass.hostPorts())
                && (wish.wanted().isEmpty()
                        || node.room.labels().isCompatible(wish.wanted(), java.util.Set.of()));
    }

    private static boolean fits(OpenNode node, PodClass podClass) {
        var requests = podClass.requests();
        for (var index = 0; index < requests.length; index++) {
            if (requests[index] > node.available[index]) {
                return false;
            }
        }
        return true;
    }

    /// Limits of all drivers are looked at, so that a node over one limit takes no pod.
    private static boolean takesVolumes(OpenNode node, PodClass podClass) {
        var limits = node.room.node().volumeLimits();
        if (limits.isEmpty()) {
            return true;
        }
        for (var limit : limits.entrySet()) {
            var attached =
                    new TreeSet<>(node.attachments.getOrDefault(limit.getKey(), new TreeSet<>()));
            attached.addAll(
                    podClass.volumes().attachments().getOrDefault(limit.getKey(), new TreeSet<>()));
            if (attached.size() > limit.getValue()) {
                return false;
            }
        }
        return true;
    }

    private boolean isTopologyMet(int place, OpenNode node, PodClass podClass, Wish wish) {
        var labels = node.room.labels();
        var alternatives = podClass.volumes().alternatives();
        if (alternatives.length > 0
                && Arrays.stream(alternatives)
                        .noneMatch(set -> labels.isCompatible(space.at(set), java.util.Set.of()))) {
            wish.refuseNode(place);
            return false;
        }
        var owned = wish.owned();
        for (var index = 0; index < owned.size(); index++) {
            if (!isMetOnNode(owned.get(index), index, place, labels, wish)) {
                return false;
            }
        }
        for (var group : podClass.labelClass().keptAwayBy()) {
            if (!isKeptApart(group, place, labels, wish)) {
                return false;
            }
        }
        return true;
    }

    private boolean isMetOnNode(
            TopologyGroup group, int ownedIndex, int place, Requirements labels, Wish wish) {
        if (group.isHostname()) {
            var isMet = group.allowsHost(place, hosts(wish), wish.isSelected(ownedIndex));
            if (!isMet && group.refusesHostForGood()) {
                wish.refuseNode(place);
            }
            return isMet;
        }
        var domain = domain(group, labels);
        return domain >= 0
                && Bits.has(
                        group.open(wish.podDomains(ownedIndex), wish.isSelected(ownedIndex)),
                        domain);
    }

    private boolean isKeptApart(TopologyGroup group, int place, Requirements labels, Wish wish) {
        if (group.isHostname()) {
            var isMet = group.allowsHost(place, hosts(wish), false);
            if (!isMet) {
                wish.refuseNode(place);
            }
            return isMet;
        }
        var domain = domain(group, labels);
        return domain >= 0 && Bits.has(group.open(group.key().allowed(null), false), domain);
    }

    private static int domain(TopologyGroup group, Requirements labels) {
        var requirement = labels.orNull(group.key().name());
        return requirement == null || requirement.values().isEmpty()
                ? -1
                : group.key().find(requirement.values().getFirst());
    }

    /// Which hosts the wish's own requirements allow. A node in the making has a name nobody
    /// excludes.
    private TopologyGroup.HostsAllowed hosts(Wish wish) {
        var requirement = wish.strict().orNull(dev.millwright.core.label.LabelKeys.HOSTNAME);
        if (requirement == null) {
            return TopologyGroup.HostsAllowed.ALL;
        }
        return new TopologyGroup.HostsAllowed() {
            @Override
            public boolean allows(int place) {
                return place < nodes.size()
                        ? requirement.has(nodes.get(place).room.node().hostName())
                        : requirement.isComplement();
            }

            @Override
            public boolean allowsName(String host) {
                return requirement.has(host);
            }
        };
    }

    private void commitNode(int place, int pod, PodClass podClass) {
        var node = nodes.get(place);
        var requests = podClass.requests();
        for (var index = 0; index < requests.length; index++) {
            node.available[index] -= requests[index];
        }
        node.pods.add(pod);
        node.hostPorts.addAll(podClass.hostPorts());
        podClass.volumes()
                .attachments()
                .forEach(
                        (driver, volumes) ->
                                node.attachments
                                        .computeIfAbsent(driver, _ -> new TreeSet<>())
                                        .addAll(volumes));
        for (var group : podClass.labelClass().selecting()) {
            if (group.identity().filter().matches(node.room.taints(), node.room.labels())) {
                topology.recordNode(group, place, node.room.labels());
            }
        }
        for (var group : podClass.inverseOwned()) {
            topology.recordNode(group, place, node.room.labels());
        }
    }

    // ---- nodes in the making ----

    /// Puts the pod on the claim with the fewest pods that takes it. Between claims with equally many pods Karpenter's order
    /// is chance; here the one whose price rises least is taken, of equal ones the oldest.
    boolean placeOnClaim(int pod, PodClass podClass, Wish wish) {
        if (claims.isEmpty() || !wish.isClaimable()) {
            return false;
        }
        var filter = new ClaimFilter(podClass, wish);
        if (filter.isEmpty()) {
            return false;
        }
        for (var pods = 1; pods < order.levels(); pods++) {
            if (!order.isEmpty(pods)) {
                var best = leastRise(order.claims(pods), filter, podClass, wish);
                if (best != null) {
                    commitClaim(best.claim(), pod, podClass, best.acceptance());
                    return true;
                }
            }
        }
        return false;
    }

    /// A claim, what it becomes with the pod, and what that costs more.
    private record Offer(OpenClaim claim, OpenClaim.Acceptance acceptance, double rise) {}

    private @Nullable Offer leastRise(
            long[] candidates, ClaimFilter filter, PodClass podClass, Wish wish) {
        Offer best = null;
        var seen = 0;
        for (var word = 0; word < candidates.length; word++) {
            var live = candidates[word] & ~wish.deadClaims(word);
            if (live == 0) {
                continue;
            }
            for (live &= filter.word(word); live != 0; live &= live - 1) {
                var claim = claims.get((word << 6) + Long.numberOfTrailingZeros(live));
                var acceptance = accept(claim, podClass, wish, RequirementSpace.none());
                if (acceptance == null) {
                    continue;
                }
                var rise = claim.priceWith(acceptance) - claim.price();
                if (best == null || rise < best.rise()) {
                    best = new Offer(claim, acceptance, rise);
                }
                if (++seen == EQUALS_COMPARED_MAX || rise <= 0) {
                    return best;
                }
            }
        }
        return best;
    }

    /// Puts the pod on this claim if the claim takes it.
    ///
    /// @param pin a requirement set that narrows the choice of domains, or none
    boolean placeOn(int number, int pod, PodClass podClass, Wish wish, int pin) {
        var claim = claims.get(number);
        var acceptance = accept(claim, podClass, wish, pin);
        if (acceptance == null) {
            return false;
        }
        commitClaim(claim, pod, podClass, acceptance);
        return true;
    }

    /// Passes over claims that topology refuses now, 64 at a time.
    private final class ClaimFilter {
        private final List<TopologyKey> keys = new ArrayList<>();
        private final List<long[]> open = new ArrayList<>();
        private final List<long[]> busyHosts = new ArrayList<>();
        private boolean isEmpty;

        ClaimFilter(PodClass podClass, Wish wish) {
            var owned = wish.owned();
            for (var index = 0; index < owned.size(); index++) {
                var group = owned.get(index);
                if (!group.isHostname()) {
                    add(group, group.open(wish.podDomains(index), wish.isSelected(index)));
                } else if (group.kind() == TopologyGroup.Kind.AFFINITY
                        && !group.startsHosts(hosts(wish), wish.isSelected(index))) {
                    busyHosts.add(group.busyHosts());
                }
            }
            for (var group : podClass.labelClass().keptAwayBy()) {
                if (!group.isHostname()) {
                    add(group, group.open(group.key().allowed(null), false));
                }
            }
        }

        private void add(TopologyGroup group, long[] domains) {
            isEmpty |= Bits.isEmpty(domains);
            keys.add(group.key());
            open.add(domains);
        }

        boolean isEmpty() {
            return isEmpty;
        }

        long word(int word) {
            var result = -1L;
            for (var index = 0; index < keys.size() && result != 0; index++) {
                result &= keys.get(index).claimsIn(open.get(index), word);
            }
            for (var hosts : busyHosts) {
                result &= hostWord(hosts, word);
            }
            return result;
        }

        /// Places count nodes first, so that claims start somewhere inside a word.
        private long hostWord(long[] hosts, int word) {
            var from = nodes.size() + (word << 6);
            var shift = from & 63;
            var low = Bits.word(hosts, from >>> 6) >>> shift;
            return shift == 0 ? low : low | (Bits.word(hosts, (from >>> 6) + 1) << (64 - shift));
        }
    }

    private OpenClaim.@Nullable Acceptance accept(
            OpenClaim claim, PodClass podClass, Wish wish, int pin) {
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
        if (!isHostMet(claim.number(), podClass, wish)) {
            return null;
        }
        if (!podClass.volumes().isEmpty() && !keepAttaching(claim, podClass, shapes)) {
            return null;
        }
        return withVolumes(claim, narrowed, shapes, podClass, wish);
    }

    private boolean isTolerated(PoolTemplate template, Wish wish) {
        var taints = template.pool().template().taints();
        return taints.isEmpty()
                || dev.millwright.core.label.Taint.firstUntolerated(
                                taints, wish.placement().tolerations())
                        == null;
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

    private static boolean keepAttaching(OpenClaim claim, PodClass podClass, long[] shapes) {
        for (var entry : podClass.volumes().attachments().entrySet()) {
            var attached =
                    new TreeSet<>(
                            claim.attachments().getOrDefault(entry.getKey(), new TreeSet<>()));
            attached.addAll(entry.getValue());
            for (var shape = Bits.next(shapes, 0);
                    shape >= 0;
                    shape = Bits.next(shapes, shape + 1)) {
                var limits = claim.template().shape(shape).type().volumeAttachmentLimits();
                if (attached.size() > limits.getOrDefault(entry.getKey(), Integer.MAX_VALUE)) {
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
                    && !group.allowsHost(place, hosts(wish), wish.isSelected(index))) {
                if (group.refusesHostForGood()) {
                    wish.refuseClaim(claim);
                }
                return false;
            }
        }
        for (var group : podClass.labelClass().keptAwayBy()) {
            if (group.isHostname() && !group.allowsHost(place, hosts(wish), false)) {
                wish.refuseClaim(claim);
                return false;
            }
        }
        return true;
    }

    private OpenClaim.@Nullable Acceptance withVolumes(
            OpenClaim claim, int narrowed, long[] shapes, PodClass podClass, Wish wish) {
        var alternatives = podClass.volumes().alternatives();
        if (alternatives.length == 0) {
            return withTopology(claim, narrowed, shapes, podClass, wish);
        }
        for (var alternative : alternatives) {
            var set = space.narrow(narrowed, alternative);
            var acceptance =
                    set == RequirementSpace.IMPOSSIBLE
                            ? null
                            : withTopology(claim, set, shapes, podClass, wish);
            if (acceptance != null) {
                return acceptance;
            }
        }
        return null;
    }

    private OpenClaim.@Nullable Acceptance withTopology(
            OpenClaim claim, int narrowed, long[] shapes, PodClass podClass, Wish wish) {
        var set = topologySet(narrowed, podClass, wish);
        if (set == RequirementSpace.IMPOSSIBLE) {
            return null;
        }
        var kept = set == claim.set() ? shapes : Bits.and(shapes, claim.template().meeting(set));
        if (Bits.isEmpty(kept)) {
            return null;
        }
        return withChoice(claim, set, kept);
    }

    /// The requirement set after every group has had its say, each asked about the set as it was
    /// before any of them.
    private int topologySet(int narrowed, PodClass podClass, Wish wish) {
        var set = narrowed;
        var owned = wish.owned();
        if (wish.hasSharedTopology()) {
            for (var index = 0;
                    index < owned.size() && set != RequirementSpace.IMPOSSIBLE;
                    index++) {
                var group = owned.get(index);
                if (!group.isHostname()) {
                    set =
                            narrow(
                                    set,
                                    narrowed,
                                    group,
                                    group.open(wish.podDomains(index), wish.isSelected(index)));
                }
            }
        }
        for (var group : podClass.labelClass().keptAwayBy()) {
            if (!group.isHostname() && set != RequirementSpace.IMPOSSIBLE) {
                set = narrow(set, narrowed, group, group.open(podDomains(group, wish), false));
            }
        }
        return set;
    }

    private static long[] podDomains(TopologyGroup group, Wish wish) {
        return group.key().allowed(wish.strict().orNull(group.key().name()));
    }

    private int narrow(int set, int asked, TopologyGroup group, long[] open) {
        var chosen = group.choose(open, group.key().allowedBySet(asked));
        if (Bits.isEmpty(chosen)) {
            return RequirementSpace.IMPOSSIBLE;
        }
        return space.narrow(set, space.number(Requirements.of(group.key().requirement(chosen))));
    }

    /// Checks that look at all that is left to choose from: minValues and reservations.
    private OpenClaim.@Nullable Acceptance withChoice(OpenClaim claim, int set, long[] shapes) {
        var wanted = space.at(set);
        if (wanted.hasMinValues()
                && PoolTypes.unmetMinValues(types(claim.template(), shapes), wanted) != null) {
            return null;
        }
        if (!claim.template().hasReservations() || reservations == Reservations.OFF) {
            return new OpenClaim.Acceptance(set, shapes, List.of());
        }
        var outcome = reserve(claim.host(), claim.template(), wanted, shapes);
        var wouldLoseAll =
                reservations == Reservations.STRICT
                        && !claim.reservations().isEmpty()
                        && outcome.ids().isEmpty();
        return outcome.isRefused() || wouldLoseAll
                ? null
                : new OpenClaim.Acceptance(set, shapes, outcome.ids());
    }

    static List<dev.millwright.core.catalog.InstanceType> types(
            PoolTemplate template, long[] shapes) {
        var types = new ArrayList<dev.millwright.core.catalog.InstanceType>();
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            var type = template.shape(shape).type();
            if (types.isEmpty() || !types.getLast().name().equals(type.name())) {
                types.add(type);
            }
        }
        return types;
    }

    /// Reservations a claim could hold. `isPending` says that one fits but is held by another claim
    /// of this pass or is full.
    private record Reserving(List<String> ids, boolean isPending, boolean isFull) {
        boolean isRefused() {
            return isPending || isFull;
        }
    }

    private Reserving reserve(
            String host, PoolTemplate template, Requirements wanted, long[] shapes) {
        var key = problem.problem().policy().vocabulary().reservationIdKey();
        var ids = new TreeSet<String>();
        var hasCapacity = false;
        var hasFull = false;
        var hasOther = false;
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            for (var offering : template.shape(shape).group().offerings()) {
                if (!wanted.isCompatible(offering.requirements(), space.wellKnown())) {
                    continue;
                }
                if (!offering.isReserved()) {
                    hasOther = true;
                } else if (offering.reservationCapacity() == 0) {
                    hasFull = true;
                } else {
                    hasCapacity = true;
                    if (ledger.canReserve(host, offering.reservationId(key))) {
                        ids.add(offering.reservationId(key));
                    }
                }
            }
        }
        var isStrict = reservations == Reservations.STRICT;
        var isOnlyFull = hasFull && !hasCapacity && !hasOther;
        return new Reserving(
                List.copyOf(ids),
                isStrict && ((hasCapacity && ids.isEmpty()) || isOnlyFull),
                !isStrict && isOnlyFull);
    }

    private void commitClaim(
            OpenClaim claim, int pod, PodClass podClass, OpenClaim.Acceptance acceptance) {
        for (var id : acceptance.reservations()) {
            ledger.reserve(claim.host(), id);
        }
        for (var id : claim.reservations()) {
            if (!acceptance.reservations().contains(id)) {
                ledger.release(claim.host(), id);
            }
        }
        var isMoved = acceptance.set() != claim.set() || claim.podCount() == 0;
        claim.add(pod, podClass, acceptance);
        if (claim.podCount() > 1) {
            order.move(claim.number(), claim.podCount() - 1, claim.podCount());
        } else {
            order.add(claim.number(), 1);
        }
        record(claim, podClass);
        if (isMoved) {
            for (var key : sharedKeys) {
                key.place(claim.number(), claim.set());
            }
        }
    }

    private void record(OpenClaim claim, PodClass podClass) {
        var place = nodes.size() + claim.number();
        for (var group : podClass.labelClass().selecting()) {
            if (counts(group.identity().filter(), claim)) {
                topology.recordClaim(group, place, claim.set());
            }
        }
        for (var group : podClass.inverseOwned()) {
            topology.recordClaim(group, place, claim.set());
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

    // ---- new nodes ----

    /// Opens a node of the pool for the pod.
    ///
    /// @param pin a requirement set that narrows the choice of domains, or none
    Opening open(int templateIndex, int pod, PodClass podClass, Wish wish, int pin) {
        var fresh = fresh(templateIndex, podClass, wish);
        if (fresh.isRefused()) {
            return Opening.REFUSED;
        }
        var template = templates.get(templateIndex);
        var shapes = Arrays.copyOf(fresh.shapes(), fresh.shapes().length);
        var pinned = space.narrow(fresh.set(), pin);
        if (pinned == RequirementSpace.IMPOSSIBLE || !keepWithinLimits(templateIndex, shapes)) {
            return Opening.REFUSED;
        }
        var claim = new OpenClaim(claims.size(), template, problem.resources().size(), false);
        if (!isHostMet(claim.number(), podClass, wish)) {
            return Opening.REFUSED;
        }
        var opened = openWith(claim, pinned, shapes, podClass, wish);
        if (opened == null || opened.acceptance() == null) {
            return opened == null ? Opening.REFUSED : Opening.RESERVATION_PENDING;
        }
        claims.add(opened.claim());
        commitClaim(opened.claim(), pod, podClass, opened.acceptance());
        chargeLimits(templateIndex, opened.claim().shapes());
        return Opening.OPENED;
    }

    /// A claim and what it becomes; no acceptance means that a reservation is pending.
    private record Opened(OpenClaim claim, OpenClaim.@Nullable Acceptance acceptance) {}

    private PodClass.FreshClaim fresh(int templateIndex, PodClass podClass, Wish wish) {
        var known = wish.fresh(templateIndex);
        if (known != null) {
            return known;
        }
        var template = templates.get(templateIndex);
        var set =
                wish.isClaimable() && isTolerated(template, wish)
                        ? space.narrow(template.requirements(), wish.claimSet())
                        : RequirementSpace.IMPOSSIBLE;
        var fresh = PodClass.FreshClaim.REFUSED;
        if (set != RequirementSpace.IMPOSSIBLE) {
            var shapes = Bits.and(template.usable(), template.meeting(set));
            keepDaemonPorts(template, podClass, shapes);
            if (template.keepFitting(shapes, podClass.requests())) {
                fresh = new PodClass.FreshClaim(set, shapes);
            }
        }
        wish.remember(templateIndex, fresh);
        return fresh;
    }

    private boolean keepWithinLimits(int templateIndex, long[] shapes) {
        var left = remaining[templateIndex];
        if (left == null) {
            return !Bits.isEmpty(shapes);
        }
        if (nodesIndex >= 0 && left[nodesIndex] == 0) {
            return false;
        }
        var template = templates.get(templateIndex);
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            var capacity = template.capacity(shape);
            for (var index = 0; index < left.length; index++) {
                if (capacity[index] > left[index]) {
                    Bits.clear(shapes, shape);
                    break;
                }
            }
        }
        return !Bits.isEmpty(shapes);
    }

    private @Nullable Opened openWith(
            OpenClaim claim, int narrowed, long[] shapes, PodClass podClass, Wish wish) {
        if (!podClass.volumes().isEmpty() && !keepAttaching(claim, podClass, shapes)) {
            return null;
        }
        var alternatives = podClass.volumes().alternatives();
        Opened last = null;
        for (var index = 0; index < Math.max(1, alternatives.length); index++) {
            var set =
                    alternatives.length == 0
                            ? narrowed
                            : space.narrow(narrowed, alternatives[index]);
            set = set == RequirementSpace.IMPOSSIBLE ? set : topologySet(set, podClass, wish);
            if (set == RequirementSpace.IMPOSSIBLE) {
                continue;
            }
            var kept = Bits.and(shapes, claim.template().meeting(set));
            last = Bits.isEmpty(kept) ? null : openWithChoice(claim, set, kept);
            if (last != null && last.acceptance() != null) {
                return last;
            }
        }
        return last;
    }

    private @Nullable Opened openWithChoice(OpenClaim claim, int set, long[] shapes) {
        var wanted = space.at(set);
        var isRelaxed = false;
        if (wanted.hasMinValues()) {
            var types = types(claim.template(), shapes);
            if (PoolTypes.unmetMinValues(types, wanted) != null) {
                if (problem.problem().policy().minValues()
                        == dev.millwright.core.policy.SchedulingPolicy.MinValues.STRICT) {
                    return null;
                }
                isRelaxed = true;
                wanted = PoolTypes.withReachableMinValues(types, wanted);
            }
        }
        var opened =
                isRelaxed
                        ? new OpenClaim(
                                claim.number(), claim.template(), problem.resources().size(), true)
                        : claim;
        var number = isRelaxed ? space.number(wanted) : set;
        if (!claim.template().hasReservations() || reservations == Reservations.OFF) {
            return new Opened(opened, new OpenClaim.Acceptance(number, shapes, List.of()));
        }
        var outcome = reserve(claim.host(), claim.template(), wanted, shapes);
        if (outcome.isPending()) {
            return new Opened(opened, null);
        }
        return outcome.isFull()
                ? null
                : new Opened(opened, new OpenClaim.Acceptance(number, shapes, outcome.ids()));
    }

    /// Takes the most that any shape still possible could bring: whichever is launched, the limit
    /// holds.
    private void chargeLimits(int templateIndex, long[] shapes) {
        var left = remaining[templateIndex];
        if (left == null) {
            return;
        }
        var template = templates.get(templateIndex);
        var most = new long[left.length];
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            var capacity = template.capacity(shape);
            for (var index = 0; index < most.length; index++) {
                most[index] = Math.max(most[index], capacity[index]);
            }
        }
        for (var index = 0; index < left.length; index++) {
            if (left[index] != Long.MAX_VALUE) {
                left[index] -= most[index];
            }
        }
    }

    Pod pod(int index) {
        return problem.pod(index);
    }
}
