package dev.millwright.kube.record.value;

import dev.millwright.core.deliberation.Deliberation;

/// What a deliberation came to, without what it was made from, so that two can be compared to the
/// last bit. Decisions have no equality of their own.
public final class Outcome {

    private Outcome() {}

    /// Equal outcomes have equal bytes.
    public static byte[] bytes(Deliberation deliberation) {
        var out = new ValueOut(null);
        switch (deliberation) {
            case Deliberation.Provisioning(_, var plan) -> out.inline(PlanSpellings.PLAN, plan);
            case Deliberation.Disruption(_, var decision) -> {
                out.constant(decision.method());
                out.list(DisruptionSpellings.COMMAND, decision.commands());
                out.map(KeepReasonSpellings.REASON, decision.kept());
                out.count(decision.eligible());
                out.flag(decision.isWithheld());
                out.value(DisruptionSpellings.SEARCH, decision.search());
            }
            case Deliberation.SecondLook(_, _, var validations) ->
                    out.inline(DisruptionSpellings.VALIDATIONS, validations);
        }
        return out.bytes();
    }
}
