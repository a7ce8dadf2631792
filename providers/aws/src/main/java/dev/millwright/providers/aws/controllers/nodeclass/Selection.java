package dev.millwright.providers.aws.controllers.nodeclass;

import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.AMIS_READY;
import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.CAPACITY_RESERVATIONS_READY;
import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.PLACEMENT_GROUP_READY;
import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.SECURITY_GROUPS_READY;
import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.SUBNETS_READY;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.image.Images;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.PlacementGroups;
import dev.millwright.providers.aws.network.SecurityGroups;
import dev.millwright.providers.aws.network.Subnets;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.CapacityReservation;
import dev.millwright.runtime.log.LogLevel;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What a class's selectors lead to: images, reservations, placement group, subnets, groups.
///
/// Each part is looked at whatever becomes of the others.
public final class Selection {

    private static final Duration NOT_FOUND_AGAIN = Duration.ofMinutes(1);
    private static final Duration IMAGES_AGAIN = Duration.ofMinutes(5);
    private static final Duration RESERVATIONS_AGAIN = Duration.ofMinutes(1);
    private static final Duration SUBNETS_AGAIN = Duration.ofMinutes(1);
    private static final Duration SECURITY_GROUPS_AGAIN = Duration.ofMinutes(5);

    private final Images images;
    private final CapacityReservations reservations;
    private final PlacementGroups placementGroups;
    private final Subnets subnets;
    private final SecurityGroups securityGroups;
    private final boolean isReservedCapacityOn;

    public Selection(
            Images images,
            CapacityReservations reservations,
            PlacementGroups placementGroups,
            Subnets subnets,
            SecurityGroups securityGroups,
            boolean isReservedCapacityOn) {
        this.images = images;
        this.reservations = reservations;
        this.placementGroups = placementGroups;
        this.subnets = subnets;
        this.securityGroups = securityGroups;
        this.isReservedCapacityOn = isReservedCapacityOn;
    }

    boolean isReservedCapacityOn() {
        return isReservedCapacityOn;
    }

    Look look(Look before) {
        var look = images(before);
        if (isReservedCapacityOn) {
            look = reservations(look);
        }
        return securityGroups(subnets(placementGroup(look)));
    }

    private Look images(Look look) {
        try {
            return switch (images.of(look.nodeClass())) {
                case Images.Answer.Unsupported(var message) ->
                        look.with(look.status().withAmis(List.of()))
                                .unready(AMIS_READY, "UnsupportedAlias", message)
                                .say(LogLevel.ERROR, "alias is not supported", "why", message);
                case Images.Answer.Found(var amis, var oddities) when amis.isEmpty() ->
                        odd(look, oddities)
                                .with(look.status().withAmis(List.of()))
                                .unready(AMIS_READY, "AMINotFound", noImage(look, oddities))
                                .againAfter(NOT_FOUND_AGAIN);
                case Images.Answer.Found(var amis, var oddities) ->
                        odd(look, oddities)
                                .with(look.status().withAmis(amis))
                                .ready(AMIS_READY)
                                .againAfter(IMAGES_AGAIN);
            };
        } catch (AwsFault fault) {
            return look.failed("images: " + fault.text());
        }
    }

    private static String noImage(Look look, List<String> oddities) {
        var causes = new ArrayList<>(oddities);
        look.nodeClass().faults().stream()
                .filter(fault -> fault.startsWith("spec.amiSelectorTerms"))
                .forEach(causes::add);
        var because = causes.isEmpty() ? "" : " (%s)".formatted(String.join("; ", causes));
        return "EC2NodeClass %s: amiSelectorTerms lead to no image of architecture x86_64 or arm64%s"
                .formatted(look.nodeClass().name(), because);
    }

    private static Look odd(Look look, List<String> oddities) {
        var told = look;
        for (var oddity : oddities) {
            told = told.say(LogLevel.WARN, "left out what a selector leads to", "why", oddity);
        }
        return told;
    }

    private Look reservations(Look look) {
        try {
            var found = reservations.of(look.nodeClass());
            return odd(look, found.oddities())
                    .with(look.status().withCapacityReservations(found.reservations()))
                    .ready(CAPACITY_RESERVATIONS_READY)
                    .againAfter(untilNextEnd(found.reservations(), look.now()));
        } catch (AwsFault fault) {
            return look.failed("capacity reservations: " + fault.text());
        }
    }

    private static Duration untilNextEnd(List<CapacityReservation> reservations, Instant now) {
        var next = RESERVATIONS_AGAIN;
        for (var reservation : reservations) {
            var end = reservation.endTime();
            if (end != null) {
                var left = Duration.between(now, end);
                next = left.isNegative() ? Duration.ZERO : left.compareTo(next) < 0 ? left : next;
            }
        }
        return next;
    }

    private Look placementGroup(Look look) {
        return switch (placementGroups.of(look.nodeClass())) {
            case PlacementGroups.Answer.NotWanted(), PlacementGroups.Answer.Found(_) ->
                    look.ready(PLACEMENT_GROUP_READY);
            case PlacementGroups.Answer.NotFound(var selector) ->
                    look.unready(
                                    PLACEMENT_GROUP_READY,
                                    "PlacementGroupNotFound",
                                    "EC2NodeClass %s: no available placement group has %s"
                                            .formatted(look.nodeClass().name(), selector))
                            .againAfter(NOT_FOUND_AGAIN);
            case PlacementGroups.Answer.Failed(var fault, _) ->
                    look.unready(
                                    PLACEMENT_GROUP_READY,
                                    "PlacementGroupResolutionFailed",
                                    "EC2NodeClass %s: EC2 did not tell of the placement group; see the log"
                                            .formatted(look.nodeClass().name()))
                            .failed("placement group: " + fault.text());
        };
    }

    private Look subnets(Look look) {
        try {
            var found = subnets.of(look.nodeClass());
            var next = look.with(look.status().withSubnets(Subnets.told(found)));
            return found.isEmpty()
                    ? next.unready(
                                    SUBNETS_READY,
                                    "SubnetsNotFound",
                                    "EC2NodeClass %s: subnetSelectorTerms lead to no subnet"
                                            .formatted(look.nodeClass().name()))
                            .againAfter(NOT_FOUND_AGAIN)
                    : next.ready(SUBNETS_READY).againAfter(SUBNETS_AGAIN);
        } catch (AwsFault fault) {
            return look.failed("subnets: " + fault.text());
        }
    }

    private Look securityGroups(Look look) {
        try {
            var found = securityGroups.of(look.nodeClass());
            var next = look.with(look.status().withSecurityGroups(SecurityGroups.told(found)));
            return found.isEmpty()
                    ? next.unready(
                                    SECURITY_GROUPS_READY,
                                    "SecurityGroupsNotFound",
                                    "EC2NodeClass %s: securityGroupSelectorTerms lead to no security group"
                                            .formatted(look.nodeClass().name()))
                            .againAfter(NOT_FOUND_AGAIN)
                    : next.ready(SECURITY_GROUPS_READY).againAfter(SECURITY_GROUPS_AGAIN);
        } catch (AwsFault fault) {
            return look.failed("security groups: " + fault.text());
        }
    }
}
