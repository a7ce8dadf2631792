package dev.millwright.providers.aws.api;

import java.util.List;

/// What came of a fleet: instances, and errors even where there are instances.
public record FleetAnswer(String fleetId, List<Launched> launched, List<Refusal> refusals) {

    public FleetAnswer {
        launched = List.copyOf(launched);
        refusals = List.copyOf(refusals);
    }

    /// Instances that one override gave.
    public record Launched(List<String> ids, Choice choice) {

        public Launched {
            ids = List.copyOf(ids);
        }
    }

    public record Refusal(String code, String message, Choice choice) {}

    /// A template with one of its overrides. What EC2 leaves out is empty.
    public record Choice(
            String templateName,
            String instanceType,
            String subnetId,
            String imageId,
            String zone,
            String lifecycle) {}
}
