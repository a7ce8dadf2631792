package dev.millwright.capi.tree;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The objects that a tree is made of, by group and kind, whatever their version.
public final class Estate {

    private record Sort(String group, String kind) implements Comparable<Sort> {
        private static final Comparator<Sort> ORDER =
                Comparator.comparing(Sort::group).thenComparing(Sort::kind);

        @Override
        public int compareTo(Sort other) {
            return ORDER.compare(this, other);
        }
    }

    private final Map<Sort, Map<ObjectName, RawObject>> objects = new TreeMap<>();

    /// Objects and `List`s of them; of one that is there twice the last counts.
    public Estate(Collection<? extends Value> documents) {
        documents.forEach(this::add);
    }

    private void add(Value document) {
        if (!(document instanceof Value.Mapping mapping)) {
            return;
        }
        var kind = mapping.text("kind");
        if (kind == null) {
            return;
        }
        if (kind.endsWith("List")
                && mapping.fields().get("items") instanceof Value.Sequence(_, var items)) {
            items.forEach(this::add);
            return;
        }
        var object = RawObject.of(mapping);
        objects.computeIfAbsent(
                        new Sort(group(mapping.text("apiVersion")), kind),
                        _ -> new TreeMap<>(Comparator.comparing(ObjectName::toString)))
                .put(object.name(), object);
    }

    static String group(@Nullable String apiVersion) {
        return apiVersion == null || !apiVersion.contains("/")
                ? ""
                : apiVersion.substring(0, apiVersion.indexOf('/'));
    }

    public @Nullable RawObject find(String group, String kind, ObjectName name) {
        return objects.getOrDefault(new Sort(group, kind), Map.of()).get(name);
    }

    /// In the order of their names.
    public List<RawObject> all(String group, String kind) {
        return List.copyOf(objects.getOrDefault(new Sort(group, kind), Map.of()).values());
    }

    /// Objects that name this one as an owner, by kind and name.
    List<RawObject> ownedBy(RawObject owner) {
        var owned = new ArrayList<RawObject>();
        objects.values()
                .forEach(
                        ofSort ->
                                ofSort.values().stream()
                                        .filter(each -> isOwned(each, owner))
                                        .forEach(owned::add));
        owned.sort(
                Comparator.comparing((RawObject each) -> String.valueOf(each.object().text("kind")))
                        .thenComparing(each -> each.name().toString()));
        return owned;
    }

    private static boolean isOwned(RawObject object, RawObject owner) {
        var kind = owner.object().text("kind");
        var group = group(owner.object().text("apiVersion"));
        return object.name().namespace().equals(owner.name().namespace())
                && object.meta().owners().stream()
                        .anyMatch(
                                each ->
                                        each.kind().equals(kind)
                                                && group(each.apiVersion()).equals(group)
                                                && each.name().equals(owner.name().name()));
    }
}
