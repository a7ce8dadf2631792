package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Requirements by key, in the order of the keys. Adding to a key narrows it; a key that is not
/// listed allows everything.
public final class Requirements {

    public static final Requirements NONE = new Requirements(new TreeMap<>());

    private final SequencedMap<String, Requirement> byKey;
    private final int hash;
    private final boolean hasMinValues;

    private Requirements(SequencedMap<String, Requirement> byKey) {
        this.byKey = Collections.unmodifiableSequencedMap(byKey);
        this.hash = byKey.hashCode();
        this.hasMinValues =
                byKey.values().stream().anyMatch(requirement -> requirement.minValues() != null);
    }

    public static Requirements of(Requirement... requirements) {
        return of(List.of(requirements));
    }

    public static Requirements of(Collection<Requirement> requirements) {
        return requirements.isEmpty() ? NONE : NONE.and(requirements);
    }

    /// One `In` of a single value for each label. Keys are taken as given; see
    /// [LabelVocabulary#labels].
    public static Requirements ofLabels(Map<String, String> labels) {
        var byKey = new TreeMap<String, Requirement>();
        labels.forEach((key, value) -> byKey.put(key, Requirement.in(key, value)));
        return new Requirements(byKey);
    }

    public Collection<Requirement> all() {
        return byKey.sequencedValues();
    }

    public Set<String> keys() {
        return byKey.sequencedKeySet();
    }

    public boolean isEmpty() {
        return byKey.isEmpty();
    }

    public boolean has(String key) {
        return byKey.containsKey(key);
    }

    /// The requirement of the key, or `Exists` where there is none.
    public Requirement on(String key) {
        var requirement = byKey.get(key);
        return requirement == null ? Requirement.exists(key) : requirement;
    }

    public @Nullable Requirement orNull(String key) {
        return byKey.get(key);
    }

    public Requirements and(Collection<Requirement> others) {
        if (others.isEmpty()) {
            return this;
        }
        var narrowed = new TreeMap<>(byKey);
        for (var requirement : others) {
            narrowed.merge(requirement.key(), requirement, Requirement::intersection);
        }
        return new Requirements(narrowed);
    }

    public Requirements and(Requirements others) {
        return isEmpty() ? others : and(others.all());
    }

    public Requirements and(Requirement other) {
        return and(List.of(other));
    }

    /// With the requirement in place of whatever the key had.
    public Requirements replace(Requirement requirement) {
        var replaced = new TreeMap<>(byKey);
        replaced.put(requirement.key(), requirement);
        return new Requirements(replaced);
    }

    public Requirements without(String key) {
        if (!has(key)) {
            return this;
        }
        var rest = new TreeMap<>(byKey);
        rest.remove(key);
        return new Requirements(rest);
    }

    /// All of them in the API's form, in the order of the keys.
    public List<SelectorRequirement> selectorRequirements() {
        return byKey.values().stream()
                .flatMap(requirement -> requirement.selectorRequirements().stream())
                .toList();
    }

    public boolean hasMinValues() {
        return hasMinValues;
    }

    /// Every shared key on which the two leave no value. Keys only one side has are no conflict,
    /// and two sides that are both content with an absent key do not conflict.
    public List<Mismatch.Disjoint> conflicts(Requirements incoming) {
        var conflicts = new ArrayList<Mismatch.Disjoint>();
        for (var requirement : incoming.all()) {
            var existing = byKey.get(requirement.key());
            if (existing != null && conflict(existing, requirement)) {
                conflicts.add(new Mismatch.Disjoint(requirement.key(), requirement, existing));
            }
        }
        return List.copyOf(conflicts);
    }

    public boolean intersects(Requirements incoming) {
        for (var requirement : incoming.all()) {
            var existing = byKey.get(requirement.key());
            if (existing != null && conflict(existing, requirement)) {
                return false;
            }
        }
        return true;
    }

    private static boolean conflict(Requirement existing, Requirement incoming) {
        return !existing.intersects(incoming)
                && !(incoming.operator().allowsAbsence() && existing.operator().allowsAbsence());
    }

    /// Why the incoming requirements cannot be met here, or null when they can. A key nobody here
    /// defines is met only when it is one of `undefinedAllowed` or its operator is content with
    /// absence.
    public @Nullable Mismatch mismatch(Requirements incoming, Set<String> undefinedAllowed) {
        for (var requirement : incoming.all()) {
            if (!undefinedAllowed.contains(requirement.key())
                    && !has(requirement.key())
                    && !requirement.operator().allowsAbsence()) {
                return new Mismatch.Undefined(
                        requirement.key(),
                        Mismatch.hint(requirement.key(), undefinedAllowed, keys()));
            }
        }
        var conflicts = conflicts(incoming);
        return conflicts.isEmpty() ? null : conflicts.getFirst();
    }

    public boolean isCompatible(Requirements incoming, Set<String> undefinedAllowed) {
        for (var requirement : incoming.all()) {
            if (!undefinedAllowed.contains(requirement.key())
                    && !has(requirement.key())
                    && !requirement.operator().allowsAbsence()) {
                return false;
            }
        }
        return intersects(incoming);
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof Requirements other
                && hash == other.hash
                && byKey.equals(other.byKey);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /// Sorted text without the host name, which is a placeholder while a plan is made.
    @Override
    public String toString() {
        return byKey.values().stream()
                .filter(requirement -> !requirement.key().equals(LabelKeys.HOSTNAME))
                .map(Requirement::toString)
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
