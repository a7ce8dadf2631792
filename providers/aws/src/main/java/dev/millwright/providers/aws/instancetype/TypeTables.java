package dev.millwright.providers.aws.instancetype;

import dev.millwright.spi.ec2.CsvTable;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What EC2's API does not tell of a type, from a file that comes with this module; see
/// `docs/reference/catalogue.md`.
public final class TypeTables {

    private static final CsvTable.Source SOURCE =
            new CsvTable.Source("/dev/millwright/providers/aws/ec2-types.csv", TypeTables.TOOL);

    /// What makes the files.
    public static final String TOOL = "providers/aws/tools/tables.py";

    /// @param networkMegabits null where the bandwidth is not one number
    /// @param branchInterfaces zero where the type has no trunk, or is not known to have one
    /// @param addressesPerInterface null where not known
    public record Entry(
            @Nullable Long networkMegabits,
            long branchInterfaces,
            @Nullable Long addressesPerInterface) {

        public static final Entry UNKNOWN = new Entry(null, 0, null);
    }

    private final SequencedMap<String, Entry> entries;

    public TypeTables(SequencedMap<String, Entry> entries) {
        this.entries = Collections.unmodifiableSequencedMap(new TreeMap<>(entries));
    }

    public static TypeTables load() {
        var entries = new TreeMap<String, Entry>();
        for (var row : CsvTable.load(TypeTables.class, SOURCE).rows()) {
            entries.put(
                    row.required("type"),
                    new Entry(
                            row.wholeOrNull("network_mbps"),
                            row.wholeOrZero("branch_interfaces"),
                            row.wholeOrNull("ipv4_per_interface")));
        }
        return new TypeTables(entries);
    }

    public Entry of(String type) {
        return entries.getOrDefault(type, Entry.UNKNOWN);
    }
}
