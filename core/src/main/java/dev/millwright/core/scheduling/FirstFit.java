package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.PodClass.Wish;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/// Places pods as Karpenter does: the largest first, each on the first node that takes it, else on
/// the node in the making with the fewest pods, else on a new one of the first pool that can. A pod
/// that fails gives up its wishes one by one; one that still fails comes back later with all its
/// wishes, as long as others make progress.
final class FirstFit {

    /// What is known of a pod that is still waiting.
    enum Outcome {
        PLACED,
        REFUSED,
        RESERVATION_PENDING,
        RESOURCE_CLAIMS
    }

    private final Pass pass;
    private final Outcome[] outcomes;
    private final int[] given;
    private final @Nullable String[] pendingPools;

    FirstFit(Pass pass) {
        this.pass = pass;
        this.outcomes = new Outcome[pass.problem().podCount()];
        this.given = new int[outcomes.length];
        this.pendingPools = new String[outcomes.length];
        Arrays.fill(outcomes, Outcome.REFUSED);
    }

    /// Places the pods in this order; those placed already are passed over.
    void place(List<Integer> pods) {
        var queue = new ArrayDeque<>(pods);
        var lengthAtPush = new int[outcomes.length];
        while (!queue.isEmpty() && lengthAtPush[queue.peekFirst()] != queue.size()) {
            var pod = queue.removeFirst();
            outcomes[pod] = place(pod);
            if (outcomes[pod] != Outcome.PLACED) {
                queue.addLast(pod);
                lengthAtPush[pod] = queue.size();
            }
        }
    }

    Outcome outcome(int pod) {
        return outcomes[pod];
    }

    /// Notes that a strategy placed the pod itself, after so many wishes were given up.
    void markPlaced(int pod, int wishesGiven) {
        outcomes[pod] = Outcome.PLACED;
        given[pod] = wishesGiven;
    }

    /// How many wishes the pod gave up to be placed.
    int given(int pod) {
        return given[pod];
    }

    int waiting() {
        return (int) Arrays.stream(outcomes).filter(outcome -> outcome != Outcome.PLACED).count();
    }

    /// The pool whose reservation a pod waits for.
    String pendingPool(int pod) {
        var pool = pendingPools[pod];
        return pool == null ? "" : pool;
    }

    private Outcome place(int pod) {
        var podClass = pass.podClass(pod);
        if (podClass.sample().hasResourceClaims()
                && pass.problem().problem().policy().ignoresResourceClaims()) {
            return Outcome.RESOURCE_CLAIMS;
        }
        var outcome = Outcome.REFUSED;
        for (var wishesGiven = 0; outcome == Outcome.REFUSED; wishesGiven++) {
            var wish = pass.wish(podClass, wishesGiven);
            if (wish == null) {
                return outcome;
            }
            given[pod] = wishesGiven;
            outcome = place(pod, podClass, wish);
        }
        return outcome;
    }

    private Outcome place(int pod, PodClass podClass, Wish wish) {
        if (pass.placeOnNode(pod, podClass, wish) || pass.placeOnClaim(pod, podClass, wish)) {
            return Outcome.PLACED;
        }
        for (var template = 0; template < pass.templates().size(); template++) {
            switch (pass.open(template, pod, podClass, wish, RequirementSpace.none())) {
                case OPENED -> {
                    return Outcome.PLACED;
                }
                case RESERVATION_PENDING -> {
                    pendingPools[pod] = pass.templates().get(template).name();
                    return Outcome.RESERVATION_PENDING;
                }
                case REFUSED -> {}
            }
        }
        return Outcome.REFUSED;
    }
}
