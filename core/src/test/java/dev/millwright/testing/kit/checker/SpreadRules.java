package dev.millwright.testing.kit.checker;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.SpreadConstraint.Inclusion;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Hard topology spread, on the final state.
///
/// Take the pods that share a constraint (key, namespace, selector, skew and what nodes count) and
/// select themselves. The last of them to come to a domain found `count + 1 - least <= maxSkew`. By
/// then all of them that are in the domain had been counted, and the least over all domains can
/// only have risen since. So for each domain some pod of it satisfies `certain - least <= maxSkew`,
/// where `certain` counts what was surely counted then, and `least` is taken over domains that
/// surely were known, each with all it may have got by the end. Erring on these sides, the rule
/// holds for every order.
final class SpreadRules {

    /// Pods of one constraint. Karpenter makes minDomains no part of it: the first pod's stands for
    /// all.
    private record Group(
            String key,
            String namespace,
            Selector selector,
            int maxSkew,
            Inclusion taintsPolicy,
            Inclusion affinityPolicy,
            List<Requirements> nodeFilter,
            List<Toleration> tolerations) {}

    private record Member(Facts.Placed placed, SpreadConstraint constraint) {}

    private final Facts facts;
    private final List<Facts.Placed> staying;
    private final List<Violation> violations = new ArrayList<>();

    SpreadRules(Facts facts) {
        this.facts = facts;
        this.staying = facts.staying();
    }

    List<Violation> check() {
        var groups = new LinkedHashMap<Group, List<Member>>();
        for (var placed : facts.placed()) {
            for (var constraint : placed.pod().placement().spread()) {
                if (constraint.isHard()) {
                    checkDecided(placed, constraint);
                    var group = groupOf(placed.pod(), constraint);
                    if (group != null) {
                        groups.computeIfAbsent(group, key -> new ArrayList<>())
                                .add(new Member(placed, constraint));
                    }
                }
            }
        }
        groups.forEach(this::checkSkew);
        return violations;
    }

    /// A hard spread settles on one domain, whatever it selects.
    private void checkDecided(Facts.Placed placed, SpreadConstraint constraint) {
        if (placed.place().decided(constraint.topologyKey()) == null) {
            report(
                    Violation.Rule.TOPOLOGY_KEY,
                    placed.pod() + " on " + placed.place().name(),
                    "%s is not decided, found %s"
                            .formatted(
                                    constraint.topologyKey(),
                                    placed.place().on(constraint.topologyKey())));
        }
    }

    /// The group, or null where it is not sure which pods share it: a pod that does not select
    /// itself is not counted, one with several required terms changes its node filter when it gives
    /// up a term, and so does one that learns to tolerate taints that merely prefer. Karpenter then
    /// counts it in a group of its own.
    private @Nullable Group groupOf(Pod pod, SpreadConstraint constraint) {
        var selector = selectorOf(pod, constraint);
        var isHonouringTaints = constraint.nodeTaintsPolicy() == Inclusion.HONOR;
        var isHonouringAffinity = constraint.nodeAffinityPolicy() == Inclusion.HONOR;
        if (selector == null
                || !selector.matches(pod.labels())
                || pod.placement().nodeAffinity().required().size() > 1
                || facts.isPreferNoScheduleGivenUp()) {
            return null;
        }
        return new Group(
                constraint.topologyKey(),
                pod.name().namespace(),
                selector,
                constraint.maxSkew(),
                constraint.nodeTaintsPolicy(),
                constraint.nodeAffinityPolicy(),
                isHonouringAffinity ? Demands.alternatives(pod, facts.vocabulary()) : List.of(),
                isHonouringTaints ? pod.placement().tolerations() : List.of());
    }

    private static @Nullable Selector selectorOf(Pod pod, SpreadConstraint constraint) {
        var selector = constraint.selector();
        if (selector == null) {
            return null;
        }
        for (var key : constraint.matchLabelKeys()) {
            var value = pod.labels().get(key);
            if (value != null) {
                selector = selector.and(new Selector.Expression(key, Operator.IN, List.of(value)));
            }
        }
        return selector;
    }

    private void checkSkew(Group group, List<Member> members) {
        var byDomain = new LinkedHashMap<String, List<Member>>();
        for (var member : members) {
            var domain = member.placed().place().decided(group.key());
            if (domain != null) {
                byDomain.computeIfAbsent(domain, key -> new ArrayList<>()).add(member);
            }
        }
        byDomain.forEach(
                (domain, there) -> {
                    var certain = there.size() + countStaying(group, domain);
                    var leastSkew =
                            there.stream()
                                    .mapToInt(member -> certain - least(group, members, member))
                                    .min()
                                    .orElse(0);
                    if (leastSkew > group.maxSkew()) {
                        report(
                                Violation.Rule.SPREAD,
                                "%s %s".formatted(group.key(), domain),
                                "has %d pods of %s, skew %d, wanted at most %d"
                                        .formatted(
                                                certain,
                                                group.selector(),
                                                leastSkew,
                                                group.maxSkew()));
                    }
                });
    }

    private int countStaying(Group group, String domain) {
        return (int)
                staying.stream()
                        .filter(other -> isSelected(group, other.pod()))
                        .filter(other -> domain.equals(other.place().decided(group.key())))
                        .filter(other -> passesFilter(group, other))
                        .count();
    }

