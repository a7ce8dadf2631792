package dev.millwright.runtime.flag;

import java.util.List;

/// Flags that cannot be used, with all that is wrong with them.
public final class FlagsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient List<String> faults;

    public FlagsException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
        return faults;
    }
}
