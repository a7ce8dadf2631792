package dev.millwright.cli;

import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.SchedulingProblem;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;

/// How to pack, and how long to look for something cheaper.
final class PackingOptions {

    /// Completes and converts the two words of `--packing`.
    static final class Packings implements ITypeConverter<Packing>, Iterable<String> {
        @Override
        public Packing convert(String text) {
            return Arrays.stream(Packing.values())
                    .filter(packing -> packing.text().equals(text))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new TypeConversionException(
                                            "found \"%s\"; wanted first-fit or cheapest"
                                                    .formatted(text)));
        }

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Packing.values()).map(Packing::text).iterator();
        }
    }

    @Option(
            names = "--packing",
            paramLabel = "first-fit|cheapest",
            converter = Packings.class,
            completionCandidates = Packings.class,
            description =
                    "Pack as Karpenter does, or into the cheapest fleet found (default: cheapest).")
    private Packing packing = SchedulingPolicy.DEFAULT.packing();

    @Option(
            names = "--time-limit",
            paramLabel = "D",
            converter = DurationText.class,
            description =
                    "How long to look for a cheaper fleet, e.g. 5s. It counts steps, so that the same input gives the same plan on any machine.")
    private @Nullable Duration timeLimit;

    @Mixin private NodeFeeOption nodeFee = new NodeFeeOption();

    SchedulingProblem applied(SchedulingProblem problem) {
        var policy = problem.policy().withPacking(packing).withNodeFee(nodeFee.perHour());
        return problem.withPolicy(
                timeLimit == null ? policy : policy.withEffort(effort(timeLimit)));
    }

    private static long effort(Duration limit) {
        return Math.multiplyExact(limit.toMillis(), SchedulingPolicy.EFFORT_PER_SECOND / 1_000);
    }
}
