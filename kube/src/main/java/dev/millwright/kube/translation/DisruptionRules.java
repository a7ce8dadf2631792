package dev.millwright.kube.translation;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;

import java.util.Set;
import java.util.regex.Pattern;

/// The grammar of a NodePool's disruption block and durations, as the API server holds it.
final class DisruptionRules {

    private static final Pattern DURATION = Pattern.compile("([0-9]+(s|m|h))+");
    private static final Pattern BUDGET_DURATION = Pattern.compile("([0-9]+h)?([0-9]+m)?(0s)?");
    private static final Pattern NODES = Pattern.compile("(100|[0-9]{1,2})%|[0-9]+");
    private static final Set<String> POLICIES =
            Set.of("WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced");
    private static final Set<String> REASONS =
            Set.of("Underutilized", "Empty", "Drifted", "Unhealthy");
    private static final int BUDGETS_MAX = 50;

    private DisruptionRules() {}

    static void check(Field spec) {
        var disruption = spec.at("disruption");
        duration(disruption.at("consolidateAfter"), true);
        var policy = disruption.at("consolidationPolicy");
        if (policy.isPresent() && !POLICIES.contains(policy.text(""))) {
            policy.fault(
                    "found \"%s\"; wanted WhenEmpty, WhenEmptyOrUnderutilized or Balanced"
                            .formatted(Shortened.of(policy.text(""))));
        }
        var budgets = disruption.at("budgets");
        if (budgets.elements().size() > BUDGETS_MAX) {
            budgets.fault(
                    "has %d elements; wanted at most %d"
                            .formatted(budgets.elements().size(), BUDGETS_MAX));
        }
        budgets.elements().forEach(DisruptionRules::checkBudget);
    }

    private static void checkBudget(Field budget) {
        var nodes = budget.at("nodes");
        var text = nodes.textOrNumber();
        if (text != null && !NODES.matcher(text).matches()) {
            nodes.fault(
                    "found \"%s\"; wanted a number such as 5 or a share such as 10%%"
                            .formatted(Shortened.of(text)));
        }
        for (var reason : budget.at("reasons").elements()) {
            if (!REASONS.contains(reason.text(""))) {
                reason.fault(
                        "found \"%s\"; wanted Underutilized, Empty, Drifted or Unhealthy"
                                .formatted(Shortened.of(reason.text(""))));
            }
        }
        var schedule = budget.at("schedule");
        var duration = budget.at("duration");
        if (schedule.isPresent() != duration.isPresent()) {
            budget.fault("schedule and duration belong together; give both or neither");
        }
        var length = duration.text("");
        if (duration.isPresent()
                && (length.isEmpty() || !BUDGET_DURATION.matcher(length).matches())) {
            duration.fault(
                    "found \"%s\"; wanted hours and minutes such as 1h30m"
                            .formatted(Shortened.of(length)));
        }
    }

    static void duration(Field field, boolean mayBeNever) {
        var text = field.text();
        if (text == null
                || (mayBeNever && text.equals("Never"))
                || (text.length() <= Shortened.LENGTH_MAX && DURATION.matcher(text).matches())) {
            return;
        }
        field.fault(
                "found \"%s\"; wanted a duration such as 30s, 10m or 720h%s"
                        .formatted(Shortened.of(text), mayBeNever ? ", or Never" : ""));
    }
}
