package dev.millwright.testing.kit.aws.fake;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.FleetAnswer;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.SubnetInfo;
import dev.millwright.providers.aws.api.TrialInstance;
import dev.millwright.testing.kit.aws.LaunchFault;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Instant fleets: which pool is taken, which say no, and what an instance is made of. `fleet.py`
/// of the endpoint does the same.
final class FakeFleets {

    private static final double NO_PRICE = 1e9;
    private static final int SPREAD_PER_ZONE_MAX = 7;
    private static final int ADDRESSES_PER_PREFIX = 16;
    private static final String SPOT = "spot";
    private static final String ON_DEMAND = "on-demand";
    private static final Set<String> EFA = Set.of("efa", "efa-only");
    private static final Set<String> MARKETS_SHOWN =
            Set.of("capacity-block", "interruptible-capacity-reservation");
    private static final LaunchTemplate.Interface USUAL_INTERFACE =
            new LaunchTemplate.Interface(0, 0, null, List.of(), null, null, null, null, null, null);

    private final FakeState state;
    private final List<Shortage> shortages = new ArrayList<>();
    private final Map<String, FleetAnswer> answered = new LinkedHashMap<>();
    private int numbers;

    FakeFleets(FakeState state) {
        this.state = state;
    }

    /// A fault of pools with what is left of it.
    private static final class Shortage {

        private final LaunchFault given;
        private int remaining;
        private int times;

        Shortage(LaunchFault given) {
            this.given = given;
            this.remaining = given.remaining();
            this.times = given.times();
        }

        boolean isMeantFor(String type, SubnetInfo subnet, String capacity) {
            return FakeListed.glob(given.type()).matcher(type).matches()
                    && FakeListed.glob(given.zone()).matcher(subnet.zone()).matches()
                    && FakeListed.glob(given.capacity()).matcher(capacity).matches()
                    && FakeListed.glob(given.subnet()).matcher(subnet.id()).matches();
        }
    }

    void refuse(LaunchFault fault) {
        shortages.add(new Shortage(fault));
    }

    void noFaults() {
        shortages.clear();
    }

    /// One template with one of its overrides, bought in one way.
    private record Pool(
            FakeTemplates.Template template, FleetRequest.Override override, String capacity) {

        private LaunchTemplate data() {
            return template.data();
        }

        private List<LaunchTemplate.Interface> interfaces() {
            return data().interfaces().isEmpty() ? List.of(USUAL_INTERFACE) : data().interfaces();
        }

        private String boughtAs() {
            return capacity.equals(SPOT) ? SPOT : ON_DEMAND;
        }

        /// Empty for what is on demand, as EC2 leaves it out.
        private String lifecycle() {
            var market = data().marketType();
            if (market != null && MARKETS_SHOWN.contains(market)) {
                return market;
            }
            return switch (capacity) {
                case SPOT, "capacity-block" -> capacity;
                case "reserved-capacity" -> "interruptible-capacity-reservation";
                default -> "";
            };
        }

        private FleetAnswer.Choice choice() {
            var subnetId = override.subnetId();
            return new FleetAnswer.Choice(
                    data().name(),
                    override.instanceType(),
                    subnetId == null ? "" : subnetId,
                    override.imageId(),
                    override.zone(),
                    boughtAs());
        }
    }

    FleetAnswer create(FleetRequest request) throws AwsFault {
        var token = request.token();
        var before = token == null ? null : answered.get(token);
        if (before != null) {
            return before;
        }
        var pools = pools(request);
        var fleetId = "fleet-%08x-0000-4000-8000-000000000000".formatted(++numbers);
        var launched = new ArrayList<FleetAnswer.Launched>();
        var refusals = new ArrayList<FleetAnswer.Refusal>();
        var wanted = request.instances();
        for (var pool : pools) {
            var ids = new ArrayList<String>();
            try {
                while (ids.size() < wanted) {
                    ids.add(launch(pool, request.tags(), fleetId));
                }
            } catch (AwsFault refusal) {
                var words = Objects.requireNonNullElse(refusal.getMessage(), "");
                refusals.add(new FleetAnswer.Refusal(refusal.code(), words, pool.choice()));
            }
            wanted -= ids.size();
            if (!ids.isEmpty()) {
                launched.add(new FleetAnswer.Launched(ids, pool.choice()));
            }
        }
        var answer = new FleetAnswer(fleetId, launched, refusals);
        if (token != null) {
            answered.put(token, answer);
        }
        return answer;
    }

