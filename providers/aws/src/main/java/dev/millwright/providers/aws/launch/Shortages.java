package dev.millwright.providers.aws.launch;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.providers.aws.api.FleetAnswer;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.Subnets;
import dev.millwright.providers.aws.offering.UnavailableOfferings;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Learns from what EC2 refused, so that the next plan chooses what is to be had.
public final class Shortages {

    private final UnavailableOfferings unavailable;
    private final Subnets subnets;
    private final CapacityReservations reservations;

    public Shortages(
            UnavailableOfferings unavailable, Subnets subnets, CapacityReservations reservations) {
        this.unavailable = unavailable;
        this.subnets = subnets;
        this.reservations = reservations;
    }

    /// What was asked for when EC2 refused.
    ///
    /// @param placementGroup null when the class has none
    /// @param partition null when any of the group's will do
    record Asked(
            String capacityType,
            List<InstanceType> types,
            @Nullable PlacementGroupInfo placementGroup,
            @Nullable Integer partition) {}

    void learn(FleetAnswer.Refusal refusal, Asked asked, Instant now) {
        var choice = refusal.choice();
        var isSubnetFull = refusal.code().equals(LaunchReason.SUBNET_FULL);
        if (isSubnetFull && !choice.subnetId().isEmpty()) {
            subnets.exhausted(choice.subnetId());
            unavailable.markSubnet(choice.subnetId(), now);
        }
        if (asked.capacityType().equals(LabelKeys.CAPACITY_TYPE_RESERVED)) {
            learnReserved(refusal, asked);
        } else if (refusal.code().equals(LaunchReason.SERVICE_LINKED_ROLE)) {
            unavailable.markCapacityType(LabelKeys.CAPACITY_TYPE_SPOT, now);
        } else if (isSpreadLimit(refusal, asked)) {
            for (var type : asked.types()) {
                mark(type.name(), choice.zone(), asked, now);
            }
        } else if (LaunchReason.isUnfulfillable(refusal.code()) && !isSubnetFull) {
            mark(choice.instanceType(), choice.zone(), asked, now);
        }
    }

    private static boolean isSpreadLimit(FleetAnswer.Refusal refusal, Asked asked) {
        return asked.placementGroup() != null && LaunchReason.isSpreadLimit(refusal.message());
    }

    private void mark(String type, String zone, Asked asked, Instant now) {
        unavailable.mark(
                new UnavailableOfferings.Mark(asked.capacityType(), type, zone, scope(asked)), now);
    }

    private static UnavailableOfferings.Scope scope(Asked asked) {
        var group = asked.placementGroup();
        if (group == null) {
            return UnavailableOfferings.Scope.ANYWHERE;
        }
        var partition = asked.partition();
        return partition == null
                ? UnavailableOfferings.Scope.group(group.id())
                : UnavailableOfferings.Scope.partition(group.id(), partition.toString());
    }

    private void learnReserved(FleetAnswer.Refusal refusal, Asked asked) {
        if (!LaunchReason.isUnfulfillable(refusal.code()) || isSpreadLimit(refusal, asked)) {
            return;
        }
        var choice = refusal.choice();
        for (var type : asked.types()) {
            if (type.name().equals(choice.instanceType())) {
                type.offerings().stream()
                        .filter(offering -> offering.isReserved())
                        .filter(offering -> offering.zone().equals(choice.zone()))
                        .map(TemplateGroup.Reservation::of)
                        .forEach(reservation -> reservations.exhausted(reservation.id()));
            }
        }
    }
}
