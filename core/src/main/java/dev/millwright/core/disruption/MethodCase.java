package dev.millwright.core.disruption;

import dev.millwright.core.scheduling.StaticCapacity;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A question to one method with all that the answer depends on: the same case has the same answer,
/// whoever asks and whenever.
public record MethodCase(
        DisruptionProblem problem,
        DisruptionMethod method,
        DisruptionOptions options,
        Memory memory) {

    /// What the asking process knows besides the cluster.
    ///
    /// `held` are nodes that stay for what was done before; `unseen` are pools or nodes that the
    /// method's last search did not come to; `counts` are the claims of static pools.
    public record Memory(
            SequencedMap<String, KeepReason> held,
            SortedSet<String> unseen,
            SequencedMap<String, StaticCapacity.Counts> counts) {

        public static final Memory NONE = new Memory(Map.of(), Set.of(), Map.of());

        public Memory {
            held = Collections.unmodifiableSequencedMap(new TreeMap<>(held));
            unseen = Collections.unmodifiableSortedSet(new TreeSet<>(unseen));
            counts = Collections.unmodifiableSequencedMap(new TreeMap<>(counts));
        }

        public Memory(
                Map<String, KeepReason> held,
                Set<String> unseen,
                Map<String, StaticCapacity.Counts> counts) {
            this(new TreeMap<>(held), new TreeSet<>(unseen), new TreeMap<>(counts));
        }
    }

    /// What the method may take, before anything is remembered.
    public static Candidacy candidacy(
            DisruptionProblem problem, DisruptionMethod method, DisruptionOptions options) {
        return method.candidacy(problem, options);
    }

    public Decision decide() {
        return decide(candidacy(problem, method, options));
    }

    /// @param candidacy of the same problem, method and options, for who has it already
    public Decision decide(Candidacy candidacy) {
        var allowed = Allowances.of(problem, method.reason());
        var open = candidacy.without(memory.held());
        if (open.candidates().isEmpty()) {
            return new Decision(method, List.of(), open.kept(), 0, allowed, false);
        }
        return method.decide(this, open, allowed);
    }
}
