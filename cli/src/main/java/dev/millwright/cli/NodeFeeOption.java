package dev.millwright.cli;

import dev.millwright.core.policy.NodeFee;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The operator's fee of a node, which no cluster tells.
final class NodeFeeOption {

    static final class Amounts implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            var perHour = NodeFee.parse(text);
            if (perHour == null) {
                throw new TypeConversionException(
                        "found \"%s\"; wanted %s".formatted(text, NodeFee.WANTED));
            }
            return perHour;
        }
    }

    @Option(
            names = "--node-fee-per-hour",
            paramLabel = "X",
            converter = Amounts.class,
            description =
                    "What a node costs an hour beside its machine, where its NodePool does not say, as for `run controllers` (default: 0).")
    private Double perHour = 0.0;

    double perHour() {
        return perHour;
    }
}
