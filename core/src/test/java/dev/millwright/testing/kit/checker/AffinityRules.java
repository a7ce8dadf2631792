package dev.millwright.testing.kit.checker;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.label.LabelKeys;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Required affinity and anti-affinity between pods, on the final state.
final class AffinityRules {

    private final Facts facts;
    private final List<Facts.Placed> staying;
    private final List<Facts.Placed> everyone = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();

    AffinityRules(Facts facts) {
        this.facts = facts;
        this.staying = facts.staying();
        everyone.addAll(staying);
        everyone.addAll(facts.placed());
    }

    List<Violation> check() {
        for (var placed : facts.placed()) {
            placed.pod()
                    .placement()
                    .podAntiAffinity()
                    .required()
                    .forEach(term -> checkAnti(placed, term));
            placed.pod()
                    .placement()
                    .podAffinity()
                    .required()
                    .forEach(term -> checkAffinity(placed, term));
        }
        // The inverse: pods that stay repel pods that come.
        for (var owner : staying) {
            for (var term : owner.pod().placement().podAntiAffinity().required()) {
                for (var other : facts.placed()) {
                    if (selects(facts, owner.pod(), term, other.pod())) {
                        checkApart(owner, term, other);
                    }
                }
            }
        }
        return violations;
    }

    /// Whoever of the two comes second avoids all values the first may still take: the owner by its
    /// own term, the other by the inverse one. Values only drop out afterwards, so that the final
    /// sets share nothing.
    ///
    /// The owner's set is always a list, because its own term narrows it. The other's is not when
    /// it came first and nothing bounded the key on its node by then: Karpenter counts such a pod
    /// nowhere, and so nothing is checked for it.
    private void checkAnti(Facts.Placed owner, PodAffinity.Term term) {
        if (owner.place().possible(term.topologyKey()) == null) {
            report(
                    Violation.Rule.TOPOLOGY_KEY,
                    owner,
                    "%s is not decided, found %s"
                            .formatted(term.topologyKey(), owner.place().on(term.topologyKey())));
            return;
        }
        for (var other : everyone) {
            if (!other.pod().name().equals(owner.pod().name())
                    && selects(facts, owner.pod(), term, other.pod())
                    && wasBounded(other, term.topologyKey())) {
                checkApart(owner, term, other);
            }
        }
    }

    private void checkApart(Facts.Placed owner, PodAffinity.Term term, Facts.Placed other) {
        var ours = owner.place().possible(term.topologyKey());
        var theirs = other.place().possible(term.topologyKey());
        if (ours == null || theirs == null) {
            return;
        }
        var shared = new TreeSet<>(ours);
        shared.retainAll(theirs);
        if (!shared.isEmpty()) {
            report(
                    Violation.Rule.ANTI_AFFINITY,
                    owner,
                    "repels %s, yet both may be in %s %s"
                            .formatted(other.pod(), term.topologyKey(), shared));
        }
    }

    /// Whether the key was surely bound to listed values on the pod's node when the pod came: by
    /// the node itself, by the pool, or by this pod or one that came to the node before it.
    private boolean wasBounded(Facts.Placed placed, String key) {
        var claim = placed.place().claim();
        if (claim == null || key.equals(LabelKeys.HOSTNAME)) {
            return true;
        }
        var pool = facts.pools().get(claim.nodePool());
        var promised = pool == null ? null : pool.nodeRequirements(facts.vocabulary()).orNull(key);
        if (promised != null && !promised.isComplement()) {
            return true;
        }
        return facts.knownPods(claim.pods().subList(0, placed.index() + 1)).stream()
                .anyMatch(
                        pod ->
                                Demands.bounds(pod, key, facts.vocabulary())
                                        || isDecidedBy(pod, key));
    }

    private static boolean isDecidedBy(Pod pod, String key) {
        var placement = pod.placement();
        return placement.spread().stream()
                        .anyMatch(spread -> spread.isHard() && spread.topologyKey().equals(key))
                || placement.podAffinity().required().stream()
                        .anyMatch(term -> term.topologyKey().equals(key))
                || placement.podAntiAffinity().required().stream()
                        .anyMatch(term -> term.topologyKey().equals(key));
    }

