package dev.millwright.providers.sim.cloud;

import java.util.Locale;

/// The calls of the simulated cloud that are throttled and that fail, each by its own settings.
public enum SimApi {
    LAUNCH,
    TERMINATE,
    FIND,
    LIST;

    /// As settings write it.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
