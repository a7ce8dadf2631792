package dev.millwright.capi.manager;

import java.util.List;

/// Settings that cannot be used, with all that is wrong with them.
public final class CaptSettingsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient List<String> faults;

    CaptSettingsException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
        return faults;
    }
}
