package dev.millwright.capi.machine.object;

import dev.millwright.kube.document.Faults;

import java.util.stream.Collectors;

/// What is wrong with an object, as its condition says it.
public final class Refusal {

    public static final String REASON = "InvalidConfiguration";

    private Refusal() {}

    /// Empty when nothing is wrong.
    public static String of(Faults faults) {
        return faults.shown().stream()
                .map(fault -> fault.field() + " " + fault.problem())
                .collect(Collectors.joining("; "));
    }
}
