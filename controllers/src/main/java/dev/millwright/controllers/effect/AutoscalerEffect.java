package dev.millwright.controllers.effect;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.NoticesAnswer;
import dev.millwright.spi.RebootAnswer;
import dev.millwright.spi.RegistrationHook;
import dev.millwright.spi.TerminateAnswer;

import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;

/// What only steps of the autoscaler want done: questions to a cloud, and decisions to be shown.
public sealed interface AutoscalerEffect extends Effect.External {

    record Launch(MachineClaim claim, Function<LaunchAnswer, Step> then)
            implements AutoscalerEffect {}

    record Terminate(MachineClaim claim, Function<TerminateAnswer, Step> then)
            implements AutoscalerEffect {}

    /// Restarts the claim's machine; `operation` tells one reboot from the next.
    record Reboot(MachineClaim claim, String operation, Function<RebootAnswer, Step> then)
            implements AutoscalerEffect {}

    record Find(String providerId, Function<FindAnswer, Step> then) implements AutoscalerEffect {}

    record ListMachines(Function<ListAnswer, Step> then) implements AutoscalerEffect {}

    record AskDrift(MachineClaim claim, Function<DriftAnswer, Step> then)
            implements AutoscalerEffect {}

    record AskNotices(Function<NoticesAnswer, Step> then) implements AutoscalerEffect {}

    /// Asks every hook of the provider, all at once. The answers are by the hooks' names.
    record AskHooks(
            MachineClaim claim, Function<SequencedMap<String, RegistrationHook.Answer>, Step> then)
            implements AutoscalerEffect {}

    /// A decision, for those who record or show it. It changes nothing.
    record Decided(Deliberation deliberation) implements AutoscalerEffect {}

    @Override
    default List<Object> change() {
        return switch (this) {
            case Launch(var claim, _) -> change("launch", claim);
            case Terminate(var claim, _) -> change("terminate", claim);
            case Reboot(var claim, _, _) -> change("reboot", claim);
            case Find _, ListMachines _, AskDrift _, AskNotices _, AskHooks _, Decided _ ->
                    List.of();
        };
    }

    private static List<Object> change(String what, MachineClaim claim) {
        return List.of("what", what, "NodeClaim", claim.name());
    }
}
