package dev.millwright.controllers.shadow;

import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Function;

/// Claims that the other controller makes, gathered into the decisions they came from: one decision
/// makes all its claims within moments.
final class Launches {

    /// As long as Karpenter waits for pods before it decides again.
    private static final Duration GATHERED_FOR = Duration.ofSeconds(10);

    /// Until a claim must have said what it became; a cloud that has nothing says so sooner.
    private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(3);

    private static final int AWAITED_MAX = 1_000;

    /// What we would have launched in the cluster as it was before theirs.
    record Answer(List<PlannedClaim> claims, int waiting) {
        Answer {
            claims = List.copyOf(claims);
        }

        int pods() {
            return claims.stream().mapToInt(claim -> claim.pods().size()).sum();
        }
    }

    private record Gathered(Instant since, SequencedSet<String> claims, Answer ours) {}

    private final Set<String> known = new HashSet<>();
    private final Deque<Gathered> awaited = new ArrayDeque<>();
    private boolean isBegun;

    /// Takes in claims that were not there before. Those of the first look were made before anybody
    /// watched.
    ///
    /// @param asked what we would do without these claims
    void see(Collection<ClaimObject> claims, Instant now, Function<Set<String>, Answer> asked) {
        var present = new HashSet<String>();
        var fresh = new LinkedHashSet<String>();
        for (var claim : claims) {
            present.add(claim.meta().uid());
            if (known.add(claim.meta().uid()) && isBegun) {
                fresh.add(claim.name().name());
            }
        }
        known.retainAll(present);
        isBegun = true;
        if (fresh.isEmpty()) {
            return;
        }
        var last = awaited.peekLast();
        if (last != null && now.isBefore(last.since().plus(GATHERED_FOR))) {
            last.claims().addAll(fresh);
            return;
        }
        if (awaited.size() == AWAITED_MAX) {
            awaited.removeFirst();
        }
        awaited.addLast(new Gathered(now, fresh, asked.apply(fresh)));
    }

    /// Decisions whose claims have all said what they became, or that took too long. Claims that
    /// went without a machine are no part of it.
    ///
    /// @param machine of a claim that says what it is, else null
    List<Comparison.Launched> answered(
            View view, Instant now, Function<ClaimObject, @Nullable ShadowMachine> machine) {
        var done = new ArrayList<Comparison.Launched>();
        var waiting = awaited.iterator();
        while (waiting.hasNext()) {
            var gathered = waiting.next();
            if (now.isBefore(gathered.since().plus(GATHERED_FOR))) {
                continue;
            }
            var machines = new ArrayList<ShadowMachine>();
            var isWhole = true;
            for (var name : gathered.claims()) {
                var claim = view.claim(name);
                var found = claim == null ? null : machine.apply(claim);
                isWhole &= claim == null || found != null;
                if (found != null) {
                    machines.add(found);
                }
            }
            if (isWhole || !now.isBefore(gathered.since().plus(ANSWERED_WITHIN))) {
                waiting.remove();
                if (!machines.isEmpty()) {
                    done.add(compared(machines, gathered.ours()));
                }
            }
        }
        return done;
    }

    private static Comparison.Launched compared(List<ShadowMachine> machines, Answer ours) {
        return new Comparison.Launched(
                machines,
                ours.claims().stream().map(ShadowMachine::of).toList(),
                ours.pods(),
                ours.waiting(),
                Matching.isSame(machines, ours.claims()));
    }
}
