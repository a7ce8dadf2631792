package dev.millwright.providers.aws.launch;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.scheduling.PoolTypes;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.FleetAnswer;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.bootstrap.UserData;
import dev.millwright.providers.aws.network.SubnetOffer;
import dev.millwright.providers.aws.network.Subnets;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.spi.LaunchAnswer;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Launches one machine for a claim: chooses what to ask for, asks, and learns from the answer.
public final class Launcher {

    /// As many as a fleet takes in one request.
    static final int TYPES_MAX = 60;

    private static final int ASKED_AT_MOST = 2;

    /// What a launch leads to.
    public sealed interface Launched {

        record Machine(InstanceInfo instance, InstanceType type) implements Launched {}

        record None(LaunchAnswer answer) implements Launched {}
    }

    /// What of a class is needed to launch, and who asks.
    ///
    /// @param tags of everything that is made for the claim
    public record Order(
            Wish wish,
            Ec2NodeClass nodeClass,
            SequencedMap<String, String> tags,
            List<InstanceType> types,
            @Nullable PlacementGroupInfo placementGroup) {}

    private final TemplateMaker maker;
    private final LaunchTemplates templates;
    private final NodeWords words;
    private final Fleets fleets;
    private final Subnets subnets;
    private final Shortages shortages;
    private final MinValues minValues;
    private final LaunchListener listener;
    private final Meter meter;
    private final InstantSource clock;

    public Launcher(
            TemplateMaker maker,
            LaunchTemplates templates,
            NodeWords words,
            Fleets fleets,
            Subnets subnets,
            Shortages shortages,
            MinValues minValues,
            LaunchListener listener,
            Meter meter,
            InstantSource clock) {
        this.maker = maker;
        this.templates = templates;
        this.words = words;
        this.fleets = fleets;
        this.subnets = subnets;
        this.shortages = shortages;
        this.minValues = minValues;
        this.listener = listener;
        this.meter = meter;
        this.clock = clock;
    }

    public Launched launch(Order order) {
        var wish = order.wish();
        var outcome = LaunchFilters.apply(wish, order.types());
        if (outcome.types().isEmpty()) {
            return insufficient(nothingLeft(order, outcome));
        }
        var types = cheapest(wish, outcome.types());
        if (wish.hasMinValues() && minValues == MinValues.STRICT) {
            var unmet = PoolTypes.unmetMinValues(types, wish.requirements());
            if (unmet != null) {
                return insufficient(
                        "NodeClaim %s: with the %d cheapest types of %d, %s has %d values; wanted %d"
                                .formatted(
                                        wish.claim().name(),
                                        types.size(),
                                        outcome.types().size(),
                                        unmet.key(),
                                        unmet.found(),
                                        unmet.wanted()));
            }
        }
        return ask(order, types, wish.capacityType(types));
    }

    /// Cheapest first, as many as a fleet takes.
    private static List<InstanceType> cheapest(Wish wish, List<InstanceType> types) {
        record Priced(double price, InstanceType type) {}
        return types.stream()
                .map(type -> new Priced(wish.cheapest(type), type))
                .sorted(
                        Comparator.comparingDouble(Priced::price)
                                .thenComparing(each -> each.type().name()))
                .limit(TYPES_MAX)
                .map(Priced::type)
                .toList();
    }

    private static String nothingLeft(Order order, LaunchFilters.Outcome outcome) {
        var last = outcome.rejections().isEmpty() ? null : outcome.rejections().getLast();
        return "NodeClaim %s: none of %d instance types is to be had that meets its requirements%s"
                .formatted(
                        order.wish().claim().name(),
                        order.types().size(),
                        last == null ? "" : "; the last were rejected by " + last.filter());
    }

