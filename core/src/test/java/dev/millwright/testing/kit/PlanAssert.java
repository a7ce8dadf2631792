package dev.millwright.testing.kit;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Claims about a plan. Pods are named without namespace, or `namespace/name` where that matters.
public final class PlanAssert extends AbstractAssert<PlanAssert, Plan> {

    private PlanAssert(Plan plan) {
        super(plan, PlanAssert.class);
    }

    public static PlanAssert assertThat(Plan plan) {
        return new PlanAssert(plan);
    }

    // Who gets a place -------------------------------------------------------------------------

    /// No pod of the pass is left waiting.
    public PlanAssert schedulesAll() {
        if (!actual.waiting().isEmpty()) {
            failWithMessage("expected no pod to wait, but %s", waiting());
        }
        return this;
    }

    /// These pods have a place.
    public PlanAssert schedules(String... pods) {
        Arrays.stream(pods).forEach(this::placeOrFail);
        return this;
    }

    /// The plan says nothing of these pods: they are not its business.
    public PlanAssert leavesAlone(String... pods) {
        for (var pod : pods) {
            if (place(pod) != null
                    || actual.waiting().stream().anyMatch(each -> isNamed(each.pod(), pod))) {
                failWithMessage("expected nothing about pod %s, but %s", pod, render());
            }
        }
        return this;
    }

    /// The pod waits, and the answer lets one ask why.
    public WaitingAssert leavesWaiting(String pod) {
        return new WaitingAssert(
                this,
                actual.waiting().stream()
                        .filter(each -> isNamed(each.pod(), pod))
                        .findFirst()
                        .orElseThrow(
                                () -> failure("expected pod %s to wait, but %s", pod, render())));
    }

    /// So many pods wait, whoever they are.
    public PlanAssert leavesWaiting(int count) {
        if (actual.waiting().size() != count) {
            failWithMessage(
                    "expected %d pods to wait, but %d do: %s",
                    count, actual.waiting().size(), render());
        }
        return this;
    }

    // What is bought ---------------------------------------------------------------------------

    public PlanAssert launches(int count) {
        if (actual.claims().size() != count) {
            failWithMessage(
                    "expected %d new nodes, but there are %d: %s",
                    count, actual.claims().size(), render());
        }
        return this;
    }

    public PlanAssert launchesNothing() {
        return launches(0);
    }

    /// The cheapest options of the new nodes are of exactly these types, in any order.
    public PlanAssert launches(String... types) {
        Assertions.assertThat(actual.claims())
                .as(render())
                .extracting(claim -> claim.cheapest().name())
                .containsExactlyInAnyOrder(types);
        return this;
    }

    /// The claim made for the pod.
    public ClaimAssert claimOf(String pod) {
        return new ClaimAssert(claimOrFail(pod), this);
    }

    /// The pod's new node would be of this type, the cheapest that does.
    public PlanAssert cheapestType(String pod, String type) {
        return claimOf(pod).cheapestType(type).and();
    }

    /// The pod's new node must lie in this zone.
    public PlanAssert inZone(String pod, String zone) {
        return claimOf(pod).requires(LabelKeys.ZONE, zone).and();
    }

    // Who is with whom -------------------------------------------------------------------------

    public PlacementAssert puts(String... pods) {
        return new PlacementAssert(this, List.of(pods));
    }

    public PlacementAssert puts(Collection<PodBuilder> pods) {
        return new PlacementAssert(
                this, pods.stream().map(pod -> pod.pod().name().toString()).toList());
    }

    /// How many pods the new nodes hold by their value of the key, fewest first; new nodes that
    /// leave the value open do not count.
    public PlanAssert spreads(String key, Integer... counts) {
        var found = new TreeMap<String, Integer>();
        actual.claims()
                .forEach(
                        claim -> {
                            var domain = domain(claim, key);
                            if (domain != null) {
                                found.merge(domain, claim.pods().size(), Integer::sum);
                            }
                        });
        var wanted = Arrays.stream(counts).sorted().toList();
        Assertions.assertThat(found.values().stream().sorted().toList())
                .as("pods by %s %s of %s", key, found, render())
                .isEqualTo(wanted);
        return this;
    }

    private @Nullable String domain(PlannedClaim claim, String key) {
        if (key.equals(LabelKeys.HOSTNAME)) {
            return nameOf(claim);
        }
        var requirement = claim.requirements().on(key);
        var isDecided = !requirement.isComplement() && requirement.values().size() == 1;
        return isDecided ? requirement.values().getFirst() : null;
    }

    // Finding ----------------------------------------------------------------------------------

    /// Where the pod is: the node's name, or `claim N` for the N-th claim; null when it waits.
    @Nullable String place(String pod) {
        return Stream.concat(
                        actual.claims().stream()
                                .filter(claim -> holds(claim.pods(), pod))
                                .map(this::nameOf),
                        actual.existing().stream()
                                .filter(place -> holds(place.pods(), pod))
                                .map(Plan.ExistingPlacement::node))
                .findFirst()
                .orElse(null);
    }

    String placeOrFail(String pod) {
        var place = place(pod);
        if (place == null) {
            throw failure("expected pod %s to have a place, but %s", pod, render());
        }
        return place;
    }

    PlannedClaim claimOrFail(String pod) {
        return actual.claims().stream()
                .filter(claim -> holds(claim.pods(), pod))
                .findFirst()
                .orElseThrow(
                        () -> failure("expected a new node for pod %s, but %s", pod, render()));
    }

    AssertionError fault(String message, Object... arguments) {
        return failure(message, arguments);
    }

    private String nameOf(PlannedClaim claim) {
        return "claim " + (actual.claims().indexOf(claim) + 1);
    }

    private static boolean holds(List<ObjectName> pods, String pod) {
        return pods.stream().anyMatch(each -> isNamed(each, pod));
    }

    private static boolean isNamed(ObjectName name, String text) {
        return text.contains("/") ? name.toString().equals(text) : name.name().equals(text);
    }

    // Telling ----------------------------------------------------------------------------------

    /// The plan in one paragraph, for messages.
    String render() {
        var lines = new TreeSet<String>();
        actual.claims()
                .forEach(
                        claim ->
                                lines.add(
                                        "%s of %s holds %s (%s, %d types, %s)"
                                                .formatted(
                                                        nameOf(claim),
                                                        claim.nodePool(),
                                                        claim.pods(),
                                                        claim.types().isEmpty()
                                                                ? "no type"
                                                                : claim.cheapest().name(),
                                                        claim.types().size(),
                                                        claim.requirements())));
        actual.existing()
                .forEach(place -> lines.add("%s holds %s".formatted(place.node(), place.pods())));
        return lines + "; " + waiting();
    }

    private String waiting() {
        return actual.waiting().stream()
                .map(each -> "%s waits: %s".formatted(each.pod(), each.reason().explain()))
                .collect(Collectors.joining("; "));
    }
}
