package dev.millwright.kube.record;

import dev.millwright.core.deliberation.Deliberation;

import java.nio.file.Path;
import java.time.Instant;

/// One thing that a record tells.
public sealed interface RecordEntry {

    /// A decision as it was made.
    ///
    /// @param number from 0 on, over all files that are read together
    record Decided(int number, Deliberation deliberation) implements RecordEntry {}

    /// Decisions that were made and not recorded, because recording could not keep up or failed.
    record Missed(long decisions, Instant since, Instant until) implements RecordEntry {}

    /// The rest of a file cannot be read.
    ///
    /// @param offset in the file, about
    record Damaged(Path file, long offset, String problem) implements RecordEntry {

        public String explain() {
            return "%s: damaged at byte %d: %s; what comes after it in this file is lost"
                    .formatted(file, offset, problem);
        }
    }
}
