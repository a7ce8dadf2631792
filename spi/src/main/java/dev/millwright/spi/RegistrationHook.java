package dev.millwright.spi;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.SequencedMap;

/// Something that must have happened before a node counts as registered.
public interface RegistrationHook {

    String name();

    Answer registered(MachineClaim claim);

    sealed interface Answer {

        /// Done. The labels are added to the claim and, with it, to the node.
        record Passed(SequencedMap<String, String> labels) implements Answer {}

        record Pending(@Nullable Duration again) implements Answer {}

        record Failed(String message) implements Answer {}
    }
}
