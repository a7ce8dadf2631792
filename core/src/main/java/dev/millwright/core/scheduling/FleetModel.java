package dev.millwright.core.scheduling;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/// A fleet to be chosen, reduced to whole pods and machines: kinds of pods, the pools each may use,
/// the nodes that are there, and the relations between pods that every order of placing keeps.
///
/// A model may leave rules out, never add any: what a model's best fleet costs is a lower bound for
/// every plan that places the same pods.
///
/// @param zones requirement sets, one for each zone, when some rule is about zones; else one set
///   that asks for nothing
/// @param limits what is left of each pool's limits; null for a pool without. Nobody changes it
record FleetModel(
        List<Kind> kinds,
        List<PoolTemplate> templates,
        List<ExistingNode> nodes,
        List<HostRule> hostRules,
        List<ZoneRule> zoneRules,
        List<Integer> zones,
        long[] @Nullable [] limits,
        RequirementSpace space,
        int resources) {

    /// Pods that no rule of the model tells apart. `sets` is for each pool what a machine with one
    /// of them must be, or [RequirementSpace#IMPOSSIBLE].
    record Kind(List<Integer> pods, long[] requests, int[] sets) {
        int count() {
            return pods.size();
        }

        boolean isSame(Kind other) {
            return pods.equals(other.pods) && Arrays.equals(sets, other.sets);
        }
    }

    /// A node that is there or on its way.
    ///
    /// @param takes for each kind whether it takes one
    /// @param zone which of the model's zones it is in, or -1
    record ExistingNode(int place, long[] room, boolean[] takes, int zone) {
        boolean isSame(ExistingNode other) {
            return place == other.place && Arrays.equals(takes, other.takes);
        }
    }

    /// Pods that keep off each other's machines.
    ///
    /// @param isOwner for each kind whether it states the rule
    /// @param isSelected for each kind whether the rule counts it
    /// @param most how many that are both may share a machine; 0 says that an owner shares it with
    ///   no other that is selected
    record HostRule(boolean[] isOwner, boolean[] isSelected, int most) {

        boolean isSame(HostRule other) {
            return most == other.most
                    && Arrays.equals(isOwner, other.isOwner)
                    && Arrays.equals(isSelected, other.isSelected);
        }

        boolean isMet(int[] counts) {
            var both = 0;
            var owners = 0;
            var selected = 0;
            for (var kind = 0; kind < counts.length; kind++) {
                both += isOwner[kind] && isSelected[kind] ? counts[kind] : 0;
                owners += isOwner[kind] ? counts[kind] : 0;
                selected += isSelected[kind] ? counts[kind] : 0;
            }
            if (most > 0) {
                return both <= most;
            }
            return owners == 0 || selected == 0 || (owners == 1 && both == 1 && selected == 1);
        }
    }

    /// How pods relate to zones.
    enum ZoneRelation {
        SPREAD,
        TOGETHER,
        APART
    }

    /// @param members for each kind whether the rule is about it
    /// @param before for each zone how many pods count there already; negative where the zone is
    ///   none of the rule's
    record ZoneRule(ZoneRelation relation, boolean[] members, int skew, int[] before) {

        boolean isSame(ZoneRule other) {
            return relation == other.relation
                    && skew == other.skew
                    && Arrays.equals(members, other.members)
                    && Arrays.equals(before, other.before);
        }

        /// Whether the rule can still be met when so many of its pods are in each zone and so many
        /// have no zone yet.
        boolean canBeMet(int[] inZone, int left) {
            return switch (relation) {
                case SPREAD -> canBeEven(inZone, left);
                case TOGETHER -> Arrays.stream(inZone).filter(count -> count > 0).count() <= 1;
                case APART -> Arrays.stream(inZone).allMatch(count -> count <= 1);
            };
        }

        private boolean canBeEven(int[] inZone, int left) {
            var most = 0;
            for (var zone = 0; zone < inZone.length; zone++) {
                if (before[zone] >= 0 && inZone[zone] > 0) {
                    most = Math.max(most, before[zone] + inZone[zone]);
                }
            }
            var missing = 0;
            for (var zone = 0; zone < inZone.length; zone++) {
                if (before[zone] >= 0) {
                    missing += Math.max(0, most - skew - before[zone] - inZone[zone]);
                }
            }
            return missing <= left;
        }
    }

    /// Whether both have the same best fleets.
    boolean asksTheSame(FleetModel other) {
        return isSame(kinds, other.kinds, Kind::isSame)
                && isSame(nodes, other.nodes, ExistingNode::isSame)
                && isSame(hostRules, other.hostRules, HostRule::isSame)
                && isSame(zoneRules, other.zoneRules, ZoneRule::isSame)
                && zones.equals(other.zones);
    }

    private static <T> boolean isSame(List<T> some, List<T> others, BiPredicate<T, T> same) {
        return some.size() == others.size()
                && IntStream.range(0, some.size())
                        .allMatch(index -> same.test(some.get(index), others.get(index)));
    }

    /// How many sets of pods a machine could hold if it were large enough; no more than `most + 1`.
    long patterns(long most) {
        var patterns = 1L;
        for (var kind : kinds) {
            patterns = Math.min(most + 1, patterns * (kind.count() + 1));
        }
        return patterns;
    }

    boolean hasLimits() {
        for (var template = 0; template < templates.size(); template++) {
            if (limits[template] != null) {
                return true;
            }
        }
        return false;
    }
}