    /// A template may have been deleted behind our back: then it is made again, once.
    private Launched ask(Order order, List<InstanceType> types, String capacityType) {
        for (var attempt = 1; ; attempt++) {
            var offer = subnets.forLaunch(order.nodeClass(), types, capacityType);
            if (offer.isEmpty()) {
                return refused(
                        "SubnetResolutionFailed",
                        "EC2NodeClass %s has no subnet; see its condition SubnetsReady"
                                .formatted(order.nodeClass().name()));
            }
            var ensured = new ArrayList<FleetRequests.Ensured>();
            var problem = ensure(order, types, capacityType, ensured);
            if (problem != null) {
                subnets.giveBack(offer, List.of());
                return new Launched.None(problem);
            }
            var request =
                    FleetRequests.of(
                            new FleetRequests.Parts(
                                    order.wish(),
                                    capacityType,
                                    ensured,
                                    offer.subnetIds(),
                                    order.tags(),
                                    order.nodeClass().spec().context()));
            if (request == null) {
                subnets.giveBack(offer, List.of());
                return refused(
                        "LaunchFailed",
                        "NodeClaim %s: no zone with an offering has both a subnet and an image for it"
                                .formatted(order.wish().claim().name()));
            }
            switch (fleets.ask(request)) {
                case Fleets.Share.Failed(var fault) -> {
                    subnets.giveBack(offer, List.of());
                    if (!isTemplateMissing(fault) || attempt == ASKED_AT_MOST) {
                        return failed(fault);
                    }
                    templates.forget(
                            ensured.stream().map(FleetRequests.Ensured::templateName).toList());
                }
                case Fleets.Share.Nothing(var refusals) -> {
                    learn(order, types, capacityType, refusals);
                    if (capacityType.equals(LabelKeys.CAPACITY_TYPE_SPOT)) {
                        listener.spotRefused(order.wish().claim());
                    }
                    subnets.giveBack(offer, List.of());
                    return none(order, refusals);
                }
                case Fleets.Share.Machine(var id, var choice, var refusals) -> {
                    learn(order, types, capacityType, refusals);
                    subnets.giveBack(offer, List.of(choice.subnetId()));
                    return machine(order, types, capacityType, id, choice, offer);
                }
            }
        }
    }

    private static boolean isTemplateMissing(AwsFault fault) {
        return fault.code().equals("InvalidLaunchTemplateName.NotFoundException");
    }

    /// Makes sure of the templates of all groups, or says why not.
    private @Nullable LaunchAnswer ensure(
            Order order,
            List<InstanceType> types,
            String capacityType,
            List<FleetRequests.Ensured> ensured) {
        var groups =
                TemplateGroup.of(
                        order.wish(), order.nodeClass().status().amis(), types, capacityType);
        try {
            for (var group : groups) {
                switch (ensure(order, group, capacityType)) {
                    case Ensured.There(var template) ->
                            ensured.add(new FleetRequests.Ensured(group, template.name()));
                    case Ensured.Speechless(var why) -> {
                        return new LaunchAnswer.NodeClassNotReady(why);
                    }
                }
            }
            return null;
        } catch (AwsFault fault) {
            var reason = LaunchReason.of(fault.text());
            return new LaunchAnswer.Refused(reason.reason(), reason.message());
        }
    }

    /// What came of a wish for a template.
    sealed interface Ensured {
        record There(LaunchTemplate template) implements Ensured {}

        /// There are no words for its machines to start by.
        record Speechless(String why) implements Ensured {}
    }

    /// Makes sure that a group's template is there.
    Ensured ensure(Order order, TemplateGroup group, String capacityType) throws AwsFault {
        return switch (words.of(order.nodeClass(), order.wish(), group, capacityType)) {
            case UserData.Invalid(var problem) ->
                    new Ensured.Speechless(speechless(order, problem));
            case UserData.NotReady(var problem) ->
                    new Ensured.Speechless(speechless(order, problem));
            case UserData.Written written -> {
                var template =
                        maker.make(
                                order.nodeClass(),
                                new TemplateMaker.Parts(
                                        order.wish(),
                                        group,
                                        capacityType,
                                        order.tags(),
                                        written.base64(),
                                        order.placementGroup()));
                if (templates.ensure(template)) {
                    listener.made(order.nodeClass().name(), written);
                }
                yield new Ensured.There(template);
            }
        };
    }

    private static String speechless(Order order, String problem) {
        return "EC2NodeClass %s: %s".formatted(order.nodeClass().name(), problem);
    }

    private void learn(
            Order order,
            List<InstanceType> types,
            String capacityType,
            List<FleetAnswer.Refusal> refusals) {
        var asked =
                new Shortages.Asked(
                        capacityType,
                        types,
                        order.placementGroup(),
                        TemplateMaker.partition(order.wish()));
        for (var refusal : refusals) {
            var zone = refusal.choice().zone();
            var zoneId = zone.isEmpty() ? null : subnets.zoneId(zone);
            meter.count(
                    LaunchFamilies.LAUNCH_FAILURES,
                    1,
                    List.of(
                            zone,
                            zoneId == null ? "" : zoneId,
                            capacityType,
                            LaunchReason.of(text(refusal)).reason()));
            shortages.learn(refusal, asked, clock.instant());
        }
        refusals.stream()
                .filter(refusal -> refusal.code().equals(LaunchReason.SERVICE_LINKED_ROLE))
                .findFirst()
                .ifPresent(
                        refusal -> listener.spotForbidden(order.wish().claim(), refusal.message()));
    }

