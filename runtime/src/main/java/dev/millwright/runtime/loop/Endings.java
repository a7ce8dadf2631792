package dev.millwright.runtime.loop;

import dev.millwright.runtime.step.Step.Ending;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The ending of several steps that were carried out together.
public final class Endings {

    private static final int FAILURES_SHOWN_MAX = 5;

    private Endings() {}

    /// Failures are told together; else a retry, else the soonest return. A step that stopped is no
    /// reason for the others to.
    public static Ending gravest(List<Ending> endings) {
        var failures = new ArrayList<String>();
        var isRetry = false;
        Duration soonest = null;
        for (var ending : endings) {
            switch (ending) {
                case Ending.Failed(var message) -> failures.add(message);
                case Ending.Retry() -> isRetry = true;
                case Ending.Again(var after) ->
                        soonest = soonest == null || after.compareTo(soonest) < 0 ? after : soonest;
                case Ending.Done(), Ending.Stop() -> {}
            }
        }
        if (!failures.isEmpty()) {
            return new Ending.Failed(joined(failures));
        }
        if (isRetry) {
            return new Ending.Retry();
        }
        return soonest == null ? new Ending.Done() : new Ending.Again(soonest);
    }

    private static String joined(List<String> failures) {
        var shown = failures.stream().distinct().sorted().limit(FAILURES_SHOWN_MAX).toList();
        var left = failures.size() - shown.size();
        return String.join("; ", shown) + (left > 0 ? "; and %d more".formatted(left) : "");
    }
}