    /// A pod follows others: every value its node may take has a selected pod for sure. Counted
    /// were only pods whose value was decided, and a decided value stays, so that the final state
    /// shows at least these.
    ///
    /// A pod that its own term selects may also start a domain, but only while no pod that is
    /// counted lies in a domain it may use; pods that were there before the plan always count. On
    /// hosts, which are always decided, only one pod of the same term can be the one that starts.
    private void checkAffinity(Facts.Placed owner, PodAffinity.Term term) {
        var domains = owner.place().possible(term.topologyKey());
        if (domains == null || domains.isEmpty()) {
            report(
                    Violation.Rule.TOPOLOGY_KEY,
                    owner,
                    "%s is not decided, found %s"
                            .formatted(term.topologyKey(), owner.place().on(term.topologyKey())));
            return;
        }
        var alone = domains.stream().filter(domain -> !isInhabited(owner, term, domain)).toList();
        if (alone.isEmpty()) {
            return;
        }
        if (!selects(facts, owner.pod(), term, owner.pod())) {
            report(
                    Violation.Rule.AFFINITY,
                    owner,
                    "no selected pod is in %s %s".formatted(term.topologyKey(), alone));
        } else if (startsLate(owner, term)) {
            report(
                    Violation.Rule.AFFINITY,
                    owner,
                    "starts in %s %s although selected pods are elsewhere"
                            .formatted(term.topologyKey(), alone));
        }
    }

    private boolean isInhabited(Facts.Placed owner, PodAffinity.Term term, String domain) {
        return everyone.stream()
                .filter(other -> !other.pod().name().equals(owner.pod().name()))
                .filter(other -> selects(facts, owner.pod(), term, other.pod()))
                .anyMatch(other -> domain.equals(other.place().decided(term.topologyKey())));
    }

    private boolean startsLate(Facts.Placed owner, PodAffinity.Term term) {
        var key = term.topologyKey();
        var isFollowable =
                staying.stream()
                        .filter(other -> selects(facts, owner.pod(), term, other.pod()))
                        .map(other -> other.place().decided(key))
                        .anyMatch(
                                domain ->
                                        domain != null
                                                && isAllowedAlways(owner.pod(), key, domain));
        return isFollowable || (key.equals(LabelKeys.HOSTNAME) && isSecondStarter(owner, term));
    }

    /// The one that comes first in the list may start; whichever of several really was first, the
    /// others were not.
    private boolean isSecondStarter(Facts.Placed owner, PodAffinity.Term term) {
        for (var other : facts.placed()) {
            if (other.pod().name().equals(owner.pod().name())) {
                return false;
            }
            var host = other.place().decided(LabelKeys.HOSTNAME);
            var isSameTerm =
                    other.pod().name().namespace().equals(owner.pod().name().namespace())
                            && other.pod().placement().podAffinity().required().contains(term);
            if (isSameTerm
                    && isAllowedAlways(owner.pod(), LabelKeys.HOSTNAME, "anywhere")
                    && isAllowedAlways(other.pod(), LabelKeys.HOSTNAME, "anywhere")
                    && selects(facts, other.pod(), term, other.pod())
                    && host != null
                    && !isInhabited(other, term, host)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAllowedAlways(Pod pod, String key, String domain) {
        return Demands.alternatives(pod, facts.vocabulary()).stream()
                .allMatch(wanted -> wanted.on(key).has(domain));
    }

    static boolean selects(Facts facts, Pod owner, PodAffinity.Term term, Pod other) {
        var selector = term.selector();
        return selector != null
                && isInNamespaces(facts, owner, term, other.name().namespace())
                && selector.matches(other.labels());
    }

    private static boolean isInNamespaces(
            Facts facts, Pod owner, PodAffinity.Term term, String namespace) {
        var namespaceSelector = term.namespaceSelector();
        if (namespaceSelector == null && term.namespaces().isEmpty()) {
            return namespace.equals(owner.name().namespace());
        }
        var labels = facts.problem().snapshot().namespaces().get(namespace);
        return term.namespaces().contains(namespace)
                || (namespaceSelector != null
                        && labels != null
                        && namespaceSelector.matches(labels));
    }

    private void report(Violation.Rule rule, Facts.Placed owner, @Nullable String problem) {
        violations.add(
                new Violation(
                        rule,
                        owner.pod() + " on " + owner.place().name(),
                        String.valueOf(problem)));
    }
}
