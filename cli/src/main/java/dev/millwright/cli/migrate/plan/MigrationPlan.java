package dev.millwright.cli.migrate.plan;

import dev.millwright.kube.document.Value;

import java.util.List;

/// What was found and what to do about it.
///
/// @param objects drafts to be looked at and applied, where the plan has some
public record MigrationPlan(
        String from,
        List<Finding> findings,
        List<Step> steps,
        List<Value.Mapping> objects,
        List<String> warnings) {

    public MigrationPlan {
        findings = List.copyOf(findings);
        steps = List.copyOf(steps);
        objects = List.copyOf(objects);
        warnings = List.copyOf(warnings);
    }

    /// @param isOk whether it stands in the way of nothing
    public record Finding(String name, boolean isOk, String found) {}

    /// @param checks commands whose answer says that the step is done
    public record Step(
            String title,
            String why,
            List<String> commands,
            List<String> checks,
            List<String> rollback) {
        public Step {
            commands = List.copyOf(commands);
            checks = List.copyOf(checks);
            rollback = List.copyOf(rollback);
        }
    }
}
