package dev.millwright.core.scheduling;

import dev.millwright.core.label.Requirements;
import dev.millwright.core.scheduling.PodClass.Wish;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Puts pods on nodes that are there, under the rules for those.
final class NodeFilling {

    private final RequirementSpace space;
    private final Topology topology;
    private final List<OpenNode> nodes;

    NodeFilling(RequirementSpace space, Topology topology, List<OpenNode> nodes) {
        this.space = space;
        this.topology = topology;
        this.nodes = nodes;
    }

    /// Puts the pod on the first node that takes it.
    boolean place(int pod, PodClass podClass, Wish wish) {
        if (!wish.isPossible()) {
            return false;
        }
        var words = (nodes.size() + 63) >>> 6;
        for (var word = 0; word < words; word++) {
            var live = ~wish.deadNodes(word);
            if (word == words - 1 && (nodes.size() & 63) != 0) {
                live &= (1L << (nodes.size() & 63)) - 1;
            }
            for (; live != 0; live &= live - 1) {
                var place = (word << 6) + Long.numberOfTrailingZeros(live);
                if (takes(place, podClass, wish)) {
                    commit(place, pod, podClass);
                    return true;
                }
            }
        }
        return false;
    }

    /// Puts the pod on the node that takes it and has most room by `shares`; the first of several.
    ///
    /// @return the node's place, or -1
    int placeOnWidest(int pod, PodClass podClass, Wish wish, double[] shares) {
        var widest = -1;
        if (wish.isPossible()) {
            for (var place = 0; place < nodes.size(); place++) {
                var isDead = (wish.deadNodes(place >>> 6) >>> place & 1) != 0;
                if (!isDead
                        && (widest < 0 || shares[place] > shares[widest])
                        && takes(place, podClass, wish)) {
                    widest = place;
                }
            }
        }
        if (widest >= 0) {
            commit(widest, pod, podClass);
        }
        return widest;
    }

    /// Puts the pod on this node if the node takes it.
    boolean placeOn(int place, int pod, PodClass podClass, Wish wish) {
        var isTaken = wish.isPossible() && takes(place, podClass, wish);
        if (isTaken) {
            commit(place, pod, podClass);
        }
        return isTaken;
    }

    /// The places of all nodes that take the pod.
    List<Integer> takers(PodClass podClass, Wish wish) {
        var takers = new ArrayList<Integer>();
        if (wish.isPossible()) {
            for (var place = 0; place < nodes.size(); place++) {
                var isDead = (wish.deadNodes(place >>> 6) >>> place & 1) != 0;
                if (!isDead && takes(place, podClass, wish)) {
                    takers.add(place);
                }
            }
        }
        return takers;
    }

    private boolean takes(int place, PodClass podClass, Wish wish) {
        var node = nodes.get(place);
        if (!node.isOpenTo(podClass, wish) || !isInVolumesZone(node, podClass)) {
            wish.refuseNode(place);
            return false;
        }
        return node.attaches(podClass.volumes()) && isTopologyMet(place, node, podClass, wish);
    }

    private boolean isInVolumesZone(OpenNode node, PodClass podClass) {
        var alternatives = podClass.volumes().alternatives();
        return alternatives.length == 0
                || (!podClass.volumes().isContradictory()
                        && Arrays.stream(alternatives)
                                .anyMatch(
                                        set ->
                                                node.labels()
                                                        .isCompatible(space.at(set), Set.of())));
    }

    private boolean isTopologyMet(int place, OpenNode node, PodClass podClass, Wish wish) {
        var owned = wish.owned();
        for (var index = 0; index < owned.size(); index++) {
            if (!isMet(owned.get(index), index, place, node.labels(), wish)) {
                return false;
            }
        }
        for (var group : podClass.labelClass().keptAwayBy()) {
            if (!isKeptApart(group, place, node.labels(), wish)) {
                return false;
            }
        }
        return true;
    }

    private boolean isMet(
            TopologyGroup group, int ownedIndex, int place, Requirements labels, Wish wish) {
        if (group.isHostname()) {
            var isMet = group.allowsHost(place, hosts(wish), wish.isSelected(ownedIndex));
            if (!isMet && group.refusesHostForGood()) {
                wish.refuseNode(place);
            }
            return isMet;
        }
        var domain = domain(group, labels);
        return domain >= 0
                && Bits.has(
                        group.open(wish.podDomains(ownedIndex), wish.isSelected(ownedIndex)),
                        domain);
    }

    private boolean isKeptApart(TopologyGroup group, int place, Requirements labels, Wish wish) {
        if (group.isHostname()) {
            var isMet = group.allowsHost(place, TopologyGroup.HostsAllowed.ALL, false);
            if (!isMet) {
                wish.refuseNode(place);
            }
            return isMet;
        }
        var domain = domain(group, labels);
        return domain >= 0 && Bits.has(group.open(group.key().allowed(null), false), domain);
    }

    /// The node's domain, or -1 when it lacks the label: such a node takes no pod that looks at it,
    /// as kube-scheduler has it.
    private static int domain(TopologyGroup group, Requirements labels) {
        var requirement = labels.orNull(group.key().name());
        return requirement == null || requirement.values().isEmpty()
                ? -1
                : group.key().find(requirement.values().getFirst());
    }

    /// Which hosts the wish's own requirements allow. A node in the making has a name nobody
    /// excludes.
    TopologyGroup.HostsAllowed hosts(Wish wish) {
        var requirement = wish.strict().orNull(dev.millwright.core.label.LabelKeys.HOSTNAME);
        if (requirement == null) {
            return TopologyGroup.HostsAllowed.ALL;
        }
        return new TopologyGroup.HostsAllowed() {
            @Override
            public boolean allows(int place) {
                return place < nodes.size()
                        ? requirement.has(nodes.get(place).hostName())
                        : requirement.isComplement();
            }

            @Override
            public boolean allowsName(String host) {
                return requirement.has(host);
            }
        };
    }

    /// Puts the pod on a node that takes it.
    void commit(int place, int pod, PodClass podClass) {
        var node = nodes.get(place);
        node.add(pod, podClass);
        for (var group : podClass.labelClass().selecting()) {
            if (group.identity().filter().matches(node.taints(), node.labels())) {
                topology.recordNode(group, place, node.labels());
            }
        }
        for (var group : podClass.inverseOwned()) {
            topology.recordNode(group, place, node.labels());
        }
    }
}
