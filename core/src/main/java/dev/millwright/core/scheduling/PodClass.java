package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Pods that the scheduler cannot tell apart: one decision, repeated. What was found out for one of
/// them holds for all.
final class PodClass {

    private final int number;
    private final PodBatch.ClassSeed seed;
    private final LabelClass labelClass;
    private final List<TopologyGroup> inverseOwned;
    private final List<Wish> wishes = new ArrayList<>();
    private final int size;

    /// What the pods of the class ask for after some of their wishes were given up. Refusals that
    /// will hold for the rest of the pass are remembered here.
    static final class Wish {
        private final PodPlacement placement;
        private final Requirements wanted;
        private final Requirements strict;
        private final int claimSet;
        private final boolean isPossible;
        private final boolean isClaimable;
        private final List<TopologyGroup> owned;
        private final boolean hasSharedTopology;
        private final boolean[] isSelected;
        private final long[][] podDomains;
        private final int[] podDomainsKnown;
        private long[] deadClaims = Bits.EMPTY;
        private long[] deadNodes = Bits.EMPTY;
        private final @Nullable FreshClaim[] fresh;
        private final boolean isForMany;

        Wish(
                PodClass podClass,
                PodPlacement placement,
                Requirements wanted,
                Requirements strict,
                List<TopologyGroup> owned,
                boolean isPossible,
                Pass pass) {
            this.placement = placement;
            this.wanted = wanted;
            this.strict = strict;
            this.isPossible = isPossible;
            this.isClaimable = isPossible && allowsPlaceholder(wanted.orNull(LabelKeys.HOSTNAME));
            this.claimSet = pass.space().number(wanted.without(LabelKeys.HOSTNAME));
            this.owned = owned;
            this.hasSharedTopology = owned.stream().anyMatch(group -> !group.isHostname());
            this.podDomains = new long[owned.size()][];
            this.podDomainsKnown = new int[owned.size()];
            this.isSelected = new boolean[owned.size()];
            for (var index = 0; index < isSelected.length; index++) {
                isSelected[index] = podClass.labelClass().isSelectedBy(owned.get(index));
            }
            this.fresh = new FreshClaim[pass.templates().size()];
            this.isForMany = podClass.size() > 1;
        }

        /// A node in the making has a host name of its own that nobody can know.
        private static boolean allowsPlaceholder(@Nullable Requirement host) {
            if (host == null) {
                return true;
            }
            return host.isComplement()
                    && host.lower() == null
                    && host.upper() == null
                    && (host.operator() == Operator.NOT_IN || host.operator() == Operator.EXISTS);
        }

        PodPlacement placement() {
            return placement;
        }

        /// All that is asked of a node, wishes included.
        Requirements wanted() {
            return wanted;
        }

        /// What must hold; only this bounds the domains a pod may spread over.
        Requirements strict() {
            return strict;
        }

        /// The number of [#wanted] without the host name.
        int claimSet() {
            return claimSet;
        }

        /// Whether any node at all could meet it.
        boolean isPossible() {
            return isPossible;
        }

        boolean isClaimable() {
            return isClaimable;
        }

        List<TopologyGroup> owned() {
            return owned;
        }

        boolean hasSharedTopology() {
            return hasSharedTopology;
        }

        /// Domains of the group's key that the pod allows. They are computed anew only when new
        /// domains became known.
        long[] podDomains(int ownedIndex) {
            var group = owned.get(ownedIndex);
            var known = podDomains[ownedIndex];
            if (known == null || podDomainsKnown[ownedIndex] != group.key().size()) {
                known = group.key().allowed(strict.orNull(group.key().name()));
                podDomains[ownedIndex] = known;
                podDomainsKnown[ownedIndex] = group.key().size();
            }
            return known;
        }

        /// Whether the group of that index counts the pod itself.
        boolean isSelected(int ownedIndex) {
            return isSelected[ownedIndex];
        }

        boolean isDeadClaim(int claim) {
            return Bits.has(deadClaims, claim);
        }

        long deadClaims(int word) {
            return Bits.word(deadClaims, word);
        }

        /// A pod that is alone in its class would fill the set only to throw it away.
        void refuseClaim(int claim) {
            if (isForMany) {
                deadClaims = Bits.with(deadClaims, claim);
            }
        }

        long deadNodes(int word) {
            return Bits.word(deadNodes, word);
        }

        void refuseNode(int place) {
            deadNodes = Bits.with(deadNodes, place);
        }

        @Nullable FreshClaim fresh(int template) {
            return fresh[template];
        }

        void remember(int template, FreshClaim claim) {
            fresh[template] = claim;
        }
    }

    /// What a new node of a pool would be for a wish before topology is asked: its requirement set
    /// and shapes. A negative set says that the pool refuses for the rest of the pass.
    record FreshClaim(int set, long[] shapes) {
        static final FreshClaim REFUSED = new FreshClaim(-1, Bits.EMPTY);

        boolean isRefused() {
            return set < 0;
        }
    }

    PodClass(
            int number,
            PodBatch.ClassSeed seed,
            LabelClass labelClass,
            int size,
            List<TopologyGroup> inverseOwned) {
        this.number = number;
        this.seed = seed;
        this.labelClass = labelClass;
        this.size = size;
        this.inverseOwned = List.copyOf(inverseOwned);
    }

    int number() {
        return number;
    }

    Pod sample() {
        return seed.sample();
    }

    /// Callers do not change it.
    long[] requests() {
        return seed.requests();
    }

    LabelClass labelClass() {
        return labelClass;
    }

    PodVolumes volumes() {
        return seed.volumes();
    }

    List<HostPort> hostPorts() {
        return seed.sample().hostPorts();
    }

    /// Whether the pods may go to a node whose consolidateAfter has not passed: they wait, or their
    /// node goes anyway.
    boolean isFreeToMove() {
        return seed.isFreeToMove();
    }

    /// Groups by which the pods keep others away.
    List<TopologyGroup> inverseOwned() {
        return inverseOwned;
    }

    List<Wish> wishes() {
        return wishes;
    }

    /// How many pods of the batch are of this class.
    int size() {
        return size;
    }
}
