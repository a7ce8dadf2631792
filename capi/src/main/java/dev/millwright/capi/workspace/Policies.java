package dev.millwright.capi.workspace;

import dev.millwright.kube.object.RawObject;

import java.util.List;

/// What a Workspace lets us do, from its managementPolicies and, while those are all, its
/// deletionPolicy.
record Policies(List<String> policies, boolean isOrphaned) {

    private static final String ALL = "*";

    static Policies of(RawObject workspace) {
        var field = workspace.spec().at("managementPolicies");
        return new Policies(
                field.isPresent() ? field.textList() : List.of(ALL),
                workspace.spec().at("deletionPolicy").text("").equals("Orphan"));
    }

    /// An empty list means that nothing is to be done at all.
    boolean isPause() {
        return policies.isEmpty();
    }

    private boolean isAll() {
        return policies.size() == 1 && policies.contains(ALL);
    }

    boolean allows(String action) {
        return policies.contains(ALL) || policies.contains(action);
    }

    boolean destroys() {
        return isAll() ? !isOrphaned : allows("Delete");
    }

    RunOrder.Aim aim() {
        return new RunOrder.Aim(allows("Create"), allows("Update"), false);
    }
}
