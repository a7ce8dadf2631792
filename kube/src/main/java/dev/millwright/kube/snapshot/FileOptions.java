package dev.millwright.kube.snapshot;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.translation.PlacementTranslation;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The operator's choices as far as a file states them.
record FileOptions(
        @Nullable Preferences preferences,
        @Nullable MinValues minValues,
        @Nullable Boolean isReservedCapacityOn,
        List<String> wellKnownLabels,
        List<String> restrictedDomains,
        @Nullable String reservationIdKey,
        List<SpreadConstraint> defaultSpread) {

    static final FileOptions NONE =
            new FileOptions(null, null, null, List.of(), List.of(), null, List.of());

    FileOptions {
        wellKnownLabels = List.copyOf(wellKnownLabels);
        restrictedDomains = List.copyOf(restrictedDomains);
        defaultSpread = List.copyOf(defaultSpread);
    }

    static FileOptions of(Field options, PlacementTranslation placements) {
        var reserved = options.at("reservedCapacity");
        return new FileOptions(
                preferences(options.at("preferencePolicy")),
                minValues(options.at("minValuesPolicy")),
                reserved.isPresent() ? reserved.isTrue() : null,
                options.at("wellKnownLabels").textList(),
                options.at("restrictedLabelDomains").textList(),
                options.at("reservationIdLabel").text(),
                placements.spread(
                        options.at("schedulerConfig")
                                .at("podTopologySpread")
                                .at("defaultConstraints")));
    }

    private static @Nullable Preferences preferences(Field field) {
        var text = field.text("");
        return switch (text) {
            case "" -> null;
            case "Respect" -> Preferences.RESPECT;
            case "Ignore" -> Preferences.IGNORE;
            default -> {
                field.fault("found \"%s\"; wanted Respect or Ignore".formatted(Shortened.of(text)));
                yield null;
            }
        };
    }

    private static @Nullable MinValues minValues(Field field) {
        var text = field.text("");
        return switch (text) {
            case "" -> null;
            case "Strict" -> MinValues.STRICT;
            case "BestEffort" -> MinValues.BEST_EFFORT;
            default -> {
                field.fault(
                        "found \"%s\"; wanted Strict or BestEffort".formatted(Shortened.of(text)));
                yield null;
            }
        };
    }

    /// The words of a catalogue that the file itself brings.
    LabelVocabulary vocabulary(String reservationIdKeyDefault) {
        var vocabulary =
                LabelVocabulary.CORE
                        .withWellKnown(wellKnownLabels)
                        .withReservationIdKey(
                                reservationIdKey == null
                                        ? reservationIdKeyDefault
                                        : reservationIdKey);
        for (var domain : restrictedDomains) {
            vocabulary = vocabulary.withRestrictedDomain(domain);
        }
        return vocabulary;
    }

    SchedulingPolicy policy(LabelVocabulary vocabulary) {
        var policy =
                SchedulingPolicy.DEFAULT
                        .withVocabulary(vocabulary)
                        .withDefaultSpread(defaultSpread);
        if (preferences != null) {
            policy = policy.withPreferences(preferences);
        }
        if (minValues != null) {
            policy = policy.withMinValues(minValues);
        }
        if (isReservedCapacityOn != null) {
            policy =
                    policy.withReservations(
                            isReservedCapacityOn ? Reservations.STRICT : Reservations.OFF);
        }
        return policy;
    }
}
