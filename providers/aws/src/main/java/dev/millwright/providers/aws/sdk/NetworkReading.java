package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.ImageInfo;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.api.ReservationInfo;
import dev.millwright.providers.aws.api.SecurityGroupInfo;
import dev.millwright.providers.aws.api.SubnetInfo;
import dev.millwright.providers.aws.api.TemplateInfo;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.services.ec2.model.CapacityReservation;
import software.amazon.awssdk.services.ec2.model.Image;
import software.amazon.awssdk.services.ec2.model.LaunchTemplate;
import software.amazon.awssdk.services.ec2.model.PlacementGroup;
import software.amazon.awssdk.services.ec2.model.SecurityGroup;
import software.amazon.awssdk.services.ec2.model.SpotPrice;
import software.amazon.awssdk.services.ec2.model.Subnet;
import software.amazon.awssdk.services.ec2.model.Tag;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.SequencedMap;

/// What instances are made from and run in, as EC2 describes it.
final class NetworkReading {

    private static final String DEFAULT_RESERVATION = "default";

    private NetworkReading() {}

    static SubnetInfo subnet(Subnet found) {
        return new SubnetInfo(
                found.subnetId(),
                Absent.text(found.vpcId()),
                Absent.text(found.availabilityZone()),
                Absent.text(found.availabilityZoneId()),
                Absent.number(found.availableIpAddressCount()),
                tags(found.tags()));
    }

    static SecurityGroupInfo group(SecurityGroup found) {
        return new SecurityGroupInfo(
                found.groupId(),
                Absent.text(found.groupName()),
                Absent.text(found.vpcId()),
                tags(found.tags()));
    }

    static ImageInfo image(Image found) {
        var created = instant(found.creationDate());
        return new ImageInfo(
                found.imageId(),
                Absent.text(found.name()),
                Absent.text(found.architectureAsString()),
                created == null ? Instant.EPOCH : created,
                instant(found.deprecationTime()));
    }

    static ReservationInfo reservation(CapacityReservation found) {
        var kind = Absent.text(found.reservationTypeAsString());
        return new ReservationInfo(
                found.capacityReservationId(),
                Absent.text(found.ownerId()),
                Absent.text(found.instanceType()),
                Absent.text(found.availabilityZone()),
                Absent.text(found.instanceMatchCriteriaAsString()),
                kind.isEmpty() ? DEFAULT_RESERVATION : kind,
                Absent.flag(found.interruptible()),
                Absent.text(found.stateAsString()),
                Absent.number(found.availableInstanceCount()),
                Absent.number(found.totalInstanceCount()),
                found.endDate(),
                tags(found.tags()));
    }

    static PlacementGroupInfo placementGroup(PlacementGroup found) {
        return new PlacementGroupInfo(
                Absent.text(found.groupId()),
                Absent.text(found.groupName()),
                Absent.text(found.stateAsString()),
                Absent.text(found.strategyAsString()),
                Absent.number(found.partitionCount()),
                Absent.text(found.spreadLevelAsString()));
    }

    static dev.millwright.providers.aws.api.SpotPrice price(SpotPrice found) {
        return new dev.millwright.providers.aws.api.SpotPrice(
                found.instanceTypeAsString(),
                found.availabilityZone(),
                new BigDecimal(found.spotPrice()),
                found.timestamp());
    }

    static TemplateInfo template(LaunchTemplate found) {
        return new TemplateInfo(
                found.launchTemplateId(), found.launchTemplateName(), tags(found.tags()));
    }

    static SequencedMap<String, String> tags(List<Tag> tags) {
        return Absent.tags(tags, Tag::key, Tag::value);
    }

    /// EC2 tells images' dates as text.
    private static @Nullable Instant instant(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException _) {
            return null;
        }
    }
}
