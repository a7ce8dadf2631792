package dev.millwright.dashboard.ledger;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Validation;
import dev.millwright.dashboard.picture.Picture.Stage;
import dev.millwright.dashboard.picture.Picture.Upcoming;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The commands that are decided and not yet done: those that wait for their second look, and those
/// under way until their nodes are gone or are said to stay after all.
final class UpcomingCommands {

    /// More than can be under way: a pass takes at most a hundred nodes.
    private static final int COMMANDS_MAX = 500;

    private record Entry(Command command, Stage stage) {}

    private final List<Entry> entries = new ArrayList<>();

    /// Whether the operator thinks it over before it begins.
    static boolean isLookedAtAgain(DisruptionMethod method) {
        return method.manner() == DisruptionMethod.Manner.GRACEFUL;
    }

    void decided(Decision decision) {
        entries.removeIf(entry -> isOver(entry, decision));
        if (!decision.commands().isEmpty()) {
            entries.removeIf(entry -> entry.stage() == Stage.DECIDED);
            var stage = isLookedAtAgain(decision.method()) ? Stage.DECIDED : Stage.BEGUN;
            decision.commands().forEach(command -> add(new Entry(command, stage)));
        }
    }

    private void add(Entry entry) {
        if (entries.size() < COMMANDS_MAX) {
            entries.add(entry);
        }
    }

    /// The operator gave it up, if a node of it is now said to stay for a reason of its own.
    private static boolean isOver(Entry entry, Decision decision) {
        return entry.stage() == Stage.BEGUN
                && entry.command().nodes().stream()
                        .map(node -> decision.kept().get(node))
                        .anyMatch(
                                reason ->
                                        reason != null
                                                && !(reason instanceof KeepReason.Queued)
                                                && !(reason instanceof KeepReason.Going)
                                                && !(reason instanceof KeepReason.WithoutNode));
    }

    /// Returns how many nodes go by it.
    int lookedAgain(Deliberation.SecondLook look) {
        entries.removeIf(entry -> entry.stage() == Stage.DECIDED);
        var nodes = 0;
        for (var validation : look.validations()) {
            if (validation instanceof Validation.Holds(var command, _)) {
                add(new Entry(command, Stage.BEGUN));
                nodes += command.nodes().size();
            }
        }
        return nodes;
    }

    List<Upcoming> shown(Snapshot snapshot) {
        var present =
                snapshot.nodes().stream()
                        .map(StateNode::name)
                        .collect(Collectors.toCollection(HashSet::new));
        entries.removeIf(entry -> isGone(entry.command(), present));
        return entries.stream().map(entry -> shown(entry.command(), entry.stage())).toList();
    }

    private static boolean isGone(Command command, Set<String> present) {
        return command.nodes().stream().noneMatch(present::contains);
    }

    private static Upcoming shown(Command command, Stage stage) {
        return new Upcoming(
                command.nodes(),
                "%s, by %s"
                        .formatted(
                                command.method().reason().text().toLowerCase(Locale.ROOT),
                                command.method().label()),
                words(command),
                command.savedPerHour(),
                stage);
    }

    /// What comes in the place of what goes.
    static String words(Command command) {
        return switch (command.terms().order()) {
            case REBOOT -> "rebooted, and stays what it is";
            case TERMINATE_FIRST -> "goes first; its pool is filled up afterwards";
            case REPLACEMENT_FIRST ->
                    command.replacements().isEmpty()
                            ? "nothing is bought in its place; its pods fit elsewhere"
                            : "replaced by "
                                    + command.replacements().stream()
                                            .map(UpcomingCommands::words)
                                            .collect(Collectors.joining(" and "));
        };
    }

    private static String words(Replacement replacement) {
        return switch (replacement) {
            case Replacement.Template(var pool) -> "a node of NodePool " + pool;
            case Replacement.Planned(var claim) ->
                    claim.types().isEmpty()
                            ? "a node of NodePool " + claim.nodePool()
                            : Telling.claim(claim);
        };
    }
}
