package dev.millwright.capi.workspace;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

/// Throws the folders of Workspaces away that are gone.
public final class WorkspaceCollection implements Singleton {

    private static final Duration EVERY = Duration.ofHours(1);

    private final List<WorkspaceKinds> groups;
    private final TerraformRuns runs;
    private final WorkspaceMemory memory;

    /// @param groups all that are run: a folder of any other is thrown away
    public WorkspaceCollection(
            List<WorkspaceKinds> groups, TerraformRuns runs, WorkspaceMemory memory) {
        this.groups = List.copyOf(groups);
        this.runs = runs;
        this.memory = memory;
    }

    @Override
    public String name() {
        return "workspace.garbagecollection";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var uids = new TreeSet<String>();
        for (var kinds : groups) {
            view.cache(kinds.workspace()).all().forEach(each -> uids.add(each.meta().uid()));
        }
        return Step.of(
                        new Effect.Ask<>(
                                "collect folders of workspaces",
                                Effect.Ask.Touch.CHANGES,
                                () -> {
                                    runs.collect(uids);
                                    memory.keepOnly(uids);
                                    return true;
                                },
                                _ -> Step.DONE))
                .thenAgain(EVERY);
    }
}
