package dev.millwright.testing.kit.checker;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.scheduling.WaitReason;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Every pod that needs a place has exactly one answer, and nobody else has any.
final class AccountRules {

    private final Facts facts;
    private final List<Violation> violations = new ArrayList<>();

    AccountRules(Facts facts) {
        this.facts = facts;
    }

    List<Violation> check() {
        var answers = new TreeMap<ObjectName, List<String>>();
        var plan = facts.plan();
        for (var claim : plan.claims()) {
            claim.pods().forEach(pod -> add(answers, pod, "new node of " + claim.nodePool()));
        }
        for (var existing : plan.existing()) {
            existing.pods().forEach(pod -> add(answers, pod, "node " + existing.node()));
        }
        plan.waiting().forEach(waiting -> add(answers, waiting.pod(), "waiting"));
        var batch = facts.batch();
        batch.keySet().forEach(pod -> answers.putIfAbsent(pod, List.of()));
        answers.forEach(
                (pod, found) -> {
                    var isOurs = batch.containsKey(pod) || Leaving.mayMove(facts, facts.pod(pod));
                    if (!isOurs) {
                        report(pod, "needs no place, yet got " + found);
                    } else if (found.size() > 1 || (found.isEmpty() && batch.containsKey(pod))) {
                        report(pod, "wanted exactly one answer, found " + found);
                    }
                });
        facts.placed().forEach(this::checkPlannable);
        plan.waiting().forEach(waiting -> checkReason(waiting.pod(), waiting.reason()));
        return violations;
    }

    private static void add(Map<ObjectName, List<String>> answers, ObjectName pod, String answer) {
        answers.computeIfAbsent(pod, name -> new ArrayList<>()).add(answer);
    }

    private void checkPlannable(Facts.Placed placed) {
        if (placed.pod().hasResourceClaims() && facts.problem().policy().ignoresResourceClaims()) {
            report(placed.pod().name(), "asks for devices, which are not supported, yet is placed");
        }
    }

    private void checkReason(ObjectName pod, WaitReason reason) {
        if (reason instanceof WaitReason.NoNodePools
                && facts.problem().nodePools().stream()
                        .anyMatch(pool -> pool.isOpenForPods() && !facts.typesOf(pool).isEmpty())) {
            report(pod, "waits for a pool although one is open");
        }
    }

    private void report(ObjectName pod, String problem) {
        violations.add(new Violation(Violation.Rule.ACCOUNT, pod.toString(), problem));
    }
}
