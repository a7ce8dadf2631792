package dev.millwright.cli.world;

import dev.millwright.world.fault.Fault;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/// Faults as they are written on the command line: `all`, `none` or words with commas.
public final class FaultList {

    private FaultList() {}

    public static Set<Fault> parse(String text) {
        if (text.equals("all")) {
            return EnumSet.allOf(Fault.class);
        }
        var faults = EnumSet.noneOf(Fault.class);
        if (!text.equals("none")) {
            for (var word : text.split(",", -1)) {
                var fault = Fault.of(word.strip());
                if (fault == null) {
                    throw new IllegalArgumentException(
                            "found \"%s\"; wanted all, none, or some of %s"
                                    .formatted(word.strip(), words()));
                }
                faults.add(fault);
            }
        }
        return Collections.unmodifiableSet(faults);
    }

    private static String words() {
        return Arrays.stream(Fault.values()).map(Fault::word).collect(Collectors.joining(","));
    }
}