    private static boolean isSelected(Group group, Pod pod) {
        return pod.name().namespace().equals(group.namespace())
                && group.selector().matches(pod.labels());
    }

    private boolean passesFilter(Group group, Facts.Placed other) {
        var nodeName = other.pod().state().nodeName();
        var stateNode = nodeName == null ? null : facts.node(nodeName);
        var node = stateNode == null ? null : stateNode.node();
        return node != null
                && passesFilter(group, facts.vocabulary().labels(node.labels()), node.taints());
    }

    private static boolean passesFilter(Group group, Requirements labels, List<Taint> taints) {
        var isAffine =
                group.affinityPolicy() == Inclusion.IGNORE
                        || group.nodeFilter().stream()
                                .anyMatch(
                                        wanted ->
                                                labels.isCompatible(
                                                        wanted, Demands.NOTHING_UNDEFINED));
        var isTolerated =
                group.taintsPolicy() == Inclusion.IGNORE
                        || Taint.firstUntolerated(taints, group.tolerations()) == null;
        return isAffine && isTolerated;
    }

    private int least(Group group, List<Member> members, Member member) {
        if (group.key().equals(LabelKeys.HOSTNAME)) {
            return 0;
        }
        var allowed = Demands.first(member.placed().pod(), facts.vocabulary()).on(group.key());
        if (isShortOfDomains(group, members, allowed)) {
            return 0;
        }
        return surelyKnown(group).stream()
                .filter(allowed::has)
                .mapToInt(domain -> countAtMost(group, domain))
                .min()
                .orElse(Integer.MAX_VALUE / 2);
    }

    /// Whether minDomains is missed for sure, which makes the least zero. Where members disagree,
    /// the one that came first decides, and the rule does not know which that was.
    private boolean isShortOfDomains(
            Group group, List<Member> members, dev.millwright.core.label.Requirement allowed) {
        var wanted =
                members.stream()
                        .mapToInt(
                                member -> {
                                    var domains = member.constraint().minDomains();
                                    return domains == null ? 0 : domains;
                                })
                        .min()
                        .orElse(0);
        var isOtherwiseShared =
                facts.problem().snapshot().pods().stream()
                        .filter(pod -> isSelected(group, pod))
                        .flatMap(pod -> pod.placement().spread().stream())
                        .anyMatch(
                                constraint ->
                                        constraint.topologyKey().equals(group.key())
                                                && (constraint.minDomains() == null
                                                        || constraint.minDomains() < wanted));
        return !isOtherwiseShared
                && possiblyKnown(group).stream().filter(allowed::has).count() < wanted;
    }

    /// Domains the group surely knew: what types that pass their pool's own requirements offer, and
    /// labels of nodes that are there and pass the filter.
    private Set<String> surelyKnown(Group group) {
        var known = new TreeSet<String>();
        for (var pool : facts.pools().values()) {
            var isReachable =
                    group.taintsPolicy() == Inclusion.IGNORE
                            || Taint.firstUntolerated(pool.template().taints(), group.tolerations())
                                    == null;
            if (!isReachable) {
                continue;
            }
            var promised = pool.nodeRequirements(facts.vocabulary());
            for (var type : facts.typesOf(pool)) {
                var isOffered =
                        type.requirements().intersects(promised)
                                && type.offerings().stream()
                                        .anyMatch(
                                                offering ->
                                                        offering.isAvailable()
                                                                && promised.isCompatible(
                                                                        offering.requirements(),
                                                                        facts.vocabulary()
                                                                                .wellKnown()));
                var values =
                        promised.on(group.key()).intersection(type.requirements().on(group.key()));
                if (isOffered && !values.isComplement()) {
                    known.addAll(values.values());
                }
            }
        }
        for (var stateNode : facts.nodes().values()) {
            var node = stateNode.node();
            if (node != null && !stateNode.isMarkedForDeletion()) {
                var domain = node.labels().get(group.key());
                if (domain != null
                        && passesFilter(
                                group, facts.vocabulary().labels(node.labels()), node.taints())) {
                    known.add(domain);
                }
            }
        }
        return known;
    }

    /// All values of the key that anything in the problem mentions.
    private Set<String> possiblyKnown(Group group) {
        var known = new TreeSet<String>();
        for (var pool : facts.problem().nodePools()) {
            known.addAll(pool.nodeRequirements(facts.vocabulary()).on(group.key()).values());
            for (var type : facts.typesOf(pool)) {
                known.addAll(type.requirements().on(group.key()).values());
            }
        }
        for (var node : facts.nodes().values()) {
            var domain = node.labels().get(group.key());
            if (domain != null) {
                known.add(domain);
            }
        }
        return known;
    }

    private int countAtMost(Group group, String domain) {
        var stayingThere =
                staying.stream()
                        .filter(other -> isSelected(group, other.pod()))
                        .filter(other -> domain.equals(other.place().decided(group.key())))
                        .count();
        var comeThere =
                facts.placed().stream()
                        .filter(other -> isSelected(group, other.pod()))
                        .filter(other -> other.place().on(group.key()).has(domain))
                        .count();
        return (int) (stayingThere + comeThere);
    }

    private void report(Violation.Rule rule, String subject, String problem) {
        violations.add(new Violation(rule, subject, problem));
    }
}
