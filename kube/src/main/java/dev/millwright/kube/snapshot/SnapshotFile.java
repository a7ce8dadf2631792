package dev.millwright.kube.snapshot;

import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.List;

/// What the files hold, ready to be solved, and what a person should know of them besides.
///
/// @param origins where its prices come from
public record SnapshotFile(
        String name, SchedulingProblem problem, List<String> notes, PriceOrigins origins) {

    public SnapshotFile {
        notes = List.copyOf(notes);
    }
}
