package dev.millwright.providers.aws.image;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.spi.ec2.Ec2Labels;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// For which machines an image is made, apart from their architecture.
record Variant(List<SelectorRequirement> requirements) {

    private static final Comparator<SelectorRequirement> SHORT_KEYS_FIRST =
            Comparator.comparingInt((SelectorRequirement each) -> each.key().length())
                    .thenComparing(SelectorRequirement::key);

    /// What users choose by other means than an alias: any machine.
    static final Variant ANY = new Variant(List.of());

    /// Without drivers.
    static final Variant STANDARD =
            new Variant(
                    List.of(
                            bare(Ec2Labels.ACCELERATOR_COUNT, Operator.DOES_NOT_EXIST),
                            bare(Ec2Labels.GPU_COUNT, Operator.DOES_NOT_EXIST)));

    static final Variant NVIDIA = new Variant(List.of(bare(Ec2Labels.GPU_COUNT, Operator.EXISTS)));

    static final Variant NEURON =
            new Variant(List.of(bare(Ec2Labels.ACCELERATOR_COUNT, Operator.EXISTS)));

    Variant {
        requirements = List.copyOf(requirements);
    }

    static Variant windows(String build) {
        return new Variant(
                List.of(in(LabelKeys.OS, "windows"), in(LabelKeys.WINDOWS_BUILD, build)));
    }

    /// As a class's status lists them: short keys first.
    List<SelectorRequirement> on(String architecture) {
        var all = new ArrayList<>(requirements);
        all.add(in(LabelKeys.ARCH, architecture));
        all.sort(SHORT_KEYS_FIRST);
        return List.copyOf(all);
    }

    private static SelectorRequirement bare(String key, Operator operator) {
        return new SelectorRequirement(key, operator, List.of(), null);
    }

    private static SelectorRequirement in(String key, String value) {
        return new SelectorRequirement(key, Operator.IN, List.of(value), null);
    }
}
