package dev.millwright.controllers.shadow;

import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// Commands of ours that nobody carries out. Each stands until the other controller takes its nodes
/// away, or until it no longer holds.
///
/// There are at most as many as nodes: a node that a command is about is no candidate for the next.
final class Wishes {

    /// How long they may let a command of ours stand before it counts as one they do not take:
    /// budgets, validation and a slower pass are all shorter.
    static final Duration PATIENCE = Duration.ofMinutes(5);

    /// By the name of a claim of the command's.
    private final Map<String, Wish> byClaim = new TreeMap<>();

    /// Nodes that a command which counted takes away or fills. Another that touches one of them may
    /// count on the same room, so that it is in no sum.
    private final Set<String> touched = new HashSet<>();

    static final class Wish {
        private final Command command;
        private final Instant since;
        private boolean isCounted;

        private Wish(Command command, Instant since) {
            this.command = command;
            this.since = since;
        }

        boolean isCounted() {
            return isCounted;
        }

        /// What would have to be there first.
        List<PlannedClaim> replacements() {
            return planned(command);
        }
    }

    private static List<PlannedClaim> planned(Command command) {
        var planned = new ArrayList<PlannedClaim>();
        for (var replacement : command.replacements()) {
            if (replacement instanceof Replacement.Planned(var claim) && !claim.types().isEmpty()) {
                planned.add(claim);
            }
        }
        return planned;
    }

    void add(Command command, Instant now) {
        var wish = new Wish(command, now);
        command.candidates().forEach(candidate -> byClaim.put(claim(candidate), wish));
    }

    private static String claim(Candidate candidate) {
        var claim = candidate.machine().node().claim();
        return claim == null ? candidate.name() : claim.name();
    }

    /// The command that would take the claim's node away, or null.
    @Nullable Wish about(String claim) {
        return byClaim.get(claim);
    }

    /// Nodes that need not be asked about again.
    SequencedMap<String, KeepReason> held() {
        var held = new TreeMap<String, KeepReason>();
        for (var wish : byClaim.values()) {
            wish.command
                    .nodes()
                    .forEach(node -> held.put(node, new KeepReason.DecidedAlready(wish.since)));
        }
        return held;
    }

    /// Forgets claims that are gone or going.
    void look(View view) {
        byClaim.keySet().removeIf(name -> isGone(view.claim(name)));
        touched.removeIf(node -> view.node(node) == null);
    }

    private static boolean isGone(@Nullable ClaimObject claim) {
        return claim == null || claim.isDeleting();
    }

    /// Whether some have stood for long and were not looked at for that.
    boolean isOverdue(Instant now) {
        return byClaim.values().stream().anyMatch(wish -> isOverdue(wish, now));
    }

    private static boolean isOverdue(Wish wish, Instant now) {
        return !wish.isCounted && !now.isBefore(wish.since.plus(PATIENCE));
    }

    /// Those that have stood for long and still hold, each once. One that does not hold is
    /// forgotten.
    List<Comparison.Kept> overdue(View view, DisruptionProblem problem) {
        var kept = new ArrayList<Comparison.Kept>();
        for (var wish : distinct()) {
            if (!isOverdue(wish, problem.now())) {
                continue;
            }
            var claims = wish.command.candidates().stream().map(Wishes::claim).toList();
            if (claims.stream().map(view::claim).anyMatch(Wishes::isBegun)) {
                continue;
            }
            if (Validation.of(problem, wish.command) instanceof Validation.Holds(var command, _)) {
                wish.isCounted = true;
                if (Collections.disjoint(touched, around(command))) {
                    touched.addAll(around(command));
                    kept.add(comparison(command));
                }
            } else {
                byClaim.values().removeIf(each -> each == wish);
            }
        }
        return kept;
    }

    /// They have begun to take the claim's node away, or did so.
    private static boolean isBegun(@Nullable ClaimObject claim) {
        return isGone(claim)
                || (claim != null && claim.conditions().isTrue(ClaimObject.DISRUPTION_REASON));
    }

    private List<Wish> distinct() {
        var all = new ArrayList<Wish>();
        byClaim.values().stream().filter(wish -> !all.contains(wish)).forEach(all::add);
        return all;
    }

    private static Collection<String> around(Command command) {
        var nodes = new HashSet<>(command.nodes());
        nodes.addAll(command.nominated());
        return nodes;
    }

    private static Comparison.Kept comparison(Command command) {
        var launched = planned(command).stream().mapToDouble(PlannedClaim::pricePerHour).sum();
        var removed = command.candidates().stream().mapToDouble(Candidate::pricePerHour).sum();
        var evictions =
                command.candidates().stream()
                        .mapToInt(candidate -> candidate.reschedulablePods().size())
                        .sum();
        return new Comparison.Kept(
                command.nodes(),
                command.method().reason().text(),
                new Bill(launched, removed, evictions));
    }
}
