package dev.millwright.controllers.disruption;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Effect;

import java.util.ArrayList;
import java.util.List;

/// How a disruption is counted when it is carried out.
final class Disrupted {

    private Disrupted() {}

    static List<Effect> counts(ClaimObject claim, Command command, Candidate candidate) {
        var counted = new ArrayList<Effect>();
        var labels =
                List.of(
                        SnakeCase.of(command.method().reason().text()),
                        claim.nodePool(),
                        claim.meta().label(LabelKeys.CAPACITY_TYPE),
                        command.method().consolidationType().isEmpty()
                                ? ""
                                : SnakeCase.of(candidate.pool().policy().text()),
                        ClaimDeletion.terminationMode(claim));
        counted.add(new Effect.Count(Families.NODECLAIMS_DISRUPTED, 1, labels));
        var pods = candidate.reschedulablePods().size();
        if (pods > 0) {
            counted.add(new Effect.Count(Families.PODS_DISRUPTION_INITIATED, pods, labels));
        }
        var diagnosis = command.terms().diagnosis();
        if (diagnosis != null) {
            counted.add(
                    new Effect.Count(
                            Families.NODECLAIMS_UNHEALTHY_DISRUPTED,
                            SnakeCase.of(diagnosis.sign().type()),
                            claim.nodePool(),
                            claim.meta().label(LabelKeys.CAPACITY_TYPE),
                            claim.status().imageId(),
                            mode(claim, command)));
        }
        return counted;
    }

    /// A repair may press harder than the claim alone would.
    private static String mode(ClaimObject claim, Command command) {
        var drainMax = command.terms().drainMax();
        if (drainMax == null) {
            return ClaimDeletion.terminationMode(claim);
        }
        return drainMax.isZero() ? "forceful" : "eventual";
    }
}
