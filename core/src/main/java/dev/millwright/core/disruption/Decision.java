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
        DisruptionMethod method,
        List<Command> commands,
        SequencedMap<String, KeepReason> kept,
        int eligible,
        Allowances allowances,
        boolean isWithheld,
        Search search) {

    /// How a consolidation was searched for: the commands that were weighed, whether the search
    /// gave up, and what it had not come to: pools, or nodes where the fleet is looked at as a
    /// whole.
    public record Search(
            List<Balance.Verdict> weighed, boolean isOutOfEffort, List<String> unseen) {

        private static final Search NONE = new Search(List.of(), false, List.of());

        public Search {
            weighed = List.copyOf(weighed);
            unseen = List.copyOf(unseen);
        }
    }

    /// Of a method that does not search.
    public Decision(
            DisruptionMethod method,
            List<Command> commands,
            SequencedMap<String, KeepReason> kept,
            int eligible,
            Allowances allowances,
            boolean isWithheld) {
        this(method, commands, kept, eligible, allowances, isWithheld, Search.NONE);
    }

    public Decision {
        commands = List.copyOf(commands);
        kept = Collections.unmodifiableSequencedMap(new TreeMap<>(kept));
    }

    Decision weighed(List<Balance.Verdict> verdicts) {
        return with(new Search(verdicts, search.isOutOfEffort(), search.unseen()));
    }

    Decision timedOut(boolean is, List<String> unseen) {
        return with(new Search(search.weighed(), is, unseen));
    }

    private Decision with(Search other) {
        return new Decision(method, commands, kept, eligible, allowances, isWithheld, other);
    }
}
