package dev.millwright.testing.bench.problem;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.FakeCatalogue;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What machines the pods of a benchmark problem may be bought.
public enum ProblemCatalogue {
    /// 400 machines whose size and price grow evenly: every step is a little larger.
    FAKE400,

    /// 144 machines of eighteen families of EC2 on demand in three zones: sizes double, and
    /// families differ in memory for a cpu.
    AWSLIKEOD,

    /// All machines of EC2 that have a price, on demand and spot, in six zones.
    EC2;

    private static final int FAKE_TYPES = 400;

    private static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-east-1c");

    private static final Set<String> FAMILIES =
            Set.of(
                    "c5", "c5a", "c6i", "c6a", "c7i", "c7a", //
                    "m5", "m5a", "m6i", "m6a", "m7i", "m7a", //
                    "r5", "r5a", "r6i", "r6a", "r7i", "r7a");

    /// The first c5 have nine and eighteen where later families have eight and sixteen.
    private static final Set<String> SIZES =
            Set.of(
                    "large",
                    "xlarge",
                    "2xlarge",
                    "4xlarge",
                    "8xlarge",
                    "9xlarge",
                    "12xlarge",
                    "16xlarge",
                    "18xlarge",
                    "24xlarge");

    public List<InstanceType> types() {
        return switch (this) {
            case FAKE400 -> FakeCatalogue.linear(FAKE_TYPES);
            case AWSLIKEOD ->
                    Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT.withZones(ZONES)).stream()
                            .filter(ProblemCatalogue::isAwslike)
                            .map(ProblemCatalogue::onDemand)
                            .toList();
            case EC2 ->
                    Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT).stream()
                            .filter(
                                    type ->
                                            type.offerings().stream()
                                                    .anyMatch(Offering::isAvailable))
                            .toList();
        };
    }

    LabelVocabulary vocabulary() {
        return switch (this) {
            case FAKE400 -> FakeCatalogue.VOCABULARY;
            case AWSLIKEOD, EC2 -> Ec2Labels.VOCABULARY;
        };
    }

    private static boolean isAwslike(InstanceType type) {
        var dot = type.name().indexOf('.');
        return FAMILIES.contains(type.name().substring(0, dot))
                && SIZES.contains(type.name().substring(dot + 1));
    }

    private static InstanceType onDemand(InstanceType type) {
        return type.withOfferings(
                type.offerings().stream()
                        .filter(Offering::isAvailable)
                        .filter(
                                offering ->
                                        offering.capacityType()
                                                .equals(LabelKeys.CAPACITY_TYPE_ON_DEMAND))
                        .toList());
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ProblemCatalogue parse(String text) {
        for (var catalogue : values()) {
            if (catalogue.text().equals(text)) {
                return catalogue;
            }
        }
        throw new IllegalArgumentException(
                "catalogue \"%s\" is unknown; wanted fake400, awslikeod or ec2".formatted(text));
    }
}
