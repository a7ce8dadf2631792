package dev.millwright.core.deliberation;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// A decision that the operator made, with all that it was made from. Log, page, recorder and
/// replay show this value and know nothing else, so that they cannot disagree.
public sealed interface Deliberation {

    /// What the decision was about.
    Snapshot snapshot();

    /// The same decision, made anew from the same input.
    Deliberation again();

    /// In one line, for a log or a list.
    String summary();

    default Instant at() {
        return snapshot().takenAt();
    }

    /// Which nodes to launch.
    record Provisioning(SchedulingProblem problem, Plan plan) implements Deliberation {

        @Override
        public Snapshot snapshot() {
            return problem.snapshot();
        }

        @Override
        public Provisioning again() {
            return new Provisioning(problem, Planner.plan(problem));
        }

        @Override
        public String summary() {
            return "provisioning: %d claims for %s an hour, %d pods left waiting"
                    .formatted(
                            plan.claims().size(),
                            price(plan.pricePerHour()),
                            plan.waiting().size());
        }

        private static String price(double perHour) {
            return String.format(Locale.ROOT, "$%.4f", perHour);
        }
    }

    /// Which nodes to take away, by one method.
    record Disruption(MethodCase asked, Decision decision) implements Deliberation {

        @Override
        public Snapshot snapshot() {
            return asked.problem().scheduling().snapshot();
        }

        @Override
        public Disruption again() {
            return new Disruption(asked, asked.decide());
        }

        @Override
        public String summary() {
            return "%s: %d commands, %d nodes kept"
                    .formatted(
                            asked.method().label(),
                            decision.commands().size(),
                            decision.kept().size());
        }
    }

    /// Whether commands that were decided a while ago still hold; one answer for each of them.
    record SecondLook(
            DisruptionProblem problem, List<Command> commands, List<Validation> validations)
            implements Deliberation {

        public SecondLook {
            commands = List.copyOf(commands);
            validations = List.copyOf(validations);
        }

        /// @param commands of one method
        public static SecondLook of(DisruptionProblem problem, List<Command> commands) {
            return new SecondLook(problem, commands, Validation.of(problem, commands));
        }

        @Override
        public Snapshot snapshot() {
            return problem.scheduling().snapshot();
        }

        @Override
        public SecondLook again() {
            return of(problem, commands);
        }

        @Override
        public String summary() {
            var held =
                    validations.stream().filter(each -> each instanceof Validation.Holds).count();
            return "second look: %d of %d commands hold".formatted(held, commands.size());
        }
    }
}