    /// The cheapest first, or by priority where the strategy says so.
    private List<Pool> pools(FleetRequest request) throws AwsFault {
        record Priced(Pool pool, double price) {}
        var found = new ArrayList<Priced>();
        for (var config : request.configs()) {
            var template = state.templates().find(config.templateName());
            for (var override : config.overrides()) {
                var price = price(override, request.defaultType());
                found.add(new Priced(new Pool(template, override, request.defaultType()), price));
            }
        }
        var strategy =
                request.defaultType().equals(SPOT)
                        ? request.spotAllocation()
                        : request.onDemandAllocation();
        var byPrice = Comparator.comparingDouble(Priced::price);
        var byPriority =
                Comparator.<Priced>comparingDouble(each -> each.pool().override().priority());
        found.sort(
                strategy != null && strategy.contains("prioritized")
                        ? byPriority.thenComparing(byPrice)
                        : byPrice.thenComparing(byPriority));
        return found.stream().map(Priced::pool).toList();
    }

    private double price(FleetRequest.Override override, String capacity) throws AwsFault {
        var type = override.instanceType();
        var subnetId = override.subnetId();
        var zone = subnetId == null ? override.zone() : state.network().subnet(subnetId).zone();
        if (!state.catalogue().isKnown(type)) {
            return NO_PRICE;
        }
        var price =
                capacity.equals(SPOT)
                        ? state.catalogue().spot(type, zone)
                        : state.catalogue().onDemand(type);
        return price == null ? NO_PRICE : Double.parseDouble(price);
    }

    /// What EC2 looks at before it says that it would launch this.
    void check(TrialInstance instance) throws AwsFault {
        checkProfile(state.templates().find(instance.templateName()).data());
    }

    private void checkProfile(LaunchTemplate data) throws AwsFault {
        var profile = data.instanceProfile();
        if (!profile.isEmpty() && !state.profiles().isThere(profile)) {
            throw AwsFault.refused(
                    "InvalidParameterValue",
                    "Value (%s) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name"
                            .formatted(profile));
        }
    }

    // One instance.

    /// What was found out of an instance before it is made.
    private record Plan(
            SubnetInfo subnet,
            List<String> groups,
            int addresses,
            @Nullable String placementGroupId,
            int partition,
            String reservationId) {}

    private String launch(Pool pool, SequencedMap<String, String> tags, String fleetId)
            throws AwsFault {
        var subnetId = pool.override().subnetId();
        if (subnetId == null) {
            throw AwsFault.refused(
                    "MissingInput",
                    "No subnets found for the default VPC in %s. Please specify a subnet."
                            .formatted(pool.override().zone()));
        }
        var subnet = state.network().subnet(subnetId);
        checkPool(pool, subnet);
        checkImage(pool);
        checkProfile(pool.data());
        var groups = groups(pool);
        var addresses = pool.interfaces().stream().mapToInt(FakeFleets::addresses).sum();
        if (FakeNetwork.left(subnet, state.instances().all()) < addresses) {
            throw AwsFault.refused(
                    "InsufficientFreeAddressesInSubnet",
                    "There are not enough free addresses in subnet '%s' to satisfy the request."
                            .formatted(subnet.id()));
        }
        var group = pool.data().placement().groupId();
        var partition = group == null ? 0 : partition(pool, group, subnet.zone());
        var plan = new Plan(subnet, groups, addresses, group, partition, reserve(pool, subnet));
        var instance = new FakeInstance(instance(pool, plan, tags, fleetId), addresses);
        state.instances().add(instance);
        return instance.id();
    }

    private static int addresses(LaunchTemplate.Interface given) {
        var prefixes = given.ipv4Prefixes();
        return 1 + ADDRESSES_PER_PREFIX * (prefixes == null ? 0 : prefixes);
    }

    private void checkPool(Pool pool, SubnetInfo subnet) throws AwsFault {
        var type = pool.override().instanceType();
        var zone = subnet.zone();
        var capacity = pool.boughtAs();
        for (var shortage : shortages) {
            if (!shortage.isMeantFor(type, subnet, capacity)) {
                continue;
            }
            if (shortage.remaining > 0) {
                shortage.remaining--;
                return;
            }
            if (shortage.times != 0) {
                shortage.times -= shortage.times > 0 ? 1 : 0;
                var words = shortage.given.message();
                throw AwsFault.refused(
                        shortage.given.code(), words.isEmpty() ? noCapacity(type, zone) : words);
            }
        }
        if (!state.catalogue().isKnown(type)) {
            throw AwsFault.refused(
                    "InvalidParameterValue",
                    "Invalid value '%s' for InstanceType.".formatted(type));
        }
        var isSold = !capacity.equals(SPOT) || state.catalogue().spot(type, zone) != null;
        if (!isSold || !state.catalogue().zonesOf(type).contains(zone)) {
            throw AwsFault.refused(
                    "Unsupported",
                    "Your requested instance type (%s) is not supported in %s as %s."
                            .formatted(type, zone, capacity));
        }
    }

    private static String noCapacity(String type, String zone) {
        return """
               We currently do not have sufficient %s capacity in the Availability Zone you requested (%s). \
               Our system will be working on provisioning additional capacity."""
                .formatted(type, zone);
    }

