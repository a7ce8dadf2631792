package dev.millwright.testing.kit.checker;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A claim as a whole: its pool, its requirements and the pods that share it.
///
/// A claim's requirements only ever narrow, so that the final ones lie within those of every pod of
/// the claim.
final class ClaimRules {

    /// Keys that a claim carries for the simulation alone, or whose value is replaced at the end.
    private static final Set<String> NOT_COMPARED =
            Set.of(LabelKeys.REGISTERED, LabelKeys.INITIALIZED, LabelKeys.HOSTNAME);

    private final Facts facts;
    private final List<Violation> violations = new ArrayList<>();

    ClaimRules(Facts facts) {
        this.facts = facts;
    }

    List<Violation> check() {
        for (var index = 0; index < facts.plan().claims().size(); index++) {
            var claim = facts.plan().claims().get(index);
            var place = facts.placeOf(index);
            var pool = facts.pools().get(claim.nodePool());
            if (pool == null) {
                report(Violation.Rule.DESTINATION, place, "its pool gives pods no nodes");
                continue;
            }
            if (claim.pods().isEmpty() || claim.types().isEmpty()) {
                report(Violation.Rule.DESTINATION, place, "lacks pods or instance types");
                continue;
            }
            checkPool(place, pool);
            facts.knownPods(claim.pods()).forEach(pod -> checkPod(place, pool, pod));
            checkHostPorts(place, claim);
            checkRequests(place, pool, claim);
        }
        return violations;
    }

    private void checkPool(Facts.Place place, NodePool pool) {
        for (var promised : pool.nodeRequirements(facts.vocabulary()).all()) {
            var isKept =
                    NOT_COMPARED.contains(promised.key())
                            || Demands.areMet(place.labels(), Requirements.of(promised));
            if (!isKept) {
                report(
                        Violation.Rule.REQUIREMENTS,
                        place,
                        "the pool wants %s, found %s"
                                .formatted(promised, place.labels().on(promised.key())));
            }
        }
    }

    private void checkPod(Facts.Place place, NodePool pool, Pod pod) {
        var isGivenUp = facts.isPreferNoScheduleGivenUp();
        var taint = Demands.untolerated(pod, pool.template().taints(), isGivenUp);
        if (taint != null) {
            report(Violation.Rule.TAINTS, place, "%s does not tolerate %s".formatted(pod, taint));
        }
        var wanted = Demands.alternatives(pod, facts.vocabulary());
        if (wanted.stream().noneMatch(alternative -> isMet(place, pool, pod, alternative))) {
            report(
                    Violation.Rule.REQUIREMENTS,
                    place,
                    "%s wants %s, found %s".formatted(pod, wanted, place.labels()));
        }
        if (!Demands.volumesAreMet(facts, pod, place.labels())) {
            report(
                    Violation.Rule.VOLUME_ZONES,
                    place,
                    "volumes of %s cannot be reached from %s".formatted(pod, place.labels()));
        }
    }

    /// A label that nobody defines is not there. A pool defines it, or the provider, or another pod
    /// of the claim that merely excludes values of it: then the claim has a requirement on the key,
    /// and its node will have the label.
    private boolean isMet(Facts.Place place, NodePool pool, Pod pod, Requirements wanted) {
        return Demands.areMet(place.labels(), wanted)
                && wanted.all().stream()
                        .allMatch(
                                requirement ->
                                        requirement.operator().allowsAbsence()
                                                || isDefined(place, pool, pod, requirement.key()));
    }

    private boolean isDefined(Facts.Place place, NodePool pool, Pod pod, String key) {
        var claim = place.claim();
        return pool.nodeRequirements(facts.vocabulary()).has(key)
                || facts.vocabulary().wellKnown().contains(key)
                || (claim != null
                        && facts.knownPods(claim.pods()).stream()
                                .filter(other -> !other.name().equals(pod.name()))
                                .flatMap(
                                        other ->
                                                Demands.alternatives(other, facts.vocabulary())
                                                        .stream())
                                .map(wanted -> wanted.orNull(key))
                                .anyMatch(
                                        wanted ->
                                                wanted != null
                                                        && wanted.operator().allowsAbsence()));
    }

    private void checkHostPorts(Facts.Place place, PlannedClaim claim) {
        var pods = facts.knownPods(claim.pods());
        for (var one = 0; one < pods.size(); one++) {
            for (var other = one + 1; other < pods.size(); other++) {
                if (ExistingNodeRules.clash(pods.get(one), pods.get(other))) {
                    report(
                            Violation.Rule.HOST_PORTS,
                            place,
                            "%s and %s want the same port"
                                    .formatted(pods.get(one), pods.get(other)));
                }
            }
        }
    }

    /// The claim asks for its pods and for the least that daemons take on any of its types. Types
    /// without daemons may be left out of that least: Karpenter counts them or not by the order it
    /// meets them.
    private void checkRequests(Facts.Place place, NodePool pool, PlannedClaim claim) {
        var overheads = new LinkedHashSet<Resources>();
        for (var option : claim.types()) {
            facts.typesOf(pool).stream()
                    .filter(type -> type.name().equals(option.name()))
                    .map(type -> Daemons.requests(Daemons.of(facts, pool, type)))
                    .forEach(overheads::add);
        }
        var ofPods = Daemons.requests(facts.knownPods(claim.pods()));
        var least = ofPods.plus(leastShared(overheads));
        var some = new LinkedHashSet<>(overheads);
        some.remove(Resources.NONE);
        var most = ofPods.plus(leastShared(some));
        // A reservation drops types after the least was taken.
        if (claim.reservationIds().isEmpty()
                && !claim.requests().equals(least)
                && !claim.requests().equals(most)) {
            report(
                    Violation.Rule.REQUESTS,
                    place,
                    "asks for %s, wanted %s or %s".formatted(claim.requests(), least, most));
        }
    }

    private static Resources leastShared(Set<Resources> overheads) {
        return overheads.stream().reduce(Resources::minOfShared).orElse(Resources.NONE);
    }

    private void report(Violation.Rule rule, Facts.Place place, String problem) {
        violations.add(new Violation(rule, place.name(), problem));
    }
}
