package dev.millwright.world.scheduler;

import dev.millwright.world.scheduler.PodClass.Near;
import dev.millwright.world.scheduler.PodClass.SpreadRule;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// One look for a place for a pod: which nodes will do, and why others will not.
///
/// What depends on many nodes is summed up once, before the first node is asked.
final class Trial {

    /// What a domain has of the pods a rule counts, and how much it may have.
    private record Balance(SpreadRule rule, int[] counts, int least) {}

    private final Board board;
    private final PodClass kind;
    private final VolumeTrial volumes;
    private final List<Balance> balances;
    private final List<boolean[]> wanted;
    private final boolean isFirstOfItsKind;
    private final List<boolean[]> shunned;
    private final List<boolean[]> shunnedBy;

    Trial(Board board, PodClass kind, VolumeTrial volumes) {
        this.board = board;
        this.kind = kind;
        this.volumes = volumes;
        this.balances = kind.hardSpread().stream().map(this::balance).toList();
        this.wanted = wantedDomains();
        this.isFirstOfItsKind = kind.wanted() != null && kind.wantsItself() && isNowhere();
        this.shunned = kind.shunned().stream().map(this::domains).toList();
        this.shunnedBy = kind.shunnedBy().stream().map(this::domains).toList();
    }

    /// Pods on nodes without any of the keys count for nobody.
    private boolean isNowhere() {
        for (var domains : wanted) {
            for (var isThere : domains) {
                if (isThere) {
                    return false;
                }
            }
        }
        return true;
    }

    private Balance balance(SpreadRule rule) {
        var topology = rule.topology();
        var counts = new int[topology.size()];
        var isDomain = new boolean[topology.size()];
        for (var slot : board.nodes()) {
            if (countsFor(rule, slot)) {
                var domain = topology.domain(slot);
                counts[domain] += rule.pods().at(slot);
                isDomain[domain] = true;
            }
        }
        var least = Integer.MAX_VALUE;
        var domains = 0;
        for (var domain = 0; domain < counts.length; domain++) {
            if (isDomain[domain]) {
                domains++;
                least = Math.min(least, counts[domain]);
            }
        }
        return new Balance(rule, counts, domains < rule.spread().minDomains() ? 0 : least);
    }

    /// A node counts when it has the keys of all constraints and the pod could use it, as far as
    /// the constraint wants that honoured.
    private boolean countsFor(SpreadRule rule, NodeSlot slot) {
        for (var other : kind.hardSpread()) {
            if (other.topology().domain(slot) == Topology.NONE) {
                return false;
            }
        }
        return (!rule.spread().honorsAffinity() || NodeFit.matchesAffinity(kind.wish(), slot))
                && (!rule.spread().honorsTaints()
                        || NodeFit.untolerated(kind.wish(), slot) == null);
    }

    private List<boolean[]> wantedDomains() {
        var tally = kind.wanted();
        if (tally == null) {
            return List.of();
        }
        var found = new ArrayList<boolean[]>();
        for (var topology : kind.wantedNear()) {
            found.add(domains(new Near(topology, tally, 0)));
        }
        return found;
    }

    /// The domains where such pods are.
    private boolean[] domains(Near near) {
        var topology = near.topology();
        var found = new boolean[topology.size()];
        if (near.pods().total() > 0) {
            for (var slot : board.nodes()) {
                var domain = topology.domain(slot);
                if (domain != Topology.NONE && near.pods().at(slot) > 0) {
                    found[domain] = true;
                }
            }
        }
        return found;
    }

    /// The nodes the pod names itself, or null when it may go anywhere.
    @Nullable List<NodeSlot> named() {
        var terms = kind.wish().required();
        if (terms == null || terms.isEmpty()) {
            return null;
        }
        var slots = new ArrayList<NodeSlot>();
        for (var term : terms) {
            var names = term.names();
            if (names == null) {
                return null;
            }
            for (var name : names) {
                var slot = board.node(name);
                if (slot != null && !slots.contains(slot)) {
                    slots.add(slot);
                }
            }
        }
        return slots;
    }

    /// Null when the node will do.
    @Nullable Reason obstacle(NodeSlot slot) {
        var local = NodeFit.obstacle(kind, slot);
        if (local != null) {
            return local;
        }
        var volume = volumes.obstacle(slot);
        if (volume != null) {
            return volume;
        }
        var spread = spread(slot);
        return spread != null ? spread : affinity(slot);
    }

    private @Nullable Reason spread(NodeSlot slot) {
        for (var balance : balances) {
            var rule = balance.rule();
            var domain = rule.topology().domain(slot);
            if (domain == Topology.NONE) {
                return Reason.SPREAD_LABEL;
            }
            var count = balance.counts()[domain] + (rule.selectsItself() ? 1 : 0);
            if (count - balance.least() > rule.spread().maxSkew()) {
                return Reason.SPREAD;
            }
        }
        return null;
    }

    private @Nullable Reason affinity(NodeSlot slot) {
        for (var i = 0; i < wanted.size(); i++) {
            var domain = kind.wantedNear().get(i).domain(slot);
            if (domain == Topology.NONE || !(wanted.get(i)[domain] || isFirstOfItsKind)) {
                return Reason.AFFINITY;
            }
        }
        if (isIn(kind.shunned(), shunned, slot)) {
            return Reason.ANTI_AFFINITY;
        }
        return isIn(kind.shunnedBy(), shunnedBy, slot) ? Reason.SHUNNED : null;
    }

    private static boolean isIn(List<Near> nears, List<boolean[]> domains, NodeSlot slot) {
        for (var i = 0; i < nears.size(); i++) {
            var domain = nears.get(i).topology().domain(slot);
            if (domain != Topology.NONE && domains.get(i)[domain]) {
                return true;
            }
        }
        return false;
    }
}
