package dev.millwright.core.disruption;

import dev.millwright.core.disruption.NodeHealth.Sign;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.RepairPolicy.Action;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// A cloud's repair policies, made ready to be held against nodes. Without policies nothing is ever
/// sick.
public final class RepairRules {

    public static final RepairRules NONE = new RepairRules(List.of());

    /// A node that was rebooted so often of late is replaced.
    public static final int REBOOTS_MAX = 2;

    private record Rule(RepairPolicy policy, @Nullable Pattern reason, int rank) {

        boolean isAbout(Sign sign) {
            return policy.conditionType().equals(sign.type())
                    && policy.conditionStatus().equals(sign.status());
        }

        boolean names(Sign sign) {
            return reason != null && isAbout(sign) && reason.matcher(sign.reason()).find();
        }
    }

    /// A policy whose patience with a sign is over.
    private record Due(Rule rule, Sign sign, Instant at) {

        Action action() {
            return rule.policy().action();
        }
    }

    /// The costliest action; of equal ones the most important policy, then who waited longest.
    private static final Comparator<Due> DECISIVE_FIRST =
            Comparator.comparing(Due::action)
                    .thenComparingInt(due -> due.rule().policy().priority())
                    .reversed()
                    .thenComparing(Due::at)
                    .thenComparing(due -> due.sign().type());

    private final List<Rule> rules;

    public RepairRules(List<RepairPolicy> policies) {
        var priorities = policies.stream().map(RepairPolicy::priority).distinct().sorted().toList();
        this.rules =
                policies.stream()
                        .map(
                                policy ->
                                        new Rule(
                                                policy,
                                                policy.reasonPattern().isEmpty()
                                                        ? null
                                                        : Pattern.compile(policy.reasonPattern()),
                                                priorities.indexOf(policy.priority())))
                        .toList();
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /// What the rules were made from, in the same order.
    public List<RepairPolicy> policies() {
        return rules.stream().map(Rule::policy).toList();
    }

    /// Whether the node has a condition that some policy is about, tolerated or not.
    boolean isSick(NodeHealth health) {
        return health.signs().stream()
                .anyMatch(sign -> rules.stream().anyMatch(rule -> rule.isAbout(sign)));
    }

    /// Whether the node says anything that a rule is about, borne or not.
    boolean concerns(NodeHealth health) {
        return health.signs().stream().anyMatch(sign -> !applying(sign).isEmpty());
    }

    /// Null of a node that is well, or not sick for long enough. After a reboot patience begins
    /// anew.
    @Nullable Diagnosis diagnosis(NodeHealth health, Instant now) {
        var due = new ArrayList<Due>();
        for (var sign : health.signs()) {
            for (var rule : applying(sign)) {
                var at = since(sign, health).plus(rule.policy().toleration());
                if (!at.isAfter(now)) {
                    due.add(new Due(rule, sign, at));
                }
            }
        }
        if (due.isEmpty()) {
            return null;
        }
        var found = diagnosis(due, now);
        return found.action() == Action.REBOOT && health.reboots() >= REBOOTS_MAX
                ? found.escalated()
                : found;
    }

    /// Those that name the sign's reason; else the one that stands in for its condition, or for
    /// all.
    private List<Rule> applying(Sign sign) {
        if (rules.stream().noneMatch(rule -> rule.isAbout(sign))) {
            return List.of();
        }
        var named = rules.stream().filter(rule -> rule.names(sign)).toList();
        if (!named.isEmpty()) {
            return named;
        }
        return rules.stream()
                .filter(rule -> rule.reason() == null)
                .min(Comparator.comparing((Rule rule) -> !rule.isAbout(sign)))
                .map(List::of)
                .orElse(List.of());
    }

    private static Instant since(Sign sign, NodeHealth health) {
        var since = later(sign.changedAt(), health.createdAt());
        return health.rebootedAt() == null ? since : later(since, health.rebootedAt());
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Diagnosis diagnosis(List<Due> due, Instant now) {
        var decisive = due.stream().min(DECISIVE_FIRST).orElseThrow();
        var urgent =
                due.stream()
                        .max(
                                Comparator.comparingDouble(
                                        each ->
                                                Diagnosis.urgency(
                                                        each.rule().rank(), each.at(), now)))
                        .orElseThrow();
        Duration drainMax = null;
        for (var each : due) {
            var wanted = each.rule().policy().drainMax();
            if (wanted != null && (drainMax == null || wanted.compareTo(drainMax) < 0)) {
                drainMax = wanted;
            }
        }
        return new Diagnosis(
                decisive.action(),
                decisive.rule().policy(),
                decisive.sign(),
                decisive.at(),
                drainMax,
                urgent.rule().rank(),
                urgent.at(),
                false);
    }
}
