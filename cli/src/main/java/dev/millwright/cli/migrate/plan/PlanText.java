package dev.millwright.cli.migrate.plan;

import dev.millwright.cli.migrate.MigrationText;
import dev.millwright.kube.document.YamlWriter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A plan as it is shown.
public final class PlanText {

    private PlanText() {}

    public static String text(MigrationPlan plan) {
        var text = new StringBuilder("Found\n");
        for (var finding : plan.findings()) {
            text.append(
                    "  %s %s: %s\n"
                            .formatted(
                                    finding.isOk() ? "-" : "!", finding.name(), finding.found()));
        }
        var number = 1;
        for (var step : plan.steps()) {
            text.append("\n%d. %s\n   %s\n".formatted(number++, step.title(), step.why()));
            lines(text, "", step.commands());
            lines(text, "   done when:", step.checks());
            lines(text, "   way back:", step.rollback());
        }
        if (!plan.warnings().isEmpty()) {
            text.append("\nMind\n");
            plan.warnings().forEach(warning -> text.append("  - ").append(warning).append('\n'));
        }
        for (var object : plan.objects()) {
            text.append("\n# draft\n---\n").append(YamlWriter.text(object));
        }
        return text.toString();
    }

    private static void lines(StringBuilder text, String head, List<String> commands) {
        if (commands.isEmpty()) {
            return;
        }
        if (!head.isEmpty()) {
            text.append(head).append('\n');
        }
        commands.forEach(command -> text.append("     ").append(command).append('\n'));
    }

    public static Map<String, Object> json(MigrationPlan plan) {
        var json = new LinkedHashMap<String, Object>();
        json.put("from", plan.from());
        json.put("checks", plan.findings().stream().map(PlanText::check).toList());
        var steps = new ArrayList<Map<String, Object>>();
        plan.steps().forEach(step -> steps.add(step(steps.size() + 1, step)));
        json.put("steps", steps);
        json.put("objects", plan.objects().stream().map(MigrationText::plainMap).toList());
        json.put("warnings", plan.warnings());
        return json;
    }

    private static Map<String, Object> check(MigrationPlan.Finding finding) {
        var map = new LinkedHashMap<String, Object>();
        map.put("name", finding.name());
        map.put("ok", finding.isOk());
        map.put("found", finding.found());
        return map;
    }

    private static Map<String, Object> step(int number, MigrationPlan.Step step) {
        var map = new LinkedHashMap<String, Object>();
        map.put("number", number);
        map.put("title", step.title());
        map.put("why", step.why());
        map.put("commands", step.commands());
        map.put("checks", step.checks());
        map.put("rollback", step.rollback());
        return map;
    }
}
