package dev.millwright.core.forecast;

import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// All that a forecast is made from.
///
/// `provisioning` and `disruption` are of the same cluster at the same moment: what the operator
/// would plan for waiting pods, and take nodes away, from. `quietSince` tells of nodes, by name,
/// when a pod last came or went; of one that is not there only its condition is known.
public record ForecastProblem(
        SchedulingProblem provisioning,
        DisruptionProblem disruption,
        DisruptionOptions options,
        SequencedMap<String, Instant> quietSince,
        List<Asked> asked,
        Pace pace) {

    /// A claim that the cloud has not answered yet.
    public record Asked(String name, String nodePool, Requirements requirements) {}

    public ForecastProblem {
        asked = List.copyOf(asked);
        quietSince = Collections.unmodifiableSequencedMap(new TreeMap<>(quietSince));
    }

    public Instant now() {
        return provisioning.snapshot().takenAt();
    }
}
