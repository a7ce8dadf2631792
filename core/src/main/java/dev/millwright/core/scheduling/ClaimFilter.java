package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.PodClass.Wish;

import java.util.ArrayList;
import java.util.List;

/// Passes over claims that topology refuses now, 64 at a time.
final class ClaimFilter {

    private final int firstPlace;
    private final List<TopologyKey> keys = new ArrayList<>();
    private final List<long[]> open = new ArrayList<>();
    private final List<long[]> busyHosts = new ArrayList<>();
    private boolean isEmpty;

    /// @param firstPlace the place of the first claim; nodes that are there come before it
    ClaimFilter(PodClass podClass, Wish wish, TopologyGroup.HostsAllowed hosts, int firstPlace) {
        this.firstPlace = firstPlace;
        var owned = wish.owned();
        for (var index = 0; index < owned.size(); index++) {
            var group = owned.get(index);
            if (!group.isHostname()) {
                add(group, group.open(wish.podDomains(index), wish.isSelected(index)));
            } else if (group.kind() == TopologyGroup.Kind.AFFINITY
                    && !group.startsHosts(hosts, wish.isSelected(index))) {
                busyHosts.add(group.busyHosts());
            }
        }
        for (var group : podClass.labelClass().keptAwayBy()) {
            if (!group.isHostname()) {
                add(group, group.open(group.key().allowed(null), false));
            }
        }
    }

    private void add(TopologyGroup group, long[] domains) {
        isEmpty |= Bits.isEmpty(domains);
        keys.add(group.key());
        open.add(domains);
    }

    /// Whether no claim at all is left.
    boolean isEmpty() {
        return isEmpty;
    }

    long word(int word) {
        var result = -1L;
        for (var index = 0; index < keys.size() && result != 0; index++) {
            result &= keys.get(index).claimsIn(open.get(index), word);
        }
        for (var hosts : busyHosts) {
            result &= hostWord(hosts, word);
        }
        return result;
    }

    /// Places count nodes first, so that claims start somewhere inside a word.
    private long hostWord(long[] hosts, int word) {
        var from = firstPlace + (word << 6);
        var shift = from & 63;
        var low = Bits.word(hosts, from >>> 6) >>> shift;
        return shift == 0 ? low : low | (Bits.word(hosts, (from >>> 6) + 1) << (64 - shift));
    }
}
