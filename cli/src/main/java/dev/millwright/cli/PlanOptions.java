package dev.millwright.cli;

import dev.millwright.cli.PackingOptions.Packings;
import dev.millwright.cli.plan.Outlook;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.disruption.WholeFleet;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.quantity.GoDuration;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/// The flags of the operator whose deeds are forecast. A cluster does not tell them.
final class PlanOptions {

    /// How nodes of pools that do not say are consolidated. No boolean: picocli takes one for a
    /// flag without a value.
    enum Consolidation {
        KARPENTER,
        CHEAPEST;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Completes and converts the two words of `--consolidation`.
    static final class Consolidations implements ITypeConverter<Consolidation>, Iterable<String> {
        @Override
        public Consolidation convert(String text) {
            return switch (text) {
                case "karpenter" -> Consolidation.KARPENTER;
                case "cheapest" -> Consolidation.CHEAPEST;
                default ->
                        throw new TypeConversionException(
                                "found \"%s\"; wanted karpenter or cheapest".formatted(text));
            };
        }

        @Override
        public Iterator<String> iterator() {
            return List.of("karpenter", "cheapest").iterator();
        }
    }

    @Option(
            names = "--packing",
            paramLabel = "first-fit|cheapest",
            converter = Packings.class,
            completionCandidates = Packings.class,
            description = "As for `run controllers` (default: cheapest).")
    private Packing packing = SchedulingPolicy.DEFAULT.packing();

    @Option(
            names = "--consolidation",
            paramLabel = "karpenter|cheapest",
            converter = Consolidations.class,
            completionCandidates = Consolidations.class,
            description = "As for `run controllers` (default: karpenter).")
    private Consolidation consolidation = Consolidation.KARPENTER;

    @Option(
            names = "--consolidation-horizon",
            paramLabel = "D",
            converter = DurationText.class,
            description = "As for `run controllers` (default: 2h).")
    private Duration horizon = WholeFleet.HORIZON_DEFAULT;

    @Option(
            names = "--spot-to-spot",
            description = "As with the feature gate SpotToSpotConsolidation.")
    private boolean isSpotToSpot;

    @Mixin private NodeFeeOption nodeFee = new NodeFeeOption();

    Outlook outlook() {
        return new Outlook(
                packing,
                nodeFee.perHour(),
                new Settings.Consolidation(consolidation == Consolidation.CHEAPEST, horizon, false),
                isSpotToSpot);
    }

    /// The same, for the same command elsewhere.
    List<String> arguments() {
        var arguments =
                new ArrayList<>(
                        List.of(
                                "--packing",
                                packing.text(),
                                "--consolidation",
                                consolidation.text(),
                                "--consolidation-horizon",
                                GoDuration.format(horizon)));
        if (nodeFee.perHour() > 0) {
            arguments.addAll(List.of("--node-fee-per-hour", String.valueOf(nodeFee.perHour())));
        }
        if (isSpotToSpot) {
            arguments.add("--spot-to-spot");
        }
        return arguments;
    }
}
