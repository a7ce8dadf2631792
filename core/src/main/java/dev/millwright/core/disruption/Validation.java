package dev.millwright.core.disruption;

import java.util.HashMap;
import java.util.List;

/// Whether a command still holds when it is looked at again. `dropped` counts the nodes that are no
/// longer part of it.
public sealed interface Validation {

    record Holds(Command command, int dropped) implements Validation {}

    record Broken(Cause cause, int dropped) implements Validation {}

    /// What changed meanwhile.
    enum Cause {
        BUDGET,
        SCHEDULING,
        CHURN;

        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /// Looks at a command again, by the rules of its method.
    static Validation of(DisruptionProblem problem, Command command) {
        return of(problem, List.of(command)).getFirst();
    }

    /// Looks at commands of one method again that were decided together.
    static List<Validation> of(DisruptionProblem problem, List<Command> commands) {
        return commands.isEmpty()
                ? List.of()
                : commands.getFirst().method().validate(problem, commands);
    }

    /// The command's candidates that are still candidates, seen anew; in the command's order.
    static List<Candidate> stillThere(Command command, Candidacy candidacy) {
        var present = new HashMap<String, Candidate>();
        candidacy.candidates().forEach(each -> present.put(identity(each), each));
        return command.candidates().stream()
                .filter(each -> present.containsKey(identity(each)))
                .map(each -> present.get(identity(each)))
                .toList();
    }

    private static String identity(Candidate candidate) {
        return candidate.name() + "/" + candidate.machine().standing().claimUid();
    }
}
