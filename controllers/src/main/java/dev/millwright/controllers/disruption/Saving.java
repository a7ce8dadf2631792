package dev.millwright.controllers.disruption;

import dev.millwright.controllers.disruption.DisruptionQueue.Entry;
import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.pricing.PoolCosts;
import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.step.Effect;

import java.util.List;

/// What the fleet costs less by the hour for a command that is carried out: the nodes that go, less
/// the replacements that came for them. Which type a replacement became is known only now; where
/// nobody knows its price, the whole counts as planned.
record Saving(Command command, double perHour) {

    static Saving of(View view, Catalogs catalogs, Entry entry) {
        var command = entry.command();
        var before = command.candidates().stream().mapToDouble(Candidate::pricePerHour).sum();
        var after = 0.0;
        for (var name : entry.replacements()) {
            var claim = view.claim(name);
            var price = claim == null ? null : PoolCosts.perHour(view, catalogs, claim);
            if (price == null) {
                return new Saving(command, command.savedPerHour());
            }
            after += price;
        }
        return new Saving(command, before - after);
    }

    /// A counter never goes down: of a command that costs more, as a drifted node's may, nothing is
    /// counted. Only consolidations mean to save.
    List<Effect> counts() {
        return perHour > 0 && command.method().isConsolidation()
                ? List.of(
                        new Effect.Count(
                                OwnFamilies.CONSOLIDATION_SAVED,
                                perHour,
                                List.of(
                                        SnakeCase.of(command.method().reason().text()),
                                        command.method().consolidationType())))
                : List.of();
    }
}
