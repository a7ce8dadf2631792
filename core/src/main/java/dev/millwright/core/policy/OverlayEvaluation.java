package dev.millwright.core.policy;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What pools can buy after all overlays were laid, and what became of each overlay.
///
/// `catalogs` has the pools that were given a catalogue; `outcomes` has every overlay by name.
public record OverlayEvaluation(
        SequencedMap<String, List<InstanceType>> catalogs, SequencedMap<String, Outcome> outcomes) {

    /// What became of an overlay.
    public sealed interface Outcome {

        /// Laid on so many instance types, each counted once for every pool that offers it.
        record Applied(int instanceTypes) implements Outcome {}

        /// Not laid at all: another overlay of the same weight was there first.
        record Conflict(String with, Contested on) implements Outcome {}

        /// Not laid at all: the overlay itself must be mended.
        record Invalid(List<String> problems) implements Outcome {
            public Invalid {
                problems = List.copyOf(problems);
            }
        }

        default String explain() {
            return switch (this) {
                case Applied(var instanceTypes) ->
                        "applies to %d instance types".formatted(instanceTypes);
                case Conflict(var with, var on) ->
                        "NodeOverlay %s of the same weight already sets %s; give one of them another weight"
                                .formatted(with, on.explain());
                case Invalid(var problems) -> String.join("; ", problems);
            };
        }
    }

    /// What two overlays of one weight both set.
    public sealed interface Contested {

        record Price(String nodePool, String instanceType, String zone, String capacityType)
                implements Contested {}

        record Capacity(String nodePool, String instanceType, String resource)
                implements Contested {}

        default String explain() {
            return switch (this) {
                case Price(var nodePool, var instanceType, var zone, var capacityType) ->
                        "the price of %s (%s, %s) in NodePool %s"
                                .formatted(instanceType, zone, capacityType, nodePool);
                case Capacity(var nodePool, var instanceType, var resource) ->
                        "capacity %s of %s in NodePool %s"
                                .formatted(resource, instanceType, nodePool);
            };
        }
    }

    private record Match(OverlaidType type, List<Integer> offerings) {}

    public OverlayEvaluation {
        catalogs = Collections.unmodifiableSequencedMap(new TreeMap<>(catalogs));
        outcomes = Collections.unmodifiableSequencedMap(new TreeMap<>(outcomes));
    }

    /// Lays the overlays in their order. An overlay is laid everywhere it matches or, upon the
    /// first conflict, nowhere. Grows with overlays × pools × offerings.
    ///
    /// Overrides of single offerings survive, which Karpenter's overlaid copies lose.
    public static OverlayEvaluation evaluate(
            List<NodeOverlay> overlays,
            List<NodePool> nodePools,
            SequencedMap<String, List<InstanceType>> catalogs,
            LabelVocabulary vocabulary) {
        var types = new TreeMap<String, List<OverlaidType>>();
        for (var nodePool : nodePools) {
            var offered = catalogs.get(nodePool.name());
            if (offered != null) {
                types.put(
                        nodePool.name(),
                        offered.stream()
                                .map(type -> new OverlaidType(nodePool, type, vocabulary))
                                .toList());
            }
        }
        var outcomes = new TreeMap<String, Outcome>();
        for (var overlay : overlays.stream().sorted(NodeOverlay.ORDER).toList()) {
            outcomes.put(overlay.name(), outcome(overlay, types, vocabulary));
        }
        var overlaid = new TreeMap<>(catalogs);
        types.forEach(
                (nodePool, offered) ->
                        overlaid.put(nodePool, offered.stream().map(OverlaidType::type).toList()));
        return new OverlayEvaluation(overlaid, outcomes);
    }

    private static Outcome outcome(
            NodeOverlay overlay,
            SequencedMap<String, List<OverlaidType>> types,
            LabelVocabulary vocabulary) {
        var problems = overlay.problems(vocabulary);
        if (!problems.isEmpty()) {
            return new Outcome.Invalid(problems);
        }
        var matches = matches(overlay, types, vocabulary);
        for (var match : matches) {
            var conflict = match.type().conflict(overlay, match.offerings());
            if (conflict != null) {
                return conflict;
            }
        }
        matches.forEach(match -> match.type().lay(overlay, match.offerings()));
        return new Outcome.Applied(matches.size());
    }

    private static List<Match> matches(
            NodeOverlay overlay,
            SequencedMap<String, List<OverlaidType>> types,
            LabelVocabulary vocabulary) {
        var wanted = Requirements.of(overlay.requirements());
        var matches = new ArrayList<Match>();
        for (var offered : types.sequencedValues()) {
            for (var type : offered) {
                var offerings = type.matches(wanted, vocabulary.wellKnown());
                if (!offerings.isEmpty()) {
                    matches.add(new Match(type, offerings));
                }
            }
        }
        return matches;
    }
}
