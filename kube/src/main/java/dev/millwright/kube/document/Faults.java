package dev.millwright.kube.document;

import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong, so that a person mends all of it in one go.
public final class Faults {

    /// Faults told at once; a file with more is rather the wrong file.
    public static final int SHOWN_MAX = 20;

    private final List<Fault> shown = new ArrayList<>();
    private int count;

    public void add(Fault fault) {
        count++;
        if (shown.size() < SHOWN_MAX) {
            shown.add(fault);
        }
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /// Those that are told, in the order they were found.
    public List<Fault> shown() {
        return List.copyOf(shown);
    }

    /// @throws DocumentException when anything was wrong
    public void throwIfAny() {
        if (count > 0) {
            throw new DocumentException(shown, count - shown.size());
        }
    }
}
