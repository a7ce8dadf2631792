package dev.millwright.providers.aws.image;

import java.time.Duration;

/// A parameter of the parameter store that holds an image's id.
record Parameter(String name, Origin origin) {

    /// Who named it, and so for how long its value is good.
    enum Origin {
        /// Of an alias that follows what is recommended: its value changes with a release.
        FOLLOWING_ALIAS(Duration.ofHours(24)),

        /// Of an alias that names a version: its value never changes.
        PINNED_ALIAS(Duration.ofHours(24)),

        /// Of a class that names the parameter itself.
        TERM(Duration.ofMinutes(5));

        private final Duration kept;

        Origin(Duration kept) {
            this.kept = kept;
        }

        Duration kept() {
            return kept;
        }
    }
}
