package dev.millwright.world.cluster;

import dev.millwright.core.label.Taint;
import dev.millwright.kube.document.Value;

import java.util.List;
import java.util.Map;

/// What controllers look at in a Node.
public record NodeFacts(
        String name,
        String uid,
        String providerId,
        Map<String, String> labels,
        List<Taint> taints,
        boolean isUnschedulable,
        Ready ready,
        boolean isDeleting,
        Value.Mapping object) {

    public enum Ready {
        TRUE,
        FALSE,
        UNKNOWN
    }

    public static NodeFacts of(Value.Mapping object) {
        return new NodeFacts(
                Reading.text(object, "metadata", "name"),
                Reading.text(object, "metadata", "uid"),
                Reading.text(object, "spec", "providerID"),
                Reading.texts(object, "metadata", "labels"),
                Reading.taints(object, "spec", "taints"),
                Reading.isTrue(object, "spec", "unschedulable"),
                ready(object),
                Reading.at(object, "metadata", "deletionTimestamp") != null,
                object);
    }

    private static Ready ready(Value.Mapping object) {
        var condition = Reading.condition(object, "Ready");
        return switch (condition == null ? "" : Reading.text(condition, "status")) {
            case "True" -> Ready.TRUE;
            case "False" -> Ready.FALSE;
            default -> Ready.UNKNOWN;
        };
    }

    public boolean has(Taint taint) {
        return taints.stream().anyMatch(taint::matches);
    }
}