    private void checkImage(Pool pool) throws AwsFault {
        var id = pool.override().imageId();
        var image = state.images().find(id);
        if (image == null) {
            throw AwsFault.refused(
                    "InvalidAMIID.NotFound", "The image id '[%s]' does not exist".formatted(id));
        }
        var supported = state.catalogue().architectures(pool.override().instanceType());
        if (!supported.contains(image.architecture())) {
            throw AwsFault.refused(
                    "InvalidParameterValue",
                    """
                    The architecture '%s' of the specified instance type does not match \
                    the architecture '%s' of the specified AMI."""
                            .formatted(String.join("|", supported), image.architecture()));
        }
    }

    /// The groups of all interfaces; the network's default group where none is named.
    private List<String> groups(Pool pool) throws AwsFault {
        var groups = new TreeSet<String>();
        for (var each : pool.interfaces()) {
            for (var group : each.groups()) {
                state.network().checkGroup(group);
                groups.add(group);
            }
        }
        return groups.isEmpty() ? List.of("sg-default") : List.copyOf(groups);
    }

    /// The partition that the instance gets; zero in a group without partitions.
    private int partition(Pool pool, String groupId, String zone) throws AwsFault {
        var group = state.network().placementGroup(groupId);
        var there =
                state.instances().all().stream()
                        .filter(each -> !each.isEnded())
                        .map(FakeInstance::info)
                        .filter(each -> each.placementGroupId().equals(group.id()))
                        .toList();
        if (group.strategy().equals("spread")
                && there.stream().filter(each -> each.zone().equals(zone)).count()
                        >= SPREAD_PER_ZONE_MAX) {
            throw AwsFault.refused(
                    "InsufficientInstanceCapacity",
                    "You have reached the limit of instances in this spread placement group in %s."
                            .formatted(zone));
        }
        if (!group.strategy().equals("partition")) {
            return 0;
        }
        var asked = pool.data().placement().partition();
        return asked != null && asked > 0 ? asked : 1 + there.size() % group.partitions();
    }

    /// The reservation of which a place was taken; empty where the template targets none.
    private String reserve(Pool pool, SubnetInfo subnet) throws AwsFault {
        var target = pool.data().reservation();
        var id = target == null ? null : target.id();
        if (id == null) {
            return "";
        }
        var found = state.network().reservation(id);
        if (!found.instanceType().equals(pool.override().instanceType())
                || !found.zone().equals(subnet.zone())
                || !found.state().equals("active")
                || found.available() <= 0) {
            throw AwsFault.refused(
                    "ReservationCapacityExceeded",
                    "The requested reservation %s does not have sufficient compatible and available capacity."
                            .formatted(id));
        }
        state.network().take(id, 1);
        return id;
    }

    private InstanceInfo instance(
            Pool pool, Plan plan, SequencedMap<String, String> tags, String fleetId) {
        numbers++;
        var data = pool.data();
        var reservation = data.reservation();
        var all = new TreeMap<>(data.launchTags().getOrDefault("instance", new TreeMap<>()));
        all.putAll(tags);
        all.put("aws:ec2launchtemplate:id", pool.template().id());
        all.put("aws:ec2launchtemplate:version", "1");
        all.put("aws:ec2:fleet-id", fleetId);
        return new InstanceInfo(
                "i-%017x".formatted(numbers),
                pool.override().instanceType(),
                pool.override().imageId(),
                plan.subnet().zone(),
                plan.subnet().id(),
                plan.groups(),
                "running",
                state.clock().instant(),
                pool.lifecycle(),
                pool.capacity().equals(SPOT) ? "sir-%08x".formatted(numbers) : "",
                plan.reservationId(),
                reservation == null ? "" : reservation.preference(),
                (int)
                        pool.interfaces().stream()
                                .map(LaunchTemplate.Interface::type)
                                .filter(type -> type != null && EFA.contains(type))
                                .count(),
                data.placement().tenancy(),
                plan.placementGroupId() == null ? "" : plan.placementGroupId(),
                plan.partition(),
                all);
    }

    /// Ends instances, which gives back the places of their reservations.
    SequencedMap<String, String> terminate(List<String> ids) throws AwsFault {
        var states = new LinkedHashMap<String, String>();
        for (var instance : state.instances().find(ids)) {
            states.put(instance.id(), instance.isEnded() ? "terminated" : "shutting-down");
            end(instance);
        }
        return states;
    }

    private void end(FakeInstance instance) {
        if (!instance.isEnded()) {
            state.network().take(instance.reservationId(), -1);
            instance.end();
        }
    }

    void change(String instanceId, String wanted) throws AwsFault {
        var instance = state.instances().find(instanceId);
        switch (wanted) {
            case "terminated" -> end(instance);
            case "stopped" -> instance.stop();
            case "running" -> instance.start();
            case "lapsed" -> instance.lapse();
            default ->
                    throw new IllegalArgumentException(
                            "state \"%s\" is unknown; wanted terminated, stopped, running or lapsed"
                                    .formatted(wanted));
        }
    }
}
