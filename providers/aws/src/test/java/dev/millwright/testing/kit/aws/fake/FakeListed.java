package dev.millwright.testing.kit.aws.fake;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Filter;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Something that a Describe call lists, with what it may be filtered by.
///
/// @param fields by the filter's name; a thing passes by any of its values
record FakeListed<T>(
        T item, SequencedMap<String, List<String>> fields, SequencedMap<String, String> tags) {

    private static final String TAG = "tag:";

    FakeListed {
        fields = Collections.unmodifiableSequencedMap(new TreeMap<>(fields));
        tags = Collections.unmodifiableSequencedMap(new TreeMap<>(tags));
    }

    static <T> FakeListed<T> of(
            T item, Map<String, String> fields, SequencedMap<String, String> tags) {
        var lists = new TreeMap<String, List<String>>();
        fields.forEach((name, value) -> lists.put(name, List.of(value)));
        return new FakeListed<>(item, lists, tags);
    }

    /// Those that pass all filters. A filter that is not known is refused, not overlooked.
    static <T> List<T> select(Collection<FakeListed<T>> all, List<Filter> filters) throws AwsFault {
        for (var filter : filters) {
            for (var listed : all) {
                if (!listed.isFilteredBy(filter.name())) {
                    throw AwsFault.refused(
                            "InvalidParameterValue",
                            "The filter '%s' is invalid".formatted(filter.name()));
                }
            }
        }
        return all.stream()
                .filter(each -> filters.stream().allMatch(each::passes))
                .map(FakeListed::item)
                .toList();
    }

    private boolean isFilteredBy(String name) {
        return name.startsWith(TAG) || name.equals("tag-key") || fields.containsKey(name);
    }

    private boolean passes(Filter filter) {
        var found = found(filter.name());
        return filter.values().stream()
                .map(FakeListed::glob)
                .anyMatch(glob -> found.stream().anyMatch(each -> glob.matcher(each).matches()));
    }

    private List<String> found(String name) {
        if (name.equals("tag-key")) {
            return List.copyOf(tags.keySet());
        }
        if (name.startsWith(TAG)) {
            var value = tags.get(name.substring(TAG.length()));
            return value == null ? List.of() : List.of(value);
        }
        return fields.getOrDefault(name, List.of());
    }

    /// A pattern in which `*` stands for anything and `?` for any one character.
    static Pattern glob(String text) {
        return Pattern.compile(
                text.codePoints()
                        .mapToObj(Character::toString)
                        .map(
                                each ->
                                        switch (each) {
                                            case "*" -> ".*";
                                            case "?" -> ".";
                                            default -> Pattern.quote(each);
                                        })
                        .collect(Collectors.joining()),
                Pattern.DOTALL);
    }
}
