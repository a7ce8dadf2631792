package dev.millwright.testing.kit.optimum;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.label.LabelKeys;

import java.util.ArrayList;
import java.util.List;

/// Spread over zones and affinity to a zone, of pods that select themselves by the label `app`.
final class ZoneRules {

    private static final int TOGETHER = -1;

    /// @param skew how uneven they may be, or [#TOGETHER]
    private record Group(int members, int skew) {}

    private final List<Group> groups = new ArrayList<>();
    private final int zones;

    ZoneRules(List<Pod> pods, Blocks blocks) {
        this.zones = blocks.zones().size();
        for (var pod = 0; pod < pods.size(); pod++) {
            var members = blocks.alike(pod);
            var placement = pods.get(pod).placement();
            placement.spread().stream()
                    .filter(spread -> spread.topologyKey().equals(LabelKeys.ZONE))
                    .forEach(spread -> add(new Group(members, spread.maxSkew())));
            placement.podAffinity().required().stream()
                    .filter(term -> term.topologyKey().equals(LabelKeys.ZONE))
                    .forEach(_ -> add(new Group(members, TOGETHER)));
        }
    }

    private void add(Group group) {
        if (!groups.contains(group)) {
            groups.add(group);
        }
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    /// Whether the rules can still be met when these pods are in these zones and the others are
    /// anywhere.
    boolean canBeMet(int[] masksByZone) {
        for (var group : groups) {
            if (!canBeMet(group, masksByZone)) {
                return false;
            }
        }
        return true;
    }

    private boolean canBeMet(Group group, int[] masksByZone) {
        var left = Integer.bitCount(group.members());
        var most = 0;
        var used = 0;
        for (var zone = 0; zone < zones; zone++) {
            var count = Integer.bitCount(masksByZone[zone] & group.members());
            left -= count;
            most = Math.max(most, count);
            used += count > 0 ? 1 : 0;
        }
        if (group.skew() == TOGETHER) {
            return used <= 1;
        }
        var missing = 0;
        for (var zone = 0; zone < zones; zone++) {
            var count = Integer.bitCount(masksByZone[zone] & group.members());
            missing += Math.max(0, most - group.skew() - count);
        }
        return missing <= left;
    }
}
