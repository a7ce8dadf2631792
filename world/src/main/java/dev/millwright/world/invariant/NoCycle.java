package dev.millwright.world.invariant;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.invariant.seen.SeenPod;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/// Disruption of our own will comes to rest: without a change from outside, no state of the cluster
/// that was left by one comes back to be left again by the same way.
///
/// A state is which machines there are, which of them are about to go, and which workloads run on
/// each; a way is which of them goes. Names and uids of pods do not matter, since each move gives
/// them new ones. Who comes to lead has not seen what was tried before, and may try it once.
final class NoCycle implements Invariant {

    /// States remembered at most; beyond, the oldest change from outside is as good as forgotten.
    private static final int STATES_MAX = 10_000;

    private static final String USER = "user";

    /// Kinds that change by themselves when pods move.
    private static final Set<ResourceType> FOLLOWING =
            Set.of(
                    ResourceType.LEASE,
                    ResourceType.EVENT,
                    ResourceType.CSI_NODE,
                    ResourceType.VOLUME_ATTACHMENT,
                    ResourceType.PERSISTENT_VOLUME,
                    ResourceType.PERSISTENT_VOLUME_CLAIM);

    private final Court court;
    private final Map<String, Instant> left = new HashMap<>();

    NoCycle(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "no-cycle";
    }

    @Override
    public void saw(Sight sight) {
        if (isOutsideChange(sight)) {
            left.clear();
        } else if (sight instanceof Sight.OfClaim(var at, var by, var before, var after)
                && before != null
                && !before.isDeleting()
                && (after == null || after.isDeleting())
                && Sight.isOperator(by)
                && isVoluntary(before)) {
            leave(at, before);
        }
    }

    private static boolean isVoluntary(ClaimObject claim) {
        var reason = goingFor(claim);
        return reason.equals(Reason.EMPTY.text()) || reason.equals(Reason.UNDERUTILIZED.text());
    }

    /// Why it is about to go; empty when it is not.
    private static String goingFor(ClaimObject claim) {
        var reason = claim.conditions().find(ClaimObject.DISRUPTION_REASON);
        return reason == null || !reason.isTrue() ? "" : reason.reason();
    }

    private void leave(Instant at, ClaimObject claim) {
        var state = state(claim);
        var before = left.size() < STATES_MAX ? left.putIfAbsent(state, at) : left.get(state);
        if (before != null) {
            court.tell(
                    breach(
                            at,
                            "NodeClaim %s: is taken away from a cluster that is as it was at %s, when one was taken away too; wanted no way back without a change from outside"
                                    .formatted(claim.name().name(), before)));
        }
    }

    /// The claim that goes is still part of the state that is left.
    private String state(ClaimObject going) {
        var machines = new ArrayList<String>();
        for (var claim : court.cluster().claims()) {
            if (!claim.isDeleting() || claim.name().equals(going.name())) {
                machines.add(machine(claim));
            }
        }
        machines.sort(null);
        var waiting =
                court.cluster().pods().stream()
                        .filter(pod -> !pod.isBound() && pod.isActive())
                        .toList();
        return String.join("\n", machines)
                + "\nwaiting "
                + workloads(waiting)
                + "\ngoing "
                + machine(going);
    }

    private String machine(ClaimObject claim) {
        var labels = claim.meta().labels();
        var pods = new ArrayList<SeenPod>();
        for (var node : court.cluster().nodesOf(claim.providerId())) {
            pods.addAll(court.cluster().podsOn(node.name().name()));
        }
        return String.join(
                " ",
                claim.nodePool(),
                labels.getOrDefault(LabelKeys.INSTANCE_TYPE, ""),
                labels.getOrDefault(LabelKeys.ZONE, ""),
                labels.getOrDefault(LabelKeys.CAPACITY_TYPE, ""),
                goingFor(claim),
                workloads(pods));
    }

    private String workloads(Collection<SeenPod> pods) {
        var counts = new TreeMap<String, Integer>();
        for (var pod : pods) {
            if (pod.isActive()) {
                counts.merge(court.cluster().workloads().of(pod).toString(), 1, Integer::sum);
            }
        }
        return counts.toString();
    }

    private static boolean isOutsideChange(Sight sight) {
        return switch (sight) {
            case Sight.Of(Happening.Changed changed) -> isOutsideChange(changed);
            case Sight.Of(Happening.Led(_, _, var leads)) -> leads;
            case Sight.Of(var happening) -> Trouble.isTrouble(happening);
            case Sight.OfPod(_, var by, var before, var after) ->
                    by.equals(USER)
                            || (before != null
                                    && after != null
                                    && before.isActive()
                                    && after.isTerminal());
            case Sight.OfNode(_, var by, var before, var after) ->
                    by.equals(USER)
                            || (before != null
                                    && after != null
                                    && before.isInitialized()
                                    && before.isReady() != after.isReady());
            case Sight.OfClaim(_, var by, _, _) -> by.equals(USER);
            case Sight.OfPool(_, var by, _, _) -> by.equals(USER);
            case Sight.OfBudget(_, var by, _, _) -> by.equals(USER);
        };
    }

    /// Workloads, classes, overlays: what is asked for changed. A status is no wish.
    private static boolean isOutsideChange(Happening.Changed changed) {
        return !Sight.isOperator(changed.by())
                && !FOLLOWING.contains(changed.type())
                && !Objects.equals(spec(changed.before()), spec(changed.after()));
    }

    private static @Nullable Value spec(Value.@Nullable Mapping object) {
        return object == null ? null : object.fields().get("spec");
    }
}