    private static String text(FleetAnswer.Refusal refusal) {
        return "%s: %s".formatted(refusal.code(), refusal.message());
    }

    /// Out of capacity when that is all that was wrong; otherwise somebody has to look.
    private static Launched none(Order order, List<FleetAnswer.Refusal> refusals) {
        var texts =
                refusals.stream()
                        .map(Launcher::text)
                        .collect(Collectors.toCollection(TreeSet::new));
        var message =
                refusals.isEmpty()
                        ? "EC2 launched fewer instances than it was asked for and does not say why"
                        : String.join("; ", texts);
        var isOut =
                refusals.stream()
                        .allMatch(
                                refusal ->
                                        LaunchReason.isUnfulfillable(refusal.code())
                                                || refusal.code()
                                                        .equals(LaunchReason.SERVICE_LINKED_ROLE));
        if (isOut) {
            return insufficient("NodeClaim %s: %s".formatted(order.wish().claim().name(), message));
        }
        var reason = LaunchReason.of(message);
        return refused(reason.reason(), reason.message());
    }

    private Launched machine(
            Order order,
            List<InstanceType> types,
            String capacityType,
            String id,
            FleetAnswer.Choice choice,
            SubnetOffer offer) {
        var type =
                types.stream()
                        .filter(each -> each.name().equals(choice.instanceType()))
                        .findFirst()
                        .orElse(null);
        if (type == null) {
            return refused(
                    "LaunchFailed",
                    "instance %s has type %s, which was not asked for"
                            .formatted(id, choice.instanceType()));
        }
        var zone = choice.zone().isEmpty() ? zoneOf(choice.subnetId(), offer) : choice.zone();
        var reservation =
                capacityType.equals(LabelKeys.CAPACITY_TYPE_RESERVED)
                        ? type.offerings().stream()
                                .filter(each -> each.isReserved() && each.zone().equals(zone))
                                .map(TemplateGroup.Reservation::of)
                                .findFirst()
                                .orElse(null)
                        : null;
        return new Launched.Machine(
                instance(order, capacityType, id, choice, zone, type, reservation), type);
    }

    private static String zoneOf(String subnetId, SubnetOffer offer) {
        for (var entry : offer.subnetIds().sequencedEntrySet()) {
            if (entry.getValue().equals(subnetId)) {
                return entry.getKey();
            }
        }
        return "";
    }

    /// The instance as EC2 will describe it in a moment.
    private InstanceInfo instance(
            Order order,
            String capacityType,
            String id,
            FleetAnswer.Choice choice,
            String zone,
            InstanceType type,
            TemplateGroup.@Nullable Reservation reservation) {
        var group = order.placementGroup();
        var partition = group == null ? null : TemplateMaker.partition(order.wish());
        return new InstanceInfo(
                id,
                type.name(),
                choice.imageId(),
                zone,
                choice.subnetId(),
                order.nodeClass().status().securityGroups().stream()
                        .map(NodeClassStatus.SecurityGroup::id)
                        .toList(),
                "pending",
                clock.instant(),
                lifecycle(capacityType, reservation),
                "",
                reservation == null ? "" : reservation.id(),
                reservation == null ? "" : "capacity-reservations-only",
                efaInterfaces(order, type),
                order.wish().tenancy(),
                group == null ? "" : group.id(),
                partition == null ? 0 : partition,
                order.tags());
    }

    private static String lifecycle(
            String capacityType, TemplateGroup.@Nullable Reservation reservation) {
        if (capacityType.equals(LabelKeys.CAPACITY_TYPE_SPOT)) {
            return "spot";
        }
        if (reservation == null) {
            return "";
        }
        return reservation.isCapacityBlock()
                ? "capacity-block"
                : reservation.isInterruptible() ? "interruptible-capacity-reservation" : "";
    }

    private static int efaInterfaces(Order order, InstanceType type) {
        var isWanted =
                !order.wish().requests().amount(TemplateGroup.EFA).isZero()
                        || !order.nodeClass().spec().networkInterfaces().isEmpty();
        return isWanted ? Math.toIntExact(type.capacity().amount(TemplateGroup.EFA).units()) : 0;
    }

    private static Launched insufficient(String message) {
        return new Launched.None(new LaunchAnswer.InsufficientCapacity(message));
    }

    private static Launched refused(String reason, String message) {
        return new Launched.None(new LaunchAnswer.Refused(reason, message));
    }

    private static Launched failed(AwsFault fault) {
        var reason = LaunchReason.of(fault.text());
        return refused(reason.reason(), reason.message());
    }
}
