package dev.millwright.core.scheduling;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A label key that topology constraints look at, with its values (domains) numbered in the order
/// they become known.
final class TopologyKey {

    private final String name;
    private final RequirementSpace space;
    private final List<String> domains = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<Requirement, long[]> allowed = new HashMap<>();
    private final List<long @Nullable []> allowedBySet = new ArrayList<>();

    /// For each domain the claims that may still land in it, and apart from them those bound to no
    /// listed domain.
    private final List<long[]> claimsByDomain = new ArrayList<>();

    private long[] unboundClaims = Bits.EMPTY;

    /// The requirement set of each claim that was placed, by its number; -1 for the others.
    private int[] setOfClaim = {};

    TopologyKey(String name, RequirementSpace space) {
        this.name = name;
        this.space = space;
    }

    String name() {
        return name;
    }

    boolean isHostname() {
        return name.equals(LabelKeys.HOSTNAME);
    }

    int size() {
        return domains.size();
    }

    String domain(int number) {
        return domains.get(number);
    }

    int number(String domain) {
        var known = numbers.get(domain);
        if (known != null) {
            return known;
        }
        var number = domains.size();
        numbers.put(domain, number);
        domains.add(domain);
        claimsByDomain.add(claimsBoundTo(domain));
        allowed.clear();
        allowedBySet.clear();
        return number;
    }

    /// Claims that were placed before anybody named the domain. A pod that comes to tolerate a
    /// pool's taint reaches domains that it did not know of.
    private long[] claimsBoundTo(String domain) {
        var bound = Bits.EMPTY;
        for (var claim = 0; claim < setOfClaim.length; claim++) {
            var requirement =
                    setOfClaim[claim] < 0 ? null : space.at(setOfClaim[claim]).orNull(name);
            if (requirement != null && !requirement.isComplement() && requirement.has(domain)) {
                bound = Bits.with(bound, claim);
            }
        }
        return bound;
    }

    /// The domain's number, or -1 when nobody has named it.
    int find(@Nullable String domain) {
        return domain == null ? -1 : numbers.getOrDefault(domain, -1);
    }

    /// Domains that the requirement allows; all when there is none. Callers do not change it.
    long[] allowed(@Nullable Requirement requirement) {
        var asked = requirement == null ? Requirement.exists(name) : requirement;
        return allowed.computeIfAbsent(asked, this::computeAllowed);
    }

    private long[] computeAllowed(Requirement requirement) {
        var result = Bits.ofSize(domains.size());
        for (var number = 0; number < domains.size(); number++) {
            if (requirement.has(domains.get(number))) {
                Bits.with(result, number);
            }
        }
        return result;
    }

    /// Domains that a node with this requirement set may have. Callers do not change it.
    long[] allowedBySet(int set) {
        while (allowedBySet.size() <= set) {
            allowedBySet.add(null);
        }
        var known = allowedBySet.get(set);
        if (known == null) {
            known = allowed(space.at(set).orNull(name));
            allowedBySet.set(set, known);
        }
        return known;
    }

    /// Notes where a claim may land after its requirements changed.
    void place(int claim, int set) {
        remember(claim, set);
        var requirement = space.at(set).orNull(name);
        if (requirement == null || requirement.isComplement()) {
            unboundClaims = Bits.with(unboundClaims, claim);
        } else {
            Bits.clear(unboundClaims, claim);
        }
        var possible = allowedBySet(set);
        for (var number = 0; number < domains.size(); number++) {
            if (Bits.has(possible, number)) {
                claimsByDomain.set(number, Bits.with(claimsByDomain.get(number), claim));
            } else {
                Bits.clear(claimsByDomain.get(number), claim);
            }
        }
    }

    private void remember(int claim, int set) {
        if (claim >= setOfClaim.length) {
            var before = setOfClaim.length;
            setOfClaim = Arrays.copyOf(setOfClaim, Math.max(claim + 1, 2 * before));
            Arrays.fill(setOfClaim, before, setOfClaim.length, -1);
        }
        setOfClaim[claim] = set;
    }

    /// 64 claims at a time: those that may land in one of the domains. A claim bound to no listed
    /// domain may land in any, even in one that became known after it was placed.
    long claimsIn(long[] domainSet, int word) {
        var result = Bits.word(unboundClaims, word);
        for (var number = Bits.next(domainSet, 0);
                number >= 0;
                number = Bits.next(domainSet, number + 1)) {
            result |= Bits.word(claimsByDomain.get(number), word);
        }
        return result;
    }

    Requirement requirement(long[] domainSet) {
        var values = new ArrayList<String>();
        for (var number = Bits.next(domainSet, 0);
                number >= 0;
                number = Bits.next(domainSet, number + 1)) {
            values.add(domains.get(number));
        }
        return Requirement.in(name, values.toArray(String[]::new));
    }

    long[] single(int number) {
        var result = Bits.ofSize(domains.size());
        Bits.with(result, number);
        return result;
    }
}
