package dev.millwright.dashboard.ledger;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.dashboard.picture.Answer;
import dev.millwright.dashboard.picture.Picture.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A decision in words: a line for the timeline, and all of it for who points at the line.
///
/// A decision that changes nothing has no line: an operator makes several of them every ten
/// seconds.
record Telling(Kind kind, String line, Answer answer) {

    /// Lines about one decision; the rest is counted.
    private static final int LINES_MAX = 40;

    /// Names in one line.
    private static final int NAMES_MAX = 4;

    /// Null when nothing came of it.
    static @Nullable Telling of(Deliberation deliberation) {
        return switch (deliberation) {
            case Deliberation.Provisioning(_, var plan) -> provisioning(deliberation, plan);
            case Deliberation.Disruption disruption -> disruption(disruption);
            case Deliberation.SecondLook look -> secondLook(look);
        };
    }

    private static @Nullable Telling provisioning(Deliberation deliberation, Plan plan) {
        if (plan.claims().isEmpty() && plan.waiting().isEmpty()) {
            return null;
        }
        var lines = new ArrayList<String>();
        for (var claim : plan.claims()) {
            lines.add(
                    "launch %s for %s"
                            .formatted(claim(claim), names(claim.pods(), "pod", Object::toString)));
        }
        for (var existing : plan.existing()) {
            lines.add(
                    "node %s has room for %s"
                            .formatted(
                                    existing.node(),
                                    names(existing.pods(), "pod", Object::toString)));
        }
        var byReason = new LinkedHashMap<String, List<Plan.WaitingPod>>();
        for (var waiting : plan.waiting()) {
            byReason.computeIfAbsent(waiting.reason().explain(), _ -> new ArrayList<>())
                    .add(waiting);
        }
        byReason.forEach(
                (reason, pods) ->
                        lines.add(
                                "%s left waiting: %s"
                                        .formatted(
                                                names(pods, "pod", each -> each.pod().toString()),
                                                reason)));
        var line =
                plan.claims().isEmpty()
                        ? "%s cannot be given a node".formatted(several(plan.waiting(), "pod"))
                        : "%s for %s, %s an hour%s"
                                .formatted(
                                        types(plan.claims()),
                                        pods(plan.claims()),
                                        dollars(plan.pricePerHour()),
                                        plan.waiting().isEmpty()
                                                ? ""
                                                : "; %s left waiting"
                                                        .formatted(several(plan.waiting(), "pod")));
        return new Telling(
                plan.claims().isEmpty() ? Kind.FAILURE : Kind.LAUNCH,
                line,
                Answer.of("Provisioning", deliberation.summary(), bounded(lines)));
    }

    private static @Nullable Telling disruption(Deliberation.Disruption disruption) {
        var decision = disruption.decision();
        if (decision.commands().isEmpty()) {
            return null;
        }
        var lines = new ArrayList<String>();
        decision.commands().forEach(command -> lines.add(command(command)));
        var byReason = new TreeMap<String, List<String>>();
        decision.kept()
                .forEach(
                        (node, reason) ->
                                byReason.computeIfAbsent(why(reason), _ -> new ArrayList<>())
                                        .add(node));
        byReason.forEach(
                (reason, nodes) ->
                        lines.add(
                                "%s kept: %s"
                                        .formatted(
                                                names(nodes, "node", Function.identity()),
                                                reason)));
        var nodes = decision.commands().stream().flatMap(each -> each.nodes().stream()).toList();
        return new Telling(
                Kind.REMOVE,
                "%s shall go (%s), %s an hour less%s"
                        .formatted(
                                names(nodes, "node", Function.identity()),
                                decision.method().reason().text().toLowerCase(Locale.ROOT),
                                dollars(saved(decision.commands())),
                                UpcomingCommands.isLookedAtAgain(decision.method())
                                        ? "; looked at once more first"
                                        : ""),
                Answer.of(
                        "Disruption by " + decision.method().label(),
                        disruption.summary(),
                        bounded(lines)));
    }

    private static String why(KeepReason reason) {
        return reason.explain();
    }

