package dev.millwright.core.cluster;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A machine of the cluster, seen through its Node and its NodeClaim at once.
///
/// Until the node has registered the claim speaks for labels and taints; until it is initialised
/// the claim fills in resources that the kubelet has not reported, and taints that will go are
/// overlooked. A node without a claim is somebody else's: it is taken as it is.
public record StateNode(
        @Nullable Node node,
        @Nullable NodeClaim claim,
        boolean isMarkedForDeletion,
        boolean isInsideConsolidateAfter) {

    public StateNode {
        if (node == null && claim == null) {
            throw new IllegalArgumentException("a state node needs a Node or a NodeClaim");
        }
    }

    public static StateNode of(@Nullable Node node, @Nullable NodeClaim claim) {
        var isGoing =
                (node != null && node.isTerminating()) || (claim != null && claim.isTerminating());
        return new StateNode(node, claim, isGoing, false);
    }

    public StateNode markedForDeletion() {
        return new StateNode(node, claim, true, isInsideConsolidateAfter);
    }

    public StateNode insideConsolidateAfter() {
        return new StateNode(node, claim, isMarkedForDeletion, true);
    }

    public String name() {
        return node != null ? node.name() : claimOrThrow().name();
    }

    public String hostName() {
        return labels().getOrDefault(LabelKeys.HOSTNAME, name());
    }

    public boolean isManaged() {
        return claim != null;
    }

    public boolean isRegistered() {
        if (!isManaged()) {
            return true;
        }
        return node != null && "true".equals(node.labels().get(LabelKeys.REGISTERED));
    }

    public boolean isInitialized() {
        if (!isManaged()) {
            return true;
        }
        return node != null && "true".equals(node.labels().get(LabelKeys.INITIALIZED));
    }

    public SequencedMap<String, String> labels() {
        return node != null && isRegistered() ? node.labels() : claimOrThrow().labels();
    }

    public List<Taint> taints() {
        var all = node != null && isRegistered() ? node.taints() : claimOrThrow().taints();
        var taints =
                all.stream().anyMatch(Taint.STEERED_AWAY::matches)
                        ? all.stream().filter(taint -> !taint.matches(Taint.STEERED_AWAY)).toList()
                        : all;
        if (isInitialized() && !isRebooting(taints)) {
            return taints;
        }
        var startup = claimOrThrow().startupTaints();
        return taints.stream()
                .filter(taint -> !taint.matches(Taint.REBOOTING))
                .filter(taint -> !taint.isEphemeral() && startup.stream().noneMatch(taint::matches))
                .toList();
    }

    /// Its room comes back: buying for its pods would be buying twice.
    private boolean isRebooting(List<Taint> taints) {
        return isManaged() && taints.stream().anyMatch(Taint.REBOOTING::matches);
    }

    public Resources capacity() {
        return reported(
                node == null ? Resources.NONE : node.capacity(),
                claim == null ? Resources.NONE : claim.capacity());
    }

    public Resources allocatable() {
        return reported(
                node == null ? Resources.NONE : node.allocatable(),
                claim == null ? Resources.NONE : claim.allocatable());
    }

    public SequencedMap<String, Integer> volumeLimits() {
        return node == null
                ? Collections.unmodifiableSequencedMap(new TreeMap<>())
                : node.volumeLimits();
    }

    private Resources reported(Resources byNode, Resources byClaim) {
        if (isInitialized()) {
            return byNode;
        }
        var filled = new TreeMap<>(byNode.amounts());
        byClaim.amounts()
                .forEach(
                        (name, amount) -> {
                            if (filled.getOrDefault(name, Quantity.ZERO).isZero()) {
                                filled.put(name, amount);
                            }
                        });
        return new Resources(filled);
    }

    private NodeClaim claimOrThrow() {
        if (claim == null) {
            throw new IllegalStateException("a state node needs a Node or a NodeClaim");
        }
        return claim;
    }
}
