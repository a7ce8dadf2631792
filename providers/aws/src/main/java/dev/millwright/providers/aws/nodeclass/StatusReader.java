package dev.millwright.providers.aws.nodeclass;

import dev.millwright.core.label.Operator;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.kube.document.Field;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.CapacityReservation;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationState;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationType;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.SecurityGroup;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Subnet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The status from its document.
final class StatusReader {

    private StatusReader() {}

    static NodeClassStatus status(Field status) {
        return new NodeClassStatus(
                status.at("subnets").elements().stream().map(StatusReader::subnet).toList(),
                status.at("securityGroups").elements().stream()
                        .map(StatusReader::securityGroup)
                        .toList(),
                status.at("capacityReservations").elements().stream()
                        .map(StatusReader::reservation)
                        .toList(),
                status.at("amis").elements().stream().map(StatusReader::ami).toList(),
                SpecReader.stated(status.at("instanceProfile")));
    }

    private static Subnet subnet(Field field) {
        return new Subnet(
                field.at("id").text(""), field.at("zone").text(""), field.at("zoneID").text(""));
    }

    private static SecurityGroup securityGroup(Field field) {
        return new SecurityGroup(field.at("id").text(""), field.at("name").text(""));
    }

    private static CapacityReservation reservation(Field field) {
        return new CapacityReservation(
                field.at("id").text(""),
                field.at("availabilityZone").text(""),
                field.at("instanceType").text(""),
                field.at("ownerID").text(""),
                field.at("instanceMatchCriteria").text(""),
                field.at("reservationType").text("").equals(ReservationType.CAPACITY_BLOCK.text())
                        ? ReservationType.CAPACITY_BLOCK
                        : ReservationType.DEFAULT,
                field.at("state").text("").equals(ReservationState.EXPIRING.text())
                        ? ReservationState.EXPIRING
                        : ReservationState.ACTIVE,
                field.at("interruptible").isTrue(),
                field.at("endTime").instant());
    }

    private static Ami ami(Field field) {
        return new Ami(
                field.at("id").text(""),
                field.at("name").text(""),
                field.at("deprecated").isTrue(),
                requirements(field.at("requirements")));
    }

    private static List<SelectorRequirement> requirements(Field field) {
        var requirements = new ArrayList<SelectorRequirement>();
        for (var element : field.elements()) {
            var operator = operator(element.at("operator").text(""));
            if (operator != null) {
                requirements.add(
                        new SelectorRequirement(
                                element.at("key").text(""),
                                operator,
                                element.at("values").textList(),
                                null));
            }
        }
        return requirements;
    }

    private static @Nullable Operator operator(String text) {
        for (var operator : Operator.values()) {
            if (operator.text().equals(text)) {
                return operator;
            }
        }
        return null;
    }
}