    private static Telling secondLook(Deliberation.SecondLook look) {
        var lines = new ArrayList<String>();
        var held = new ArrayList<Command>();
        for (var index = 0; index < look.commands().size(); index++) {
            switch (look.validations().get(index)) {
                case Validation.Holds(var command, _) -> {
                    held.add(command);
                    lines.add("holds: " + command(command));
                }
                case Validation.Broken(var cause, _) ->
                        lines.add(
                                "dropped for %s: %s"
                                        .formatted(
                                                words(cause), command(look.commands().get(index))));
            }
        }
        var nodes = held.stream().flatMap(command -> command.nodes().stream()).toList();
        return new Telling(
                Kind.REMOVE,
                held.isEmpty()
                        ? "%s stays after all"
                                .formatted(
                                        names(
                                                look.commands().stream()
                                                        .flatMap(each -> each.nodes().stream())
                                                        .toList(),
                                                "node",
                                                Function.identity()))
                        : "%s goes, %s an hour less"
                                .formatted(
                                        names(nodes, "node", Function.identity()),
                                        dollars(saved(held))),
                Answer.of("Second look", look.summary(), bounded(lines)));
    }

    private static String words(Validation.Cause cause) {
        return switch (cause) {
            case BUDGET -> "a budget that was spent meanwhile";
            case SCHEDULING -> "pods that would no longer fit elsewhere";
            case CHURN -> "pods that came or went meanwhile";
        };
    }

    private static String command(Command command) {
        return "%s: %s, %s an hour less"
                .formatted(
                        names(command.nodes(), "node", Function.identity()),
                        UpcomingCommands.words(command),
                        dollars(command.savedPerHour()));
    }

    private static double saved(List<Command> commands) {
        return commands.stream().mapToDouble(Command::savedPerHour).sum();
    }

    /// A claim as what will most likely be bought.
    static String claim(PlannedClaim claim) {
        if (claim.types().isEmpty()) {
            return "a node of NodePool " + claim.nodePool();
        }
        var cheapest = claim.cheapest();
        return "%s (%s, %s, NodePool %s, %s an hour)"
                .formatted(
                        cheapest.name(),
                        cheapest.capacityType(),
                        cheapest.zone(),
                        claim.nodePool(),
                        dollars(cheapest.pricePerHour()));
    }

    private static String types(List<PlannedClaim> claims) {
        var counts = new TreeMap<String, Integer>();
        for (var claim : claims) {
            counts.merge(
                    claim.types().isEmpty() ? claim.nodePool() : claim.cheapest().name(),
                    1,
                    Integer::sum);
        }
        var shown =
                counts.entrySet().stream()
                        .limit(NAMES_MAX)
                        .map(
                                each ->
                                        each.getValue() == 1
                                                ? each.getKey()
                                                : each.getValue() + " × " + each.getKey())
                        .collect(Collectors.joining(", "));
        return counts.size() <= NAMES_MAX
                ? shown
                : "%s and %d types more".formatted(shown, counts.size() - NAMES_MAX);
    }

    private static String pods(List<PlannedClaim> claims) {
        var count = claims.stream().mapToInt(claim -> claim.pods().size()).sum();
        return count == 1 ? "1 pod" : count + " pods";
    }

    private static String several(List<?> things, String word) {
        return things.size() == 1 ? "1 " + word : things.size() + " " + word + "s";
    }

    private static <T> String names(List<T> things, String word, Function<T, String> name) {
        if (things.size() == 1) {
            return word + " " + name.apply(things.getFirst());
        }
        var some = things.stream().limit(NAMES_MAX).map(name).collect(Collectors.joining(", "));
        return "%s (%s%s)"
                .formatted(several(things, word), some, things.size() > NAMES_MAX ? ", …" : "");
    }

    private static List<String> bounded(List<String> lines) {
        if (lines.size() <= LINES_MAX) {
            return lines;
        }
        var some = new ArrayList<>(lines.subList(0, LINES_MAX));
        some.add("and %d lines more".formatted(lines.size() - LINES_MAX));
        return some;
    }

    static String dollars(double perHour) {
        return String.format(Locale.ROOT, "$%.4f", perHour);
    }
}
