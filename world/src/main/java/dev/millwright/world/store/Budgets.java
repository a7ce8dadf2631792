package dev.millwright.world.store;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.client.ApiAnswer.Refused;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.translation.LabelTranslation;
import dev.millwright.kube.tree.StrategicPatch;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/// Whether disruption budgets let a pod be evicted. It changes nothing itself.
final class Budgets {

    /// Evictions a budget's controller may be behind with.
    private static final int DISRUPTED_MAX = 2_000;

    private static final LabelTranslation LABELS = new LabelTranslation(LabelVocabulary.CORE);

    private static final String VIOLATED =
            "Cannot evict pod as it would violate the pod's disruption budget.";

    sealed interface Ruling {
        /// Nobody has anything against it.
        record Free() implements Ruling {}

        /// The budget allows it, and has this status from now on.
        record Charged(Value.Mapping budget, Value.Mapping after) implements Ruling {}

        record Denied(Refused refused) implements Ruling {}
    }

    private Budgets() {}

    /// Budgets are not asked about a pod that is not up, or that is going already.
    static boolean areAsked(Value.Mapping pod) {
        return switch (Trees.text(pod, "status", "phase")) {
            case "Succeeded", "Failed", "Pending" -> false;
            default -> Trees.meta(pod, Deletion.TIME).isEmpty();
        };
    }

    /// The budgets of the pod's namespace are given, in the order of names.
    static Ruling of(Value.Mapping pod, Collection<Value.Mapping> budgets, Instant now) {
        var labels = Selection.labelsOf(pod);
        var own =
                budgets.stream()
                        .filter(
                                budget -> {
                                    var selector = LABELS.selector(selectorOf(budget));
                                    return selector != null
                                            && !selector.isEmpty()
                                            && selector.matches(labels);
                                })
                        .toList();
        if (own.size() > 1) {
            return new Ruling.Denied(
                    new Refused(
                            500,
                            "",
                            "This pod has more than one PodDisruptionBudget, which the eviction"
                                    + " subresource does not support."));
        }
        if (own.isEmpty() || (!isReady(pod) && mayGoUnready(own.getFirst()))) {
            return new Ruling.Free();
        }
        return charged(pod, own.getFirst(), now);
    }

    private static Field selectorOf(Value.Mapping budget) {
        return Field.root("", budget, new Faults()).at("spec").at("selector");
    }

    static boolean isReady(Value.Mapping pod) {
        return Trees.list(pod, "status", "conditions").stream()
                .anyMatch(
                        each ->
                                each instanceof Value.Mapping condition
                                        && "Ready".equals(condition.text("type"))
                                        && "True".equals(condition.text("status")));
    }

    private static boolean mayGoUnready(Value.Mapping budget) {
        var desired = count(budget, "desiredHealthy");
        return Trees.text(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                || (count(budget, "currentHealthy") >= desired && desired > 0);
    }

    private static long count(Value.Mapping budget, String field) {
        var count = Trees.number(budget, "status", field);
        return count == null ? 0 : count;
    }

    private static Ruling charged(Value.Mapping pod, Value.Mapping budget, Instant now) {
        var generation = Trees.number(budget, "metadata", "generation");
        var allowed = count(budget, "disruptionsAllowed");
        if (generation != null && count(budget, "observedGeneration") < generation) {
            return new Ruling.Denied(new Refused(429, "TooManyRequests", VIOLATED));
        }
        if (allowed < 0) {
            return forbidden(budget, "pdb disruptions allowed is negative");
        }
        var disrupted = Trees.mapping(budget, "status", "disruptedPods");
        if (disrupted.fields().size() > DISRUPTED_MAX) {
            return forbidden(
                    budget,
                    "DisruptedPods map too big - too many evictions not confirmed by PDB"
                            + " controller");
        }
        if (allowed == 0) {
            return new Ruling.Denied(new Refused(429, "TooManyRequests", VIOLATED));
        }
        var status = Trees.mapping(budget, "status");
        var after =
                Trees.changed(
                        status,
                        fields -> {
                            fields.put("disruptionsAllowed", Trees.number(allowed - 1));
                            fields.put(
                                    "disruptedPods",
                                    Trees.with(
                                            disrupted,
                                            Trees.meta(pod, "name"),
                                            Trees.text(now.toString())));
                        });
        return new Ruling.Charged(
                budget,
                Trees.with(budget, "status", allowed == 1 ? exhausted(budget, after, now) : after));
    }

    private static Ruling forbidden(Value.Mapping budget, String why) {
        return new Ruling.Denied(
                new Refused(
                        403,
                        "Forbidden",
                        "poddisruptionbudget.policy \"%s\" is forbidden: %s"
                                .formatted(Trees.meta(budget, "name"), why)));
    }

    /// The condition that tells that no more is allowed.
    private static Value.Mapping exhausted(
            Value.Mapping budget, Value.Mapping status, Instant now) {
        var generation = Trees.number(budget, "metadata", "generation");
        var condition =
                Tree.of("type", "DisruptionAllowed")
                        .put("status", "False")
                        .put("reason", "InsufficientPods")
                        .put("message", "")
                        .put("observedGeneration", generation == null ? 0 : generation);
        var known = conditionOf(status);
        var isOld = known != null && "False".equals(known.text("status"));
        var since = isOld && known != null ? Trees.text(known, "lastTransitionTime") : "";
        condition.put("lastTransitionTime", since.isEmpty() ? now.toString() : since);
        return StrategicPatch.apply(
                status, Tree.of().putList("conditions", List.of(condition.mapping())).mapping());
    }

    private static Value.@Nullable Mapping conditionOf(Value.Mapping status) {
        for (var each : Trees.list(status, "conditions")) {
            if (each instanceof Value.Mapping condition
                    && "DisruptionAllowed".equals(condition.text("type"))) {
                return condition;
            }
        }
        return null;
    }
}
