package dev.millwright.core.cluster;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Where a pod is in its life. `gates` are the names of the scheduling gates that hold it back;
/// records of decisions leave them out, since nothing is decided by them.
public record PodState(
        Phase phase,
        @Nullable String nodeName,
        @Nullable String nominatedNodeName,
        boolean isTerminating,
        boolean isMarkedUnschedulable,
        boolean isKnownNotReady,
        @Nullable Instant startedAt,
        List<Owner> owners,
        List<String> gates) {

    /// Of a pod that no scheduling gate holds back.
    public PodState(
            Phase phase,
            @Nullable String nodeName,
            @Nullable String nominatedNodeName,
            boolean isTerminating,
            boolean isMarkedUnschedulable,
            boolean isKnownNotReady,
            @Nullable Instant startedAt,
            List<Owner> owners) {
        this(
                phase,
                nodeName,
                nominatedNodeName,
                isTerminating,
                isMarkedUnschedulable,
                isKnownNotReady,
                startedAt,
                owners,
                List.of());
    }

    public enum Phase {
        NONE,
        PENDING,
        RUNNING,
        SUCCEEDED,
        FAILED,
        UNKNOWN
    }

    /// An owner reference, by exact kind.
    public record Owner(
            String apiVersion, String kind, String name, String uid, boolean isController) {}

    /// Waiting for a node, as kube-scheduler leaves a pod it could not place.
    public static final PodState WAITING =
            new PodState(Phase.PENDING, null, null, false, true, false, null, List.of());

    public PodState {
        owners = List.copyOf(owners);
        gates = List.copyOf(gates);
    }

    public static PodState runningOn(String nodeName) {
        return new PodState(Phase.RUNNING, nodeName, null, false, false, false, null, List.of());
    }

    public PodState withOwners(List<Owner> others) {
        return new PodState(
                phase,
                nodeName,
                nominatedNodeName,
                isTerminating,
                isMarkedUnschedulable,
                isKnownNotReady,
                startedAt,
                others,
                gates);
    }

    public boolean isTerminal() {
        return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
    }

    /// Still running or about to: neither ended nor on its way out.
    public boolean isActive() {
        return !isTerminal() && !isTerminating;
    }

    public boolean isBound() {
        return nodeName != null;
    }

    /// The owner that makes the pod anew; null of a pod without one.
    public @Nullable Owner controller() {
        for (var owner : owners) {
            if (owner.isController()) {
                return owner;
            }
        }
        return null;
    }

    public boolean isOwnedBy(String apiVersion, String kind) {
        for (var owner : owners) {
            if (owner.kind().equals(kind) && owner.apiVersion().equals(apiVersion)) {
                return true;
            }
        }
        return false;
    }

    public boolean isOwnedByDaemonSet() {
        return isOwnedBy("apps/v1", "DaemonSet");
    }

    public boolean isMirror() {
        return isOwnedBy("v1", "Node");
    }

    /// Whether a node may be launched for the pod: kube-scheduler gave up on it, and nobody else
    /// provides for it.
    public boolean isProvisionable() {
        return isMarkedUnschedulable
                && !isBound()
                && nominatedNodeName == null
                && !isOwnedByDaemonSet()
                && !isMirror();
    }

    /// Whether the pod would come back elsewhere when its node goes.
    public boolean isReschedulable() {
        var isComingBack = isTerminating && isOwnedBy("apps/v1", "StatefulSet");
        return (isActive() || isComingBack) && !isOwnedByDaemonSet() && !isMirror();
    }
}
