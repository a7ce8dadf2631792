package dev.millwright.cli.replay;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/// What a deliberation came to, in words: a line for each node or pod that something becomes of.
final class OutcomeLines {

    /// Lines that a difference shows.
    private static final int SHOWN_MAX = 4;

    private OutcomeLines() {}

    static List<String> of(Deliberation deliberation) {
        return switch (deliberation) {
            case Deliberation.Provisioning(_, var plan) -> plan(plan);
            case Deliberation.Disruption(_, var decision) -> {
                var lines = new ArrayList<String>();
                decision.commands().forEach(command -> lines.add(command(command)));
                decision.kept()
                        .forEach(
                                (node, reason) ->
                                        lines.add("keep %s: %s".formatted(node, reason.label())));
                yield lines;
            }
            case Deliberation.SecondLook(_, _, var validations) ->
                    validations.stream().map(OutcomeLines::validation).toList();
        };
    }

    private static List<String> plan(Plan plan) {
        var lines = new ArrayList<String>();
        plan.claims().forEach(claim -> lines.add(claim(claim)));
        plan.existing()
                .forEach(
                        each ->
                                lines.add(
                                        "use %s for %s".formatted(each.node(), pods(each.pods()))));
        plan.waiting()
                .forEach(
                        each ->
                                lines.add(
                                        "leave %s waiting: %s"
                                                .formatted(each.pod(), each.reason().label())));
        return lines;
    }

    private static String claim(PlannedClaim claim) {
        var first = claim.types().isEmpty() ? null : claim.cheapest();
        return "launch %s of NodePool %s for %s"
                .formatted(
                        first == null
                                ? "nothing"
                                : "%s %s in %s at %s"
                                        .formatted(
                                                first.name(),
                                                first.capacityType(),
                                                first.zone(),
                                                first.pricePerHour()),
                        claim.nodePool(),
                        pods(claim.pods()));
    }

    private static String pods(List<ObjectName> pods) {
        return pods.stream().map(ObjectName::toString).collect(Collectors.joining(", "));
    }

    private static String command(Command command) {
        var comes =
                command.replacements().stream()
                        .map(
                                each ->
                                        switch (each) {
                                            case Command.Replacement.Planned(var claim) ->
                                                    claim(claim);
                                            case Command.Replacement.Template(var pool) ->
                                                    "launch of the template of NodePool " + pool;
                                        })
                        .collect(Collectors.joining(", "));
        return "%s %s%s"
                .formatted(
                        command.decision(),
                        String.join(", ", command.nodes()),
                        comes.isEmpty() ? "" : "; " + comes);
    }

    private static String validation(Validation validation) {
        return switch (validation) {
            case Validation.Holds(var command, var dropped) ->
                    "still %s%s"
                            .formatted(
                                    command(command),
                                    dropped == 0 ? "" : ", without %d".formatted(dropped));
            case Validation.Broken(var cause, _) -> "no longer: " + cause.text();
        };
    }

    /// What the first says and the second does not; in other figures where the words are the same.
    static String only(List<String> ones, List<String> others) {
        var lines = new LinkedHashSet<>(ones);
        others.forEach(lines::remove);
        if (lines.isEmpty()) {
            return ones.size() == others.size()
                    ? "the same in other figures or another order"
                    : "nothing besides";
        }
        var shown = lines.stream().limit(SHOWN_MAX).collect(Collectors.joining("; "));
        var left = lines.size() - SHOWN_MAX;
        return left > 0 ? "%s; and %d more".formatted(shown, left) : shown;
    }
}
