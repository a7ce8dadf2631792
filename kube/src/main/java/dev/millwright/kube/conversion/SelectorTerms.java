package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// Selectors that were one map as lists of terms, of which one must match.
final class SelectorTerms {

    private static final Set<String> IDS = Set.of("aws-ids", "aws::ids");
    private static final String NAME = "aws::name";
    private static final String OWNERS = "aws::owners";
    private static final int TAG_LENGTH_MAX = 4_096;

    /// The API takes no more.
    private static final int TERMS_MAX = 30;

    private final Notebook notes;

    SelectorTerms(Notebook notes) {
        this.notes = notes;
    }

    /// Of subnets and security groups: ids, or tags.
    List<Value> network(Field selector, String what) {
        if (!selector.isPresent()) {
            selector.missing("tags or ids that choose " + what);
            return List.of();
        }
        var texts = texts(selector);
        var ids = ids(texts);
        if (ids.isEmpty()) {
            return bounded(selector, byTags(selector, texts));
        }
        dropBesides(selector, IDS);
        return bounded(selector, ids.stream().map(id -> (Value) term("id", id)).toList());
    }

    /// Of images: owners × ids × names × tags.
    List<Value> images(Field selector) {
        var texts = texts(selector);
        var ids = ids(texts);
        if (!ids.isEmpty()) {
            dropBesides(selector, IDS);
            return bounded(selector, ids.stream().map(id -> (Value) term("id", id)).toList());
        }
        var names = split(texts.remove(NAME));
        var owners = split(texts.remove(OWNERS));
        var terms = new ArrayList<Value>();
        for (var owner : orNone(owners)) {
            for (var name : orNone(names)) {
                for (var tags : tagMaps(texts)) {
                    var term = Tree.of();
                    term.putUnlessEmpty("name", name).putUnlessEmpty("owner", owner);
                    if (!tags.isEmpty()) {
                        term.putTexts("tags", tags);
                    }
                    terms.add(term.mapping());
                }
            }
        }
        return bounded(selector, terms);
    }

    private static Value.Mapping term(String name, String text) {
        return Tree.of(name, text).mapping();
    }

    private static List<String> orNone(List<String> texts) {
        return texts.isEmpty() ? List.of("") : texts;
    }

    private static SequencedMap<String, String> texts(Field selector) {
        var texts = new TreeMap<>(selector.texts(TAG_LENGTH_MAX));
        selector.entries()
                .forEach(
                        (key, entry) -> {
                            if (texts.getOrDefault(key, "*").isBlank()) {
                                entry.fault("found an empty text; wanted a value, or * for any");
                            }
                        });
        return texts;
    }

    private static List<String> ids(SequencedMap<String, String> texts) {
        var ids = new ArrayList<String>();
        IDS.stream().sorted().forEach(key -> ids.addAll(split(texts.remove(key))));
        return ids;
    }

    static List<String> split(@Nullable String list) {
        return list == null
                ? List.of()
                : Arrays.stream(list.split(",", -1))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .toList();
    }

    /// Ids and more were both to be met; a term with an id takes nothing else.
    private void dropBesides(Field selector, Set<String> kept) {
        selector.entries()
                .forEach(
                        (key, entry) -> {
                            if (!kept.contains(key)) {
                                notes.dropped(
                                        entry,
                                        "a term with an id takes nothing else; see that all these ids are meant");
                            }
                        });
    }

    private static List<Value> byTags(Field selector, SequencedMap<String, String> texts) {
        if (texts.isEmpty()) {
            selector.missing("at least one tag");
        }
        return tagMaps(texts).stream()
                .map(tags -> (Value) Tree.of().putTexts("tags", tags).mapping())
                .toList();
    }

    /// A value with commas meant any of them: one map for each way to choose.
    private static List<SequencedMap<String, String>> tagMaps(SequencedMap<String, String> texts) {
        List<SequencedMap<String, String>> maps = List.of(new TreeMap<>());
        for (var entry : texts.entrySet()) {
            var more = new ArrayList<SequencedMap<String, String>>();
            for (var map : maps) {
                for (var value : split(entry.getValue())) {
                    var longer = new TreeMap<>(map);
                    longer.put(entry.getKey(), value);
                    more.add(longer);
                }
            }
            maps = more.size() > TERMS_MAX ? more.subList(0, TERMS_MAX + 1) : more;
        }
        return maps;
    }

    private static List<Value> bounded(Field selector, List<Value> terms) {
        if (terms.size() > TERMS_MAX) {
            selector.fault(
                    "comes to more than %d terms, which is all the API takes; choose by fewer values"
                            .formatted(TERMS_MAX));
        }
        return terms;
    }
}
