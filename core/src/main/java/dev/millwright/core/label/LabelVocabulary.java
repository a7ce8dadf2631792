package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What label keys mean to this cluster: which are well known, which belong to us alone, and which
/// are old spellings. A provider adds its own words with [#plus]; there is no global set to change.
public record LabelVocabulary(
        SequencedSet<String> wellKnown,
        SequencedSet<String> restrictedDomains,
        SequencedMap<String, String> aliases,
        SequencedMap<String, List<String>> knownValues,
        String reservationIdKey) {

    /// Key by which core itself names a reservation until a provider brings its own.
    public static final String DEFAULT_RESERVATION_ID_KEY = "karpenter.sh/reservation-id";

    public static final LabelVocabulary CORE =
            new LabelVocabulary(
                    new TreeSet<>(
                            List.of(
                                    LabelKeys.NODE_POOL,
                                    LabelKeys.ZONE,
                                    LabelKeys.REGION,
                                    LabelKeys.INSTANCE_TYPE,
                                    LabelKeys.ARCH,
                                    LabelKeys.OS,
                                    LabelKeys.CAPACITY_TYPE,
                                    LabelKeys.WINDOWS_BUILD)),
                    new TreeSet<>(List.of("karpenter.sh")),
                    new TreeMap<>(
                            Map.of(
                                    "failure-domain.beta.kubernetes.io/zone", LabelKeys.ZONE,
                                    "failure-domain.beta.kubernetes.io/region", LabelKeys.REGION,
                                    "beta.kubernetes.io/arch", LabelKeys.ARCH,
                                    "beta.kubernetes.io/os", LabelKeys.OS,
                                    "beta.kubernetes.io/instance-type", LabelKeys.INSTANCE_TYPE)),
                    new TreeMap<>(
                            Map.of(
                                    LabelKeys.CAPACITY_TYPE,
                                    List.of(
                                            LabelKeys.CAPACITY_TYPE_ON_DEMAND,
                                            LabelKeys.CAPACITY_TYPE_RESERVED,
                                            LabelKeys.CAPACITY_TYPE_SPOT))),
                    DEFAULT_RESERVATION_ID_KEY);

    public LabelVocabulary {
        wellKnown = Collections.unmodifiableSequencedSet(new TreeSet<>(wellKnown));
        restrictedDomains = Collections.unmodifiableSequencedSet(new TreeSet<>(restrictedDomains));
        aliases = Collections.unmodifiableSequencedMap(new TreeMap<>(aliases));
        knownValues = Collections.unmodifiableSequencedMap(new TreeMap<>(knownValues));
    }

    public LabelVocabulary withWellKnown(Collection<String> keys) {
        var more = new TreeSet<>(wellKnown);
        more.addAll(keys);
        return new LabelVocabulary(more, restrictedDomains, aliases, knownValues, reservationIdKey);
    }

    public LabelVocabulary withRestrictedDomain(String domain) {
        var more = new TreeSet<>(restrictedDomains);
        more.add(domain);
        return new LabelVocabulary(wellKnown, more, aliases, knownValues, reservationIdKey);
    }

    public LabelVocabulary withAlias(String oldKey, String key) {
        var more = new TreeMap<>(aliases);
        more.put(oldKey, key);
        return new LabelVocabulary(
                wellKnown, restrictedDomains, more, knownValues, reservationIdKey);
    }

    public LabelVocabulary withKnownValues(String key, List<String> values) {
        var more = new TreeMap<>(knownValues);
        more.put(key, List.copyOf(values));
        return new LabelVocabulary(wellKnown, restrictedDomains, aliases, more, reservationIdKey);
    }

    public LabelVocabulary withReservationIdKey(String key) {
        return new LabelVocabulary(wellKnown, restrictedDomains, aliases, knownValues, key);
    }

    /// The key in today's spelling.
    public String normalize(String key) {
        return aliases.getOrDefault(key, key);
    }

    /// Whether pods and pools may not use the key: it belongs to us or to the provider, or names
    /// one host.
    public boolean isRestricted(String key) {
        if (key.equals(LabelKeys.HOSTNAME)) {
            return true;
        }
        if (wellKnown.contains(key)) {
            return false;
        }
        var slash = key.indexOf('/');
        var domain = slash < 0 ? key : key.substring(0, slash);
        return restrictedDomains.stream()
                .anyMatch(
                        restricted ->
                                domain.equals(restricted) || domain.endsWith("." + restricted));
    }

    /// Why nobody may ask for this of a node, or null when they may.
    public @Nullable String problem(Requirement requirement) {
        var key = requirement.key();
        if (isRestricted(key)) {
            return "label \"%s\" is restricted; use a label of your own or a well-known one"
                    .formatted(key);
        }
        if (!LabelSyntax.isQualifiedName(key)) {
            return "label key \"%s\" is not a valid Kubernetes name".formatted(key);
        }
        for (var value : requirement.values()) {
            if (!LabelSyntax.isValue(value)) {
                return "label \"%s\": value \"%s\" is not a valid label value"
                        .formatted(key, value);
            }
        }
        var known = knownValues.get(key);
        if (known != null
                && requirement.operator() == Operator.IN
                && requirement.values().stream().noneMatch(known::contains)) {
            return "label \"%s\": none of %s is known; wanted one of %s"
                    .formatted(key, requirement.values(), known);
        }
        return null;
    }

    public Requirement requirement(
            String key, Operator operator, @Nullable Integer minValues, Collection<String> values) {
        return Requirement.of(normalize(key), operator, minValues, values);
    }

    public Requirements labels(Map<String, String> labels) {
        var requirements = new ArrayList<Requirement>();
        labels.forEach((key, value) -> requirements.add(Requirement.in(normalize(key), value)));
        return Requirements.of(requirements);
    }
}
