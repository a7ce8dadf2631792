package dev.millwright.core.disruption;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.KeepReason.Homeless;
import dev.millwright.core.scheduling.PlannedClaim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Nodes of a simulated removal that share new nodes, with these. Parts do not depend on each
/// other: each pod has a place of its own, and a part that is left out only leaves room.
///
/// `nominated` are nodes that stay and take pods of the part.
record Part(
        List<Candidate> candidates,
        List<PlannedClaim> claims,
        List<String> nominated,
        List<Homeless> homeless) {

    Part {
        candidates = List.copyOf(candidates);
        claims = List.copyOf(claims);
        nominated = List.copyOf(nominated);
        homeless = List.copyOf(homeless);
    }

    /// @param waitingAnyway pods that need a new node, or find none, whether or not the group goes
    static List<Part> of(
            List<Candidate> group,
            Simulation.Outcome outcome,
            Simulation simulation,
            Set<ObjectName> waitingAnyway) {
        return new Splitting(group, simulation, waitingAnyway).of(outcome);
    }

    /// Unites nodes that have something in common; what concerns none of them in particular unites
    /// all.
    private static final class Splitting {
        private final List<Candidate> group;
        private final Simulation simulation;
        private final Set<ObjectName> waitingAnyway;
        private final Map<String, Integer> numbers = new HashMap<>();
        private final int[] leaders;

        Splitting(List<Candidate> group, Simulation simulation, Set<ObjectName> waitingAnyway) {
            this.group = group;
            this.simulation = simulation;
            this.waitingAnyway = waitingAnyway;
            this.leaders = new int[group.size()];
            for (var number = 0; number < leaders.length; number++) {
                leaders[number] = number;
                numbers.put(group.get(number).name(), number);
            }
        }

        List<Part> of(Simulation.Outcome outcome) {
            var claims = outcome.plan().claims();
            var ofClaim = new int[claims.size()];
            for (var index = 0; index < ofClaim.length; index++) {
                ofClaim[index] = united(claims.get(index).pods());
            }
            var homeless = outcome.homeless();
            var ofHomeless = new int[homeless.size()];
            for (var index = 0; index < ofHomeless.length; index++) {
                ofHomeless[index] = united(List.of(homeless.get(index).pod()));
            }
            var drafts = new TreeMap<Integer, Draft>();
            for (var number = 0; number < leaders.length; number++) {
                draft(drafts, number).candidates.add(group.get(number));
            }
            for (var index = 0; index < ofClaim.length; index++) {
                if (ofClaim[index] >= 0) {
                    draft(drafts, ofClaim[index]).claims.add(claims.get(index));
                }
            }
            for (var index = 0; index < ofHomeless.length; index++) {
                if (ofHomeless[index] >= 0) {
                    draft(drafts, ofHomeless[index]).homeless.add(homeless.get(index));
                }
            }
            for (var placement : outcome.plan().existing()) {
                for (var pod : placement.pods()) {
                    var number = simulation.isReal(pod) ? number(pod) : -1;
                    if (number >= 0) {
                        draft(drafts, number).nominated.add(placement.node());
                    }
                }
            }
            return drafts.values().stream().map(Draft::part).toList();
        }

        private static final class Draft {
            private final List<Candidate> candidates = new ArrayList<>();
            private final List<PlannedClaim> claims = new ArrayList<>();
            private final List<Homeless> homeless = new ArrayList<>();
            private final TreeSet<String> nominated = new TreeSet<>();

            Part part() {
                return new Part(candidates, claims, List.copyOf(nominated), homeless);
            }
        }

        private Draft draft(Map<Integer, Draft> drafts, int number) {
            return drafts.computeIfAbsent(leader(number), _ -> new Draft());
        }

        private int leader(int number) {
            var leader = number;
            while (leaders[leader] != leader) {
                leader = leaders[leader];
            }
            leaders[number] = leader;
            return leader;
        }

        /// The number of the node in the group, or -1.
        private int number(ObjectName pod) {
            var node = simulation.nodeOf(pod);
            return node == null ? -1 : numbers.getOrDefault(node, -1);
        }

        /// Unites the nodes of these pods and returns one of them; -1 when all of the pods would
        /// wait anyway.
        private int united(Collection<ObjectName> pods) {
            if (waitingAnyway.containsAll(pods)) {
                return -1;
            }
            var first = -1;
            for (var pod : pods) {
                var number = number(pod);
                if (number >= 0) {
                    first = first < 0 ? number : first;
                    unite(first, number);
                }
            }
            if (first < 0) {
                for (var number = 1; number < leaders.length; number++) {
                    unite(0, number);
                }
                return 0;
            }
            return first;
        }

        private void unite(int one, int other) {
            var first = Math.min(leader(one), leader(other));
            leaders[leader(one)] = first;
            leaders[leader(other)] = first;
        }
    }
}
