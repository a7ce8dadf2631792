package dev.millwright.core.scheduling;

import dev.millwright.core.label.Requirements;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Numbers the requirement sets of one pass, and remembers what two of them give together.
/// Thousands of nodes in the making share a few dozen sets.
final class RequirementSpace {

    /// The answer of [#narrow] when the two cannot be met together.
    static final int IMPOSSIBLE = -1;

    private final Set<String> wellKnown;
    private final Map<Requirements, Integer> numbers = new HashMap<>();
    private final List<Requirements> sets = new ArrayList<>();
    private final PairMemo narrowed = new PairMemo();

    RequirementSpace(Set<String> wellKnown) {
        this.wellKnown = wellKnown;
        number(Requirements.NONE);
    }

    /// The number of the set without any requirement.
    static int none() {
        return 0;
    }

    int number(Requirements requirements) {
        var known = numbers.get(requirements);
        if (known != null) {
            return known;
        }
        var number = sets.size();
        numbers.put(requirements, number);
        sets.add(requirements);
        return number;
    }

    Requirements at(int number) {
        return sets.get(number);
    }

    int size() {
        return sets.size();
    }

    Set<String> wellKnown() {
        return wellKnown;
    }

    /// Both together, whether or not anything can meet them.
    int and(int one, int other) {
        return other == none() ? one : number(sets.get(one).and(sets.get(other)));
    }

    /// The set that meets both, or [#IMPOSSIBLE]. Keys that only the incoming side has are allowed
    /// when well known.
    int narrow(int existing, int incoming) {
        if (incoming == none()) {
            return existing;
        }
        var known = narrowed.find(existing, incoming);
        if (known != PairMemo.UNKNOWN) {
            return known;
        }
        var left = sets.get(existing);
        var right = sets.get(incoming);
        var result = left.isCompatible(right, wellKnown) ? number(left.and(right)) : IMPOSSIBLE;
        return narrowed.remember(existing, incoming, result);
    }
}
