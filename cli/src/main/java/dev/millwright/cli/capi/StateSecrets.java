package dev.millwright.cli.capi;

import dev.millwright.capi.tree.Estate;
import dev.millwright.capi.tree.StateReading;
import dev.millwright.kube.object.RawObject;

import java.util.Comparator;
import java.util.List;

/// Finds Secrets by the labels that Terraform's `kubernetes` backend gives them.
public final class StateSecrets {

    private static final String STATE = "tfstate";
    private static final String WORKSPACE = "tfstateWorkspace";
    private static final String EXTERNAL_NAME = "crossplane.io/external-name";

    private StateSecrets() {}

    /// The Terraform workspace that a Workspace stands for.
    private static String external(RawObject workspace) {
        var named = workspace.meta().annotation(EXTERNAL_NAME);
        return named == null ? workspace.name().name() : named;
    }

    static String selector(RawObject workspace) {
        return "%s=true,%s=%s".formatted(STATE, WORKSPACE, external(workspace));
    }

    /// Among the Secrets of a file.
    public static StateReading of(Estate estate, RawObject workspace) {
        return of(
                estate.all("", "Secret").stream()
                        .filter(each -> each.meta().label(STATE).equals("true"))
                        .filter(each -> each.meta().label(WORKSPACE).equals(external(workspace)))
                        .toList());
    }

    static StateReading of(List<RawObject> secrets) {
        if (secrets.size() > 1) {
            var names = secrets.stream().map(each -> each.name().toString()).sorted().toList();
            return new StateReading.Unreadable(
                    "%s may all be its state".formatted(String.join(", ", names)));
        }
        return secrets.stream()
                .min(Comparator.comparing(each -> each.name().toString()))
                .map(StateReading::of)
                .orElseGet(StateReading.None::new);
    }
}
