package dev.millwright.providers.sim;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;

/// A type as a text of one fact a line, so that a golden file differs where the type does.
final class TypeText {

    private TypeText() {}

    static String of(InstanceType type) {
        var lines = new ArrayList<String>();
        type.requirements().all().stream().map(Requirement::toString).forEach(lines::add);
        lines.add("capacity: " + type.capacity());
        lines.add("kube reserved: " + type.overhead().kubeReserved());
        lines.add("eviction: " + type.overhead().evictionThreshold());
        lines.add("cpu for pods: " + type.allocatable().amount(Resources.CPU));
        lines.add(
                "memory for pods: " + type.allocatable().amount(Resources.MEMORY).toBinaryString());
        type.offerings().stream().map(TypeText::offering).forEach(lines::add);
        return String.join("\n", lines) + "\n";
    }

    private static String offering(Offering offering) {
        return "%s %s: %s"
                .formatted(
                        offering.zone(),
                        offering.capacityType(),
                        offering.isAvailable() ? offering.pricePerHour() : "unavailable");
    }
}
