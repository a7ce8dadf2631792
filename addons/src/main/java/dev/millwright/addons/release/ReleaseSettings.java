package dev.millwright.addons.release;

import java.time.Duration;

/// How the release controller works.
///
/// @param process the name of this process, by which its runs are told from others
/// @param atOnce proxies that are looked at at once
/// @param lookEvery how soon a change that somebody else made to a release is noticed
public record ReleaseSettings(String process, int atOnce, Duration lookEvery) {

    private static final int AT_ONCE_DEFAULT = 10;

    /// Together with how long a look at a cluster is kept, less than a minute.
    public static final Duration LOOK_EVERY_DEFAULT = Duration.ofSeconds(35);

    public static ReleaseSettings of(String process) {
        return new ReleaseSettings(process, AT_ONCE_DEFAULT, LOOK_EVERY_DEFAULT);
    }

    public ReleaseSettings withLookEvery(Duration every) {
        return new ReleaseSettings(process, atOnce, every);
    }
}
