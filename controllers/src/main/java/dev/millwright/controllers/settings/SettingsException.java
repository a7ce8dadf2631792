package dev.millwright.controllers.settings;

import java.util.List;

/// Settings with which the operator must not start. The message has one line a fault and is meant
/// for the person who wrote them.
public final class SettingsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    public SettingsException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
        return faults;
    }
}
