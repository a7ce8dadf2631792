package dev.millwright.kube.document;

import java.util.List;
import java.util.stream.Collectors;

/// Files that cannot be read as they should. The message has one line a fault and is meant for the
/// person who wrote the file.
public final class DocumentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    public DocumentException(List<Fault> faults, int unshown) {
        super(message(faults, unshown));
        this.faults = List.copyOf(faults);
    }

    public DocumentException(Fault fault) {
        this(List.of(fault), 0);
    }

    private static String message(List<Fault> faults, int unshown) {
        var lines = faults.stream().map(Fault::toString).collect(Collectors.joining("\n"));
        return unshown == 0 ? lines : "%s\nand %d more".formatted(lines, unshown);
    }

    public List<Fault> faults() {
        return faults;
    }
}
