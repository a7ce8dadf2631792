package dev.millwright.core.disruption;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What a method decided: commands, and for every node that is in none a reason.
///
/// `eligible` is the number of candidates before budgets. `isWithheld`: a budget kept a candidate
/// from being looked at, so that finding nothing says nothing about the cluster.
public record Decision(
        Method method,
        List<Command> commands,
        SequencedMap<String, KeepReason> kept,
        int eligible,
        Allowances allowances,
        boolean isWithheld) {

    public Decision {
        commands = List.copyOf(commands);
        kept = Collections.unmodifiableSequencedMap(new TreeMap<>(kept));
    }
}
