package dev.millwright.providers.aws.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;

/// One filter of a Describe call: any of the values will do.
public record Filter(String name, List<String> values) {

    /// As a tag's value in a selector: whatever the value, the key must be there.
    public static final String ANY = "*";

    /// All instances but those that are gone for good.
    public static final Filter ALIVE =
            of("instance-state-name", "pending", "running", "stopping", "stopped", "shutting-down");

    public Filter {
        values = List.copyOf(values);
    }

    public static Filter of(String name, String... values) {
        return new Filter(name, List.of(values));
    }

    /// One filter a tag; all of them must hold.
    public static List<Filter> tags(SequencedMap<String, String> tags) {
        var filters = new ArrayList<Filter>();
        tags.forEach(
                (key, value) ->
                        filters.add(
                                value.equals(ANY) ? of("tag-key", key) : of("tag:" + key, value)));
        return Collections.unmodifiableList(filters);
    }
}
